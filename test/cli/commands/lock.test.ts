/** `skillc lock`, and the check of the lock by `skillc generate --check`. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lockFileName, readLock, renderLock } from "../../../src/cli/tool-lock/lock-text.js";
import { filesIn, makeProject, put, skillc } from "../support/command-line.js";

const skill = "---\nname: desk\ndescription: Looks up orders.\n---\nAsk for the number.\n";

interface Tool {
  readonly description?: string;
  readonly version?: string;
}

function metadata(tools: Readonly<Record<string, Tool>>): string {
  const parameters = { type: "object", additionalProperties: false, properties: {} };
  const all = Object.entries(tools).map(([name, { description = "Does it.", version }]) => {
    return [name, { description, ...(version !== undefined && { version }), parameters }];
  });
  return JSON.stringify({ tools_schema: Object.fromEntries(all) });
}

/** A project whose output is up to date, and locked. */
async function lockedProject(tools: Readonly<Record<string, Tool>>): Promise<string> {
  const root = makeProject({
    "skills/desk/SKILL.md": skill,
    "skills/desk/metadata.json": metadata(tools),
  });
  expect((await skillc(root, ["lock"])).code).toBe(0);
  return root;
}

interface Checked {
  readonly code: number;
  readonly found: readonly string[];
  readonly messages: readonly string[];
}

/** What `generate --check` says of the lock once these tools are generated. */
async function checkedWith(root: string, tools: Readonly<Record<string, Tool>>): Promise<Checked> {
  put(root, "skills/desk/metadata.json", metadata(tools));
  expect((await skillc(root, ["generate"])).code).toBe(0);
  const { code, stdout } = await skillc(root, ["generate", "--check", "--json"]);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; file: string; line: number; message: string }[];
  };
  return {
    code,
    found: diagnostics.map((each) => `${each.code} ${each.file}:${each.line}`),
    messages: diagnostics.map(({ message }) => message),
  };
}

const lockOf = (root: string): string => readFileSync(join(root, lockFileName), "utf8");

describe("the lock", () => {
  test("contains a sorted line for each tool, and nothing of the machine", async () => {
    const root = await lockedProject({ zeta: {}, "get-order": { version: "1.2.0" } });
    const [head, ...lines] = lockOf(root).trimEnd().split("\n");
    expect(head).toBe(
      "# skillc.lock 1: written by `skillc lock`, read by `skillc generate --check`; do not edit.",
    );
    const line = (id: string, version: string) =>
      new RegExp(`^"desk/${id}": \\{ "version": ${version}, "manifest": "[0-9a-f]{64}" \\}$`);
    expect(lines).toEqual([
      expect.stringMatching(line("get-order", '"1\\.2\\.0"')),
      expect.stringMatching(line("zeta", "null")),
    ]);
  });

  test("stays unchanged by `generate` and `check`", async () => {
    const root = await lockedProject({ a: { version: "1.0.0" } });
    const before = lockOf(root);
    await checkedWith(root, { a: { version: "1.0.0", description: "Does more." } });
    expect((await skillc(root, ["check"])).code).toBe(0);
    expect(lockOf(root)).toBe(before);
  });

  test("stays unchanged if the skills have errors", async () => {
    const root = await lockedProject({ a: { version: "1.0.0" } });
    const before = lockOf(root);
    put(root, "skills/desk/metadata.json", "{");
    const { code, stderr } = await skillc(root, ["lock"]);
    expect(code).toBe(1);
    expect(stderr).toContain("skills/desk/metadata.json");
    expect(lockOf(root)).toBe(before);
  });

  test("prints what a new lock accepts", async () => {
    const root = await lockedProject({ a: { version: "1.0.0" }, b: { version: "1.0.0" }, c: {} });
    const now = { a: { version: "1.0.0", description: "Other." }, b: { version: "1.1.0" }, d: {} };
    put(root, "skills/desk/metadata.json", metadata(now));
    const { stdout } = await skillc(root, ["lock"]);
    expect(stdout).toBe(
      [
        "✓ skillc.lock",
        "  3 tools · written",
        "  desk/a changed and kept its version (1.0.0): raise the version if callers may notice",
        "  desk/b 1.0.0 → 1.1.0",
        "  desk/c is gone",
        "  desk/d is new",
        "",
      ].join("\n"),
    );
    expect((await skillc(root, ["lock"])).stdout).toContain("3 tools · up to date");
  });

  test("prints its changes as JSON", async () => {
    const root = await lockedProject({ a: { version: "1.0.0" } });
    put(root, "skills/desk/metadata.json", metadata({ a: { version: "0.9.0" } }));
    expect(JSON.parse((await skillc(root, ["lock", "--json"])).stdout)).toEqual({
      diagnostics: expect.any(Array),
      accepted: [],
      changed: true,
      tools: [{ id: "desk/a", version: "0.9.0", manifest: expect.any(String) }],
      changes: [{ id: "desk/a", change: "lowered", locked: "1.0.0", version: "0.9.0" }],
    });
  });

  test("replaces the remains of a merge, but not a file of somebody else", async () => {
    const root = await lockedProject({ a: { version: "1.0.0" } });
    const lock = lockOf(root);
    put(root, lockFileName, `<<<<<<< main\n${lock}=======\n${lock}>>>>>>> other\n`);
    expect((await skillc(root, ["lock"])).code).toBe(0);
    expect(lockOf(root)).toBe(lock);
    put(root, lockFileName, "mine: true\n");
    const { code, stderr } = await skillc(root, ["lock"]);
    expect(code).toBe(1);
    expect(stderr).toContain("`skillc.lock` exists already, and skillc did not write it");
    expect(lockOf(root)).toBe("mine: true\n");
  });

  test("does not follow a link", async () => {
    const root = makeProject({
      "skills/desk/SKILL.md": skill,
      "skills/desk/metadata.json": metadata({ a: {} }),
      "elsewhere.txt": "",
    });
    symlinkSync(join(root, "elsewhere.txt"), join(root, lockFileName));
    const { code, stderr } = await skillc(root, ["lock"]);
    expect(code).toBe(1);
    expect(stderr).toContain("`skillc.lock` is a link, but must be a file");
    expect(filesIn(root)["elsewhere.txt"]).toBe("");
  });
});

describe("generate --check", () => {
  test("reports nothing without a lock", async () => {
    const root = makeProject({ "skills/desk/SKILL.md": skill });
    expect(await checkedWith(root, { a: { version: "1.0.0" } })).toMatchObject({
      code: 0,
      found: [],
    });
  });

  test("reports nothing for locked tools, in any layout", async () => {
    const root = await lockedProject({ a: { version: "1.0.0" } });
    expect(await checkedWith(root, { a: { version: "1.0.0" } })).toMatchObject({ code: 0 });
    const text = metadata({ a: { version: "1.0.0" } });
    put(root, "skills/desk/metadata.json", JSON.stringify(JSON.parse(text), null, 4));
    expect((await skillc(root, ["generate"])).code).toBe(0);
    expect((await skillc(root, ["generate", "--check"])).code).toBe(0);
  });

  test.each<[what: string, old: Tool, now: Tool, code: string, says: string]>([
    [
      "a tool that changed under one version",
      { version: "1.0.0" },
      { version: "1.0.0", description: "Does more." },
      "lock/tool-changed",
      "`desk/a` has changed since version `1.0.0` was locked",
    ],
    [
      "a tool that changed and has no version",
      {},
      { description: "Does more." },
      "lock/tool-changed",
      "`desk/a` has changed since it was locked, and it has no `version:`",
    ],
    [
      "a version that went down",
      { version: "1.0.0" },
      { version: "0.9.0" },
      "lock/tool-changed",
      "`desk/a` has version `0.9.0`, which is lower than the locked `1.0.0`",
    ],
    [
      "a version that was raised and not locked",
      { version: "1.0.0" },
      { version: "1.1.0", description: "Does more." },
      "lock/out-of-date",
      "`desk/a` has another version than in the lock",
    ],
    [
      "a version that is no SemVer version, and another",
      { version: "spring" },
      { version: "autumn" },
      "lock/out-of-date",
      "`desk/a` has another version than in the lock",
    ],
  ])("fails for %s, until it is locked", async (_, old, now, code, says) => {
    const root = await lockedProject({ a: old });
    const found = await checkedWith(root, { a: now });
    expect(found).toEqual({
      code: 1,
      found: [`${code} skills/desk/metadata.json:1`],
      messages: [says],
    });
    expect((await skillc(root, ["lock"])).code).toBe(0);
    expect((await skillc(root, ["generate", "--check"])).code).toBe(0);
  });

  test("fails for a new tool at the tool, and for a removed tool at its line", async () => {
    const root = await lockedProject({ a: {}, b: {} });
    const { code, found } = await checkedWith(root, { b: {}, c: {} });
    expect(code).toBe(1);
    expect(found).toEqual([
      "lock/out-of-date skillc.lock:2",
      "lock/out-of-date skills/desk/metadata.json:1",
    ]);
  });

  test("reports the first of 20,000 removed tools, and the number of the others", async () => {
    const root = await lockedProject({ a: { version: "1.0.0" } });
    const lock = readLock(lockOf(root));
    const [known] = lock.kind === "lock" ? lock.tools : [];
    const gone = Array.from({ length: 20_000 }, (_, index) => `desk/gone-${10_000 + index}`);
    const manifest = known?.manifest ?? "";
    const tools = gone.map((id) => ({ id, version: null, manifest }));
    put(root, lockFileName, renderLock([...tools, ...(known ? [known] : [])]));
    const { found, messages } = await checkedWith(root, { a: { description: "Does more." } });
    expect(found.slice(0, 2)).toEqual([
      "lock/out-of-date skillc.lock:1",
      "lock/out-of-date skillc.lock:3",
    ]);
    expect(messages).toHaveLength(21);
    expect(messages[0]).toBe("19981 more tools are new, removed or of another version");
    const { stdout } = await skillc(root, ["lock"]);
    expect(stdout).toContain("desk/gone-29999 is gone");
  });

  test("shows the line of the lock and what to do", async () => {
    const root = await lockedProject({ a: { version: "1.0.0" } });
    await checkedWith(root, { a: { version: "1.0.0", description: "Does more." } });
    const { stderr } = await skillc(root, ["generate", "--check"]);
    expect(stderr).toContain("error[lock/tool-changed]");
    expect(stderr).toContain("skillc.lock:2");
    expect(stderr).toContain("raise its `version:`, then run `skillc lock`");
  });

  test("fails for a folder in place of the lock", async () => {
    const root = makeProject({ "skills/desk/SKILL.md": skill });
    mkdirSync(join(root, lockFileName));
    const { messages } = await checkedWith(root, { a: {} });
    expect(messages).toEqual(["`skillc.lock` is a folder, but must be a file"]);
  });
});

describe("the help for a lock that can't be read", () => {
  async function helpFor(root: string): Promise<unknown> {
    const { stdout } = await skillc(root, ["generate", "--check", "--json"]);
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; help: string }[];
    };
    return diagnostics.find(({ code }) => code === "lock/unreadable")?.help;
  }

  test.each(["<<<<<<< main\n=======\n>>>>>>> other\n", "", "# skillc.lock 999: a later one\n"])(
    "`skillc lock` replaces %j, and the help says to review the file",
    async (text) => {
      const root = await lockedProject({ a: { version: "1.0.0" } });
      put(root, lockFileName, text);
      expect(await helpFor(root)).toBe(
        "run `skillc lock`, which writes the whole file again, and review the file with `git diff`",
      );
      expect((await skillc(root, ["lock"])).code).toBe(0);
    },
  );

  test("`skillc lock` replaces no file of another program, and the help says to move it", async () => {
    const root = await lockedProject({ a: { version: "1.0.0" } });
    put(root, lockFileName, "a: 1\n");
    expect(await helpFor(root)).toContain("move it elsewhere");
    expect((await skillc(root, ["lock"])).code).not.toBe(0);
  });
});

describe("a file in place of the lock", () => {
  const hash = "0".repeat(64);
  const locked = [{ id: "desk/a", version: "1.0.0", manifest: hash }];
  const good = renderLock(locked);
  const line = good.split("\n")[1] ?? "";

  test("equals the tools that were written, with any names", () => {
    const tools = [
      { id: 'desk/"quoted"', version: null, manifest: hash },
      { id: "desk/line\nbreak", version: "\\", manifest: `${hash}-${hash}` },
      { id: "desk/\u2028", version: "1.0.0", manifest: hash },
    ];
    const read = readLock(renderLock(tools));
    expect(
      read.kind === "lock" &&
        read.tools.map(({ id, manifest, version }) => ({ id, manifest, version })),
    ).toEqual(expect.arrayContaining(tools));
  });

  test("may have line ends that git changed", () => {
    expect(readLock(good.replaceAll("\n", "\r\n")).kind).toBe("lock");
  });

  test("may list its tools in any order, as after a merge", () => {
    const other = line.replace("desk/a", "desk/0");
    expect(readLock(`${good}${other}\n`).kind).toBe("lock");
  });

  test.each([
    ["empty", "", "`skillc lock` did not write this file"],
    ["another file", "a: 1\n", "`skillc lock` did not write this file"],
    [
      "a lock of a later skillc",
      good.replace("lock 1", "lock 2"),
      "another version of skillc wrote this lock",
    ],
    ["a hash by hand", good.replace("0000", "zzzz"), "`skillc lock` did not write this line"],
    ["a key by hand", good.replace("manifest", "hash"), "`skillc lock` did not write this line"],
    [
      "a name that is no JSON",
      good.replace("desk/a", "desk\\x"),
      "`skillc lock` did not write this line",
    ],
    ["a tool twice", `${good}${line}\n`, "this tool is in the lock twice"],
    [
      "a conflict of a merge",
      good.replace(line, `<<<<<<< main\n${line}\n=======\n${line}\n>>>>>>> other`),
      "a merge left an unresolved conflict here",
    ],
    ["half a conflict", good.replace(line, `<<<<<<< main\n${line}`), "did not write this line"],
  ])("gets rejected: %s", (_, text, says) => {
    const read = readLock(text);
    expect(read.kind === "unreadable" && read.problem.message).toContain(says);
  });
});
