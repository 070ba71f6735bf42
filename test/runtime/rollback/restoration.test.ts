/** Undoing a call by copies of the files that it changed. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTemporary } from "../../../src/runtime/files/temporary-folders.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { rollbackCall } from "../../../src/runtime/rollback/rollback-call.js";
import { rollbackTrace } from "../../../src/runtime/rollback/rollback-trace.js";
import type { RollbackOptions } from "../../../src/runtime/rollback/rollback-options.js";
import { exampleTool } from "../example-tool.js";
import { temporaryDirectory } from "../ledger/fixtures.js";
import { type DeskSetting, openDesk } from "./desk.js";

/** A desk whose tool `create` writes a note, and a second file beside it. */
function notes(setting: DeskSetting = {}, directory = temporaryDirectory()) {
  const at = (name: string) => join(directory, "notes", name);
  mkdirSync(join(directory, "notes"), { recursive: true });
  const create = exampleTool(
    async ({ keeper }, { id }) => {
      await keeper?.keep([at(id), at(`${id}.new`)]);
      writeFileSync(at(id), "changed");
      writeFileSync(at(`${id}.new`), "new");
      await keeper?.left();
      return { result: { status: "success", data: { id } } };
    },
    { name: "create", rollback: { strategy: "backup" } },
  );
  const desk = openDesk({
    ...setting,
    contracts: { ...setting.contracts, create: { ...create, ...setting.contracts?.create } },
    runtime: {
      directory,
      ledger: createFileLedger({ directory: join(directory, "ledger") }),
      ...setting.runtime,
    },
  });
  return {
    desk,
    directory,
    at,
    read: (name: string) => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : undefined),
    undo: (id: string, options: RollbackOptions = {}) =>
      rollbackCall(desk.tools, id, { runtime: desk.runtime, ...options }),
  };
}

describe("rollbackCall", () => {
  test("restores files, and the files before the restore if that is undone", async () => {
    const { at, desk, read, undo } = notes();
    writeFileSync(at("a"), "old");
    const { id, rollback } = await desk.call("create", "a");
    expect(rollback).toMatchObject({ strategy: "backup", bytes: 3 });
    const result = await undo(id);
    expect(result).toMatchObject({
      status: "rolled_back",
      strategy: "backup",
      changes: [
        { path: "notes/a", change: "restored" },
        { path: "notes/a.new", change: "removed" },
      ],
    });
    expect([read("a"), read("a.new")]).toEqual(["old", undefined]);
    const [made] = await desk.calls();
    expect(made).toMatchObject({
      tool: "create",
      status: "rolled_back",
      parameters: { id: "a" },
      rollbackOf: id,
      undone: true,
      result: '{"status":"rolled_back","data":{"created":0,"restored":1,"removed":1}}',
    });
    await expect(undo(id)).rejects.toMatchObject({ failure: { reason: "rolled-back" } });
    expect(await undo(made?.id ?? "")).toMatchObject({ status: "rolled_back" });
    expect([read("a"), read("a.new")]).toEqual(["changed", "new"]);
  });

  test("stops if a file has changed since, and restores it by force", async () => {
    const { at, desk, read, undo } = notes();
    const { id } = await desk.call("create", "a");
    writeFileSync(at("a"), "somebody's work");
    await expect(undo(id)).rejects.toMatchObject({
      code: "ROLLBACK.REFUSED",
      outcome: "not-done",
      failure: { reason: "conflict", differences: [{ path: "notes/a" }] },
    });
    expect([read("a"), read("a.new")]).toEqual(["somebody's work", "new"]);
    await undo(id, { force: { because: "ada wants it back" } });
    expect([read("a"), read("a.new")]).toEqual([undefined, undefined]);
    const [made] = await desk.calls();
    expect(made).toMatchObject({ forced: "ada wants it back" });
    await undo(made?.id ?? "");
    expect(read("a")).toBe("somebody's work");
  });

  test("restores one file, and the call may still be undone as a whole", async () => {
    const { desk, read, undo } = notes();
    const { id } = await desk.call("create", "a");
    await undo(id, { paths: ["notes/a.new"] });
    expect([read("a"), read("a.new")]).toEqual(["changed", undefined]);
    const [part] = await desk.calls();
    expect(part?.rollbackOf).toBe(id);
    expect(part).not.toHaveProperty("undone");
    const force = { because: "one file was restored before" };
    expect(await undo(id, { force })).toMatchObject({ status: "rolled_back" });
    expect([read("a"), read("a.new")]).toEqual([undefined, undefined]);
  });

  test("a dry run lists the files, and changes and records nothing", async () => {
    const { desk, read, undo } = notes({ policy: {} });
    const { id } = await desk.call("create", "a");
    expect(await undo(id, { dryRun: true })).toMatchObject({
      status: "would_roll_back",
      allow: true,
      changes: [{ path: "notes/a" }, { path: "notes/a.new" }],
    });
    expect([read("a"), read("a.new")]).toEqual(["changed", "new"]);
    expect(await desk.calls()).toHaveLength(1);
  });

  test("a shadow runtime restores nothing, and records the call", async () => {
    const first = notes();
    const { id } = await first.desk.call("create", "a");
    const shadow = notes({ runtime: { mode: "shadow" } }, first.directory);
    expect(await shadow.undo(id)).toMatchObject({
      status: "not_rolled_back",
      answer: { status: "shadow", request: { restores: 2 } },
    });
    expect(first.read("a")).toBe("changed");
    expect(await first.undo(id)).toMatchObject({ status: "rolled_back" });
  });

  test("governance denies, and no file is restored", async () => {
    const { desk, read, undo } = notes({ policy: { create: { scopes: ["notes"] } } });
    const caller = { subject: "ada", scopes: ["notes"] };
    const { id } = await desk.call("create", "a", { caller });
    await expect(undo(id, { caller: { subject: "eve" } })).rejects.toMatchObject({
      code: "AUTH.FORBIDDEN",
    });
    expect(read("a")).toBe("changed");
    expect((await desk.calls())[0]).toMatchObject({ status: "denied", rollbackOf: id });
    await undo(id, { caller });
    expect(read("a")).toBeUndefined();
  });

  test("removed copies are reported", async () => {
    const { desk, directory, undo } = notes();
    const { id } = await desk.call("create", "a");
    rmSync(join(directory, ".skillc/backups"), { recursive: true });
    await expect(undo(id)).rejects.toMatchObject({ failure: { reason: "not-kept" } });
  });

  test("only one of two rollbacks at the same time is made", async () => {
    const { desk, directory, undo } = notes();
    const { id } = await desk.call("create", "a");
    const other = notes({}, directory);
    const ends = await Promise.allSettled([undo(id), other.undo(id), undo(id)]);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("an abort before the first change restores nothing", async () => {
    const { desk, read, undo } = notes();
    const { id } = await desk.call("create", "a");
    await expect(undo(id, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      failure: { reason: "aborted" },
    });
    expect(read("a")).toBe("changed");
  });
});

test("rollbackTrace restores the files of several calls, the newest first", async () => {
  const { at, desk, read } = notes();
  writeFileSync(at("a"), "old");
  const trace = "t-1";
  await desk.call("create", "a", { trace });
  await desk.call("create", "a", { trace });
  const result = await rollbackTrace(desk.tools, trace, { runtime: desk.runtime });
  expect(result).toMatchObject({ status: "rolled_back", results: [{}, {}] });
  expect([read("a"), read("a.new")]).toEqual(["old", undefined]);
});

test("rollbackTrace passes over a call that changed only a temporary folder", async () => {
  const { at, desk, read } = notes();
  const trace = "t-1";
  const { path } = createTemporary({ key: "0".repeat(32) }, 4096);
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  // The calls name their files relative to `notes`.
  const inFolder = relative(at("."), join(path, "b"));
  await desk.call("create", "a", { trace });
  const { rollback } = await desk.call("create", inFolder, { trace });
  expect(rollback).toMatchObject({ strategy: "backup", paths: 0 });
  rmSync(path, { recursive: true });
  const result = await rollbackTrace(desk.tools, trace, { runtime: desk.runtime });
  expect(result).toMatchObject({ status: "rolled_back", results: [{}, {}] });
  expect([read("a"), existsSync(path)]).toEqual([undefined, false]);
});

test("rollbackTrace passes over a write that changed no file", async () => {
  const refused = { status: "rate_limited", error: null } as const;
  const unchanging = exampleTool(() => Promise.resolve({ result: refused }), {
    name: "reopen",
    rollback: { strategy: "backup" },
  });
  const { at, desk, read, undo } = notes({ contracts: { reopen: unchanging } });
  writeFileSync(at("a"), "old");
  const trace = "t-1";
  await desk.call("create", "a", { trace });
  const { id, rollback } = await desk.call("reopen", "a", { trace });
  expect(rollback).toEqual({ strategy: "unchanged" });
  await expect(undo(id)).rejects.toMatchObject({ failure: { reason: "not-made" } });
  const result = await rollbackTrace(desk.tools, trace, { runtime: desk.runtime });
  expect(result).toMatchObject({ status: "rolled_back", results: [{}] });
  expect(read("a")).toBe("old");
});
