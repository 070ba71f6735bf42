/** `skillc approvals show` of a call whose effects need an approval. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { absenceOf, describeUnless } from "../../support/service.js";
import { overlays } from "../../bindings/command/run/layers/support.js";
import { makeProject, put, skillc } from "../support/command-line.js";

const metadata = `tools_schema:
  clean-up:
    description: Cleans a folder up.
    risk_level: write
    governance: { approval: { ttl: 1h } }
    rollback: { strategy: effects }
    binding: { type: command, command: [bash, ./clean-up.sh], cwd: ./work, allowed_paths: [./work] }
`;

const caller = ["--caller", '{"subject":"ada"}'];
/** Names that imitate another line, colour the screen, or turn the text around. */
const hostile = ["red\u001B[31m", "line\n    deleted  nothing", "turned\u202Etxt"];
const olds = Array.from({ length: 60 }, (_, at) => `old-${String(at).padStart(2, "0")}.log`);

/** A project, and the request of a call whose script is tried. */
async function requestOf(script: string, files: Readonly<Record<string, string>>) {
  const root = makeProject({
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Keeps a folder.\n---\nAsk.\n",
    "skills/desk/metadata.yaml": metadata,
    "skills/desk/clean-up.sh": `set -e\n${script}\n`,
  });
  for (const [name, text] of Object.entries(files)) put(root, `work/${name}`, text);
  const env = { PATH: process.env["PATH"] };
  const run = (...argv: readonly string[]) => skillc(root, argv, { env, columns: 300 });
  expect(await run("generate")).toMatchObject({ code: 0 });
  const { stdout } = await run("call", "desk/clean-up", "--args", "{}", ...caller, "--json");
  const { error } = JSON.parse(stdout) as { error: { code: string; request: { id: string } } };
  expect(error.code).toBe("AUTH.APPROVAL_REQUIRED");
  return { id: error.request.id, root, run };
}

describeUnless(await absenceOf(overlays), "approvals of effects on the command line", () => {
  test("show lists every deletion, the other changes, and diffs of texts", async () => {
    const { id, root, run } = await requestOf(
      "rm old-*.log; echo two > a.txt; mkdir new; echo n > new/b.txt",
      { ...Object.fromEntries(olds.map((each) => [each, "x"])), "a.txt": "one\n" },
    );
    const { code, stdout } = await run("approvals", "show", id);
    expect(code).toBe(0);
    for (const each of olds) expect(stdout).toContain(`deleted  work/${each}  `);
    expect(stdout).toMatch(/^ {4}changed {2}work\/a\.txt [^]*^ {6}-one\n {6}\+two$/m);
    expect(stdout).toMatch(/^ {4}created {2}work\/new\/b\.txt /m);
    expect(stdout).toContain("2 created, 1 changed, 60 deleted");
    expect(stdout).toContain("way back  copies of the files it changes");
    expect(existsSync(join(root, "work/old-00.log"))).toBe(true);
    const [, digest = ""] = /digest +(\w+)/.exec(stdout) ?? [];
    const approve = ["approvals", "approve", id, "--as", "grace"];
    expect(await run(...approve)).toMatchObject({ code: 1 });
    expect(await run(...approve, "--digest", digest)).toMatchObject({ code: 0 });
    expect(await run("call", "desk/clean-up", "--args", "{}", ...caller)).toMatchObject({
      code: 0,
    });
    expect(readdirSync(join(root, "work")).toSorted()).toEqual(["a.txt", "new"]);
  });

  test("deny removes what the trial has kept", async () => {
    const { id, root, run } = await requestOf("echo 2 > a.txt", { "a.txt": "1" });
    const layers = join(root, ".skillc/layers");
    expect(readdirSync(layers)).toHaveLength(1);
    expect(await run("approvals", "deny", id, "--as", "grace")).toMatchObject({ code: 0 });
    expect(readdirSync(layers)).toEqual([]);
  });

  test("show escapes hostile names of files and hostile texts", async () => {
    const { id, run } = await requestOf(
      `rm -- *; printf 'a\\033[2Jb\\n' > 'made\u001B[1A'`,
      Object.fromEntries(hostile.map((each) => [each, `\u001B]0;title\u0007\n`])),
    );
    for (const argv of [["show", id], ["list"], ["show", id, "--json"]]) {
      const { code, stdout } = await run("approvals", ...argv);
      expect(code).toBe(0);
      expect([...stdout].filter((each) => each !== "\n" && /[\p{Cc}\u202E]/u.test(each))).toEqual(
        [],
      );
      expect(stdout).not.toMatch(/^ *deleted +nothing/m);
    }
    const { stdout } = await run("approvals", "show", id);
    expect(stdout).toContain(String.raw`deleted  work/red\u001b[31m`);
    expect(stdout).toContain(String.raw`deleted  work/line\u000a    deleted  nothing`);
    expect(stdout).toContain(String.raw`deleted  work/turned\u202etxt`);
    expect(stdout).toContain(String.raw`created  work/made\u001b[1A`);
    expect(stdout).toContain(String.raw`a\u001b[2Jb`);
  });
});
