import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openUserKey } from "../../../src/cli/cache/user-key.js";
import { makeProject } from "../support/command-line.js";

const path = "state/skillc/key";

function openIn(home: string, root = makeProject()) {
  return openUserKey(root, { XDG_STATE_HOME: join(home, "state"), HOME: home });
}

test("creates the key once, readable only by its owner, and keeps it", () => {
  const home = makeProject();
  const first = openIn(home);
  expect(first.read()).toBeUndefined();
  const key = first.make();
  expect(key).toHaveLength(32);
  expect(openIn(home).read()).toEqual(key);
  expect(openIn(home).make()).toEqual(key);
  expect(readFileSync(join(home, path))).toEqual(key);
  expect(statSync(join(home, path)).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, "state/skillc")).mode & 0o777).toBe(0o700);
});

test("keeps the key below the home folder if XDG_STATE_HOME is not set or not absolute", () => {
  for (const state of [undefined, "", "relative/state"]) {
    const home = makeProject();
    const key = openUserKey(makeProject(), { HOME: home, XDG_STATE_HOME: state });
    expect(key.make()).toEqual(readFileSync(join(home, ".local/state/skillc/key")));
  }
});

test("gives two processes the same key if they create it at the same time", async () => {
  const home = makeProject();
  const module = fileURLToPath(new URL("../../../src/cli/cache/user-key.ts", import.meta.url));
  const program = `
    import { createJiti } from "jiti";
    const { openUserKey } = await createJiti(${JSON.stringify(module)}).import(${JSON.stringify(module)});
    const key = openUserKey(${JSON.stringify(makeProject())}, process.env);
    process.stdin.once("data", () => { console.log(key.make()?.toString("hex") ?? key.problem); process.exit(); });
    console.log("ready");`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", program], {
      cwd: fileURLToPath(new URL("../../../", import.meta.url)),
      env: { ...process.env, XDG_STATE_HOME: join(home, "state") },
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  await Promise.all(children.map(({ stdout }) => once(stdout, "data")));
  const keys = Promise.all(children.map(({ stdout }) => once(stdout, "data").then(String)));
  for (const { stdin } of children) stdin.write("go");
  const made = new Set(await keys);
  expect([...made]).toEqual([`${readFileSync(join(home, path)).toString("hex")}\n`]);
});

describe("an unsafe key", () => {
  const bytes = Buffer.alloc(32, 7);
  test.each<[string, (file: string, home: string) => void, string]>([
    ["others may read it", (file) => writeFileSync(file, bytes, { mode: 0o644 }), "other users"],
    ["it is too short", (file) => writeFileSync(file, "x", { mode: 0o600 }), "not a skillc key"],
    [
      "it is too long",
      (file) => writeFileSync(file, Buffer.alloc(33), { mode: 0o600 }),
      "not a skillc key",
    ],
    [
      "it is a link",
      (file, home) => {
        writeFileSync(join(home, "real"), bytes, { mode: 0o600 });
        symlinkSync(join(home, "real"), file);
      },
      "it is a link",
    ],
    ["it is a folder", (file) => mkdirSync(file), "not a regular file"],
  ])("causes a refusal, and the cache keeps nothing, if %s", (_, make, told) => {
    const home = makeProject();
    mkdirSync(join(home, "state/skillc"), { recursive: true });
    make(join(home, path), home);
    const key = openIn(home);
    expect(key.make()).toBeUndefined();
    expect(key.problem).toContain(told);
    expect(key.problem).toContain(join(home, path));
  });

  test("causes a refusal if it would be inside the project, even by a link", () => {
    const home = makeProject();
    expect(openIn(home, home).make()).toBeUndefined();
    expect(openIn(home, home).read()).toBeUndefined();
    const root = makeProject({ "inside/x": "" });
    const linked = makeProject();
    symlinkSync(join(root, "inside"), join(linked, "state"));
    const key = openIn(linked, root);
    expect(key.make()).toBeUndefined();
    expect(key.problem).toContain("it would be inside the project");
  });

  test("causes a refusal if its folder can't be created", () => {
    const home = makeProject({ state: "a file" });
    const key = openIn(home);
    expect(key.make()).toBeUndefined();
    expect(key.problem).toMatch(/E(?:NOTDIR|EXIST)/);
  });

  // Root may write anywhere, so there is nothing to see for it.
  test.skipIf(process.getuid?.() === 0)("causes a refusal if its folder can't be written", () => {
    const home = makeProject();
    mkdirSync(join(home, "state"));
    chmodSync(join(home, "state"), 0o555);
    const key = openIn(home);
    expect(key.make()).toBeUndefined();
    expect(key.problem).toContain("EACCES");
    chmodSync(join(home, "state"), 0o755);
  });
});
