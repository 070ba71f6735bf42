import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { notesProject, type Operation, type Params } from "./support.js";

const operations: readonly (readonly [Operation, Params])[] = [
  ["read", {}],
  ["list", {}],
  ["stat", {}],
  ["write", { text: "changed", overwrite: true, create: true }],
  ["append", { text: "changed" }],
  ["move", { to: "notes/taken" }],
  ["delete", {}],
  ["patch", { patch: "@@ -1 +1 @@\n-secret\n+changed\n" }],
];

describe.each(operations)("the operation %s", (operation, params) => {
  test.each([
    ["an absolute path", () => "/etc/hostname"],
    ["`..`", () => "notes/../outside/secret"],
    ["a folder with the same beginning", () => "notes-of-others/secret"],
    ["a link to a file", () => "notes/link"],
    ["a link to a folder", () => "notes/folder/secret"],
    ["/proc/self/root", (directory: string) => `/proc/self/root${directory}/outside/secret`],
    ["/proc/self/cwd", () => "/proc/self/cwd/package.json"],
    ["a NUL", () => "notes/a\0b"],
    ["half of a surrogate pair", () => "notes/\ud800"],
    ["an empty path", () => ""],
  ])("rejects %s", async (_, path) => {
    const { directory, errorOf, names, put } = notesProject();
    put("outside/secret", "secret\n");
    put("notes-of-others/secret", "secret\n");
    symlinkSync("../outside/secret", join(directory, "notes/link"));
    symlinkSync("../outside", join(directory, "notes/folder"));
    const error = await errorOf(operation, { ...params, path: path(directory) });
    expect(error.failure.code).toBe("SCHEMA.VALIDATION_FAILED");
    expect(error.message).not.toContain("secret\n");
    expect(names("outside")).toEqual(["secret"]);
    expect(readFileSync(join(directory, "outside/secret"), "utf8")).toBe("secret\n");
    expect(existsSync(join(directory, "notes/taken"))).toBe(false);
  });

  test("answers without waiting for a FIFO, and leaves it", async () => {
    const { call, directory, names } = notesProject();
    execFileSync("mkfifo", [join(directory, "notes/fifo")]);
    const result = await call(operation, { ...params, path: "notes/fifo" });
    const expected = operation === "stat" ? { data: { kind: "other" } } : { status: "wrong_kind" };
    expect(result).toMatchObject(expected);
    expect(names()).toEqual(["fifo"]);
  });
});

test("a move out of the allowed folders is rejected", async () => {
  const { errorOf, names, put } = notesProject();
  put("notes/a", "a");
  await errorOf("move", { path: "notes/a", to: "outside/a", create: true });
  expect(names()).toEqual(["a"]);
});

test("`files.folders` of skillc.yaml bounds the allowed folders", async () => {
  const { call, errorOf, put } = notesProject();
  put("notes/open/a", "a");
  put("notes/a", "a");
  const contract = { within: ["notes/open"] };
  expect(await call("read", { path: "notes/open/a" }, { contract })).toMatchObject({
    status: "success",
  });
  await errorOf("read", { path: "notes/a" }, { contract });
});

describe("the project's own files", () => {
  const contract = { allowed: ["."] };
  const own = "credentials or records of the project";
  const rollback = { strategy: "none", reason: "nobody undoes it" } as const;

  test.each(operations)("the operation %s reaches none of them", async (operation, params) => {
    const { errorOf, put, textOf } = notesProject();
    put(".env", "secret\n");
    put(".skillc/approvals/a.json", "secret\n");
    for (const path of [".env", ".skillc/approvals/a.json", "notes/../.env"]) {
      const error = await errorOf(operation, { ...params, path }, { contract, rollback });
      expect(error.message).toContain(own);
    }
    expect(textOf(".env") + textOf(".skillc/approvals/a.json")).toBe("secret\nsecret\n");
  });

  test("a list leaves them out at every depth", async () => {
    const { call, directory, put } = notesProject();
    put(".env", "secret\n");
    put(".skillc/approvals/a.json", "secret\n");
    put("notes/.env", "of the notes\n");
    symlinkSync("notes/.env", join(directory, "link"));
    const listed = await call("list", { path: ".", depth: 9 }, { contract });
    expect(listed).toMatchObject({
      data: [{ path: "link" }, { path: "notes" }, { path: "notes/.env" }],
    });
    const downloads = { allowed: [".skillc/approvals"] };
    expect(
      await call("list", { path: ".skillc/approvals" }, { contract: downloads }),
    ).toMatchObject({ data: [{ path: ".skillc/approvals/a.json" }] });
  });

  test("a link to them leads nowhere, and none of them is created", async () => {
    const { directory, errorOf, put } = notesProject();
    put("settings/own.env", "secret\n");
    symlinkSync("settings/own.env", join(directory, ".env"));
    const read = await errorOf("read", { path: "settings/own.env" }, { contract });
    expect(read.message).toContain(own);
    const params = { path: ".skillc/approvals/a.json", text: "forged", create: true };
    await errorOf("write", params, { contract, rollback });
    expect(existsSync(join(directory, ".skillc"))).toBe(false);
  });

  test("a folder of downloads can be allowed by its name", async () => {
    const { call, put } = notesProject();
    put(".skillc/downloads/a", "a");
    const downloads = { allowed: [".skillc/downloads"] };
    expect(
      await call("read", { path: ".skillc/downloads/a" }, { contract: downloads }),
    ).toMatchObject({ status: "success" });
  });
});

test("a replaced file with a second hard link leaves the other name's content", async () => {
  const { call, directory, put, textOf } = notesProject();
  put("outside/a", "old");
  linkSync(join(directory, "outside/a"), join(directory, "notes/a"));
  await call("write", { path: "notes/a", text: "new", overwrite: true });
  expect(textOf("notes/a")).toBe("new");
  expect(textOf("outside/a")).toBe("old");
});

/** Exchanges a folder for a link to another folder, again and again, until it is killed. */
const swapper = `
const fs = require("node:fs");
const [real, away, target] = process.argv.slice(1);
process.stdout.write("ready");
for (;;) {
  try { fs.renameSync(real, away); fs.symlinkSync(target, real); } catch {}
  try { fs.unlinkSync(real); } catch {}
  try { fs.renameSync(away, real); } catch {}
}`;

test("no write and no read gets out while a folder is swapped for a link", async () => {
  const { call, directory, names, put, textOf } = notesProject();
  mkdirSync(join(directory, "notes/inner"));
  writeFileSync(join(directory, "notes/inner/a"), "inside");
  put("outside/a", "secret");
  const place = (name: string): string => join(directory, name);
  const child = spawn(process.execPath, [
    "-e",
    swapper,
    place("notes/inner"),
    place("notes/away"),
    place("outside"),
  ]);
  try {
    await once(child.stdout, "data");
    for (let round = 0; round < 300; round += 1) {
      const read = await call("read", { path: "notes/inner/a" }).catch(() => undefined);
      expect(JSON.stringify(read ?? null)).not.toContain("secret");
      const params = { path: `notes/inner/b${round}`, text: "x" };
      await call("write", params).catch(() => undefined);
      await call("delete", { path: "notes/inner/a" }).catch(() => undefined);
      await call("write", { path: "notes/inner/a", text: "inside" }).catch(() => undefined);
    }
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  expect(names("outside")).toEqual(["a"]);
  expect(textOf("outside/a")).toBe("secret");
});
