import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { restoreBackup } from "../../../../src/runtime/rollback/backups/restore-backup.js";
import type { CallOptions } from "../../../../src/runtime/call/call-options.js";
import { takeLock } from "../../../../src/runtime/files/lock-file.js";
import { lockNameOf } from "../../../../src/runtime/files/names-beside.js";
import { maxTemporaryBytes, removeAtEnd } from "../../../../src/runtime/files/temporary-folders.js";
import { createMemoryStore, governance } from "../../../../src/runtime/governance/index.js";
import { policyOf } from "../../../runtime/governance/governed.js";
import { stopClock } from "../../../support/stopped-clock.js";
import { notesProject, type Operation, type Params } from "./support.js";

/** Folder for the temporary files of one test, so that no other test changes it. */
let files = "";

beforeEach(() => {
  files = realpathSync(mkdtempSync(join(tmpdir(), "skillc-tmp-")));
  vi.stubEnv("TMPDIR", files);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(files, { recursive: true, force: true });
  });
});

const root = () => join(files, `skillc-temporary-${process.getuid?.() ?? 0}`);
const trace = "t1";
const hourMs = 3_600_000;

function setUp() {
  const project = notesProject();
  const make = async (params: Params = {}, options: CallOptions = { trace }) => {
    const made = await project.call("temporary", params, options);
    return (made as unknown as { data: { path: string; size_bytes: number; expires: string } })
      .data;
  };
  const use = (operation: Operation, params: Params, options: CallOptions = { trace }) =>
    project.call(operation, params, { contract: { temporary: true }, ...options });
  const refusal = (operation: Operation, params: Params, options: CallOptions = { trace }) =>
    project.errorOf(operation, params, { contract: { temporary: true }, ...options });
  return { ...project, make, refusal, use };
}

test("makes an empty private folder, whose path other calls of the trace use", async () => {
  const { make, use } = setUp();
  stopClock();
  const { expires, path, size_bytes } = await make({ size: 100_000 });
  expect({ size_bytes, entries: readdirSync(path) }).toEqual({ size_bytes: 100_000, entries: [] });
  expect(dirname(path)).toBe(root());
  expect(Date.parse(expires)).toBe(Date.now() + 3_600_000);
  expect(await use("write", { path: `${path}/a.txt`, text: "hello" })).toMatchObject({
    status: "success",
    data: { path: `${path}/a.txt`, bytes: 5 },
  });
  expect(await use("read", { path: `${path}/a.txt` })).toMatchObject({ data: { text: "hello" } });
  expect(await use("list", { path })).toMatchObject({ data: [{ path: `${path}/a.txt` }] });
  expect(await use("stat", { path })).toMatchObject({ data: { kind: "folder" } });
});

test("makes a folder of 16 MiB if the call names no size", async () => {
  const { make } = setUp();
  expect((await make()).size_bytes).toBe(16 * 1024 ** 2);
});

test("rejects a path in a temporary folder for a tool without `{temporary}`", async () => {
  const { call, errorOf, make } = setUp();
  const { path } = await make();
  const params = { path: `${path}/a.txt`, text: "hello" };
  expect(await errorOf("write", params, { trace })).toMatchObject({
    failure: { code: "SCHEMA.VALIDATION_FAILED" },
  });
  expect(existsSync(`${path}/a.txt`)).toBe(false);
  expect(await call("list", { path: "notes" }, { trace })).toMatchObject({ data: [] });
});

test.each<readonly [string, CallOptions]>([
  ["another trace", { trace: "t2" }],
  ["no trace", {}],
  ["another subject", { trace, caller: { subject: "eve" } }],
  ["another tenant", { trace, caller: { tenant: "acme" } }],
  ["a parent", { trace, parent: "t1" }],
])("rejects a path in the temporary folder for a call with %s", async (_, options) => {
  const { make, refusal } = setUp();
  const { path } = await make();
  writeFileSync(join(path, "a.txt"), "mine");
  expect(await refusal("read", { path: `${path}/a.txt` }, options)).toMatchObject({
    failure: { code: "SCHEMA.VALIDATION_FAILED" },
  });
});

test("rejects a path in the temporary folder of another project", async () => {
  const { make } = setUp();
  const other = setUp();
  const { path } = await make();
  writeFileSync(join(path, "a.txt"), "mine");
  expect(await other.refusal("read", { path: `${path}/a.txt` })).toMatchObject({
    failure: { code: "SCHEMA.VALIDATION_FAILED" },
  });
});

test("follows no link out of a temporary folder, and none into it", async () => {
  const { directory, make, put, refusal } = setUp();
  const secret = put("secret.txt", "secret");
  const { path } = await make();
  symlinkSync(secret, join(path, "link"));
  expect(await refusal("read", { path: `${path}/link` })).toMatchObject({
    failure: { code: "SCHEMA.VALIDATION_FAILED" },
  });
  renameSync(path, `${path}.old`);
  symlinkSync(directory, path);
  expect(await refusal("read", { path: `${path}/secret.txt` })).toMatchObject({
    failure: { code: "SCHEMA.VALIDATION_FAILED" },
  });
});

test("gives each of two simultaneous calls a folder of its own, which both may use", async () => {
  const { make, use } = setUp();
  const [one, other] = await Promise.all([make(), make()]);
  expect(one.path).not.toBe(other.path);
  const written = await Promise.all(
    [one, other].map(({ path }) => use("write", { path: `${path}/a.txt`, text: "x" })),
  );
  expect(written).toMatchObject([{ status: "success" }, { status: "success" }]);
});

test.each<CallOptions>([{}, { trace: "" }, { parent: "" }])(
  "refuses a call that has neither plan nor parent nor trace: %j",
  async (options) => {
    const { errorOf } = setUp();
    expect(await errorOf("temporary", {}, options)).toMatchObject({
      failure: { code: "PROVIDER.UNAVAILABLE", reason: "NO_OWNER" },
      outcome: "not-done",
    });
  },
);

test.each([-1, 1.5, Number.NaN, Infinity, maxTemporaryBytes + 1, 2 ** 60])(
  "rejects the size %s",
  async (size) => {
    const { errorOf } = setUp();
    expect(await errorOf("temporary", { size }, { trace })).toMatchObject({
      failure: { code: "SCHEMA.VALIDATION_FAILED" },
    });
    expect(existsSync(root())).toBe(false);
  },
);

test("limits the folders of one trace together", async () => {
  const { errorOf, make } = setUp();
  await make({ size: maxTemporaryBytes - 4096 });
  await make({ size: 1 });
  expect(await errorOf("temporary", { size: 1 }, { trace })).toMatchObject({
    failure: { reason: "TEMPORARY_FULL" },
  });
  expect(await make({ size: 1 }, { trace: "t2" })).toMatchObject({ size_bytes: 4096 });
});

test("refuses changes with which a folder would be larger than its size", async () => {
  const { make, put, refusal, use } = setUp();
  const { path } = await make({ size: 20_000 });
  const text = "x".repeat(12_000);
  expect(await use("write", { path: `${path}/a`, text })).toMatchObject({ status: "success" });
  const full = { failure: { reason: "TEMPORARY_FULL" }, outcome: "not-done" };
  expect(await refusal("write", { path: `${path}/b`, text })).toMatchObject(full);
  expect(await refusal("append", { path: `${path}/a`, text })).toMatchObject(full);
  put("notes/c", text);
  expect(await refusal("move", { path: "notes/c", to: `${path}/c` })).toMatchObject(full);
  expect(readdirSync(path)).toEqual(["a"]);
  // The old content makes room for the new one.
  const whole = { path: `${path}/a`, text: "y".repeat(20_000), overwrite: true };
  expect(await use("write", whole)).toMatchObject({ status: "success" });
  expect(await use("move", { path: `${path}/a`, to: `${path}/d` })).toMatchObject({
    status: "success",
  });
  expect(await refusal("write", { path: `${path}/e`, text: "" })).toMatchObject(full);
  expect(await use("delete", { path: `${path}/d` })).toMatchObject({ status: "success" });
  expect(await use("write", { path: `${path}/e`, text })).toMatchObject({ status: "success" });
});

test("creates missing folders only if they and the file fit into the temporary folder", async () => {
  const { make, put, refusal, use } = setUp();
  const { path } = await make({ size: 4 * 4096 });
  put("notes/c", "x");
  const full = { failure: { reason: "TEMPORARY_FULL" }, outcome: "not-done" };
  const tooDeep = { path: `${path}/1/2/3/4/a`, text: "x", create: true };
  expect(await refusal("write", tooDeep)).toMatchObject(full);
  expect(await refusal("append", tooDeep)).toMatchObject(full);
  const moved = { path: "notes/c", to: `${path}/1/2/3/4/a`, create: true };
  expect(await refusal("move", moved)).toMatchObject(full);
  expect(readdirSync(path)).toEqual([]);
  await use("write", { path: `${path}/1/2/a`, text: "x", create: true });
  await use("move", { path: `${path}/1/2/a`, to: `${path}/1/3/a`, create: true });
  expect(readdirSync(path, { recursive: true }).toSorted()).toEqual(["1", "1/2", "1/3", "1/3/a"]);
});

test("does not create a folder again that was removed while a call waited", async () => {
  const { make, use } = setUp();
  const { path } = await make();
  const lock = takeLock(join(root(), lockNameOf(basename(path))));
  if (lock.kind !== "held") throw new Error("somebody has the lock");
  const writing = use("write", { path: `${path}/1/a`, text: "x", create: true });
  await new Promise((resolve) => setTimeout(resolve, 50));
  rmSync(path, { recursive: true });
  lock.release();
  expect(await writing).toMatchObject({ status: "not_found" });
  expect(readdirSync(root())).toEqual([]);
});

test("lets other tools use a folder whose mode a command has changed", async () => {
  const { errorOf, make, use } = setUp();
  const { path } = await make({ size: maxTemporaryBytes });
  chmodSync(path, 0o755);
  const written = await use("write", { path: `${path}/a`, text: "x" });
  expect(written).toMatchObject({ status: "success" });
  expect(await errorOf("temporary", { size: 1 }, { trace })).toMatchObject({
    failure: { reason: "TEMPORARY_FULL" },
  });
});

test("removes the folders of all callers when their parent call ends", async () => {
  const { make } = setUp();
  for (const subject of ["ada", "bob"]) await make({}, { parent: "call", caller: { subject } });
  await removeAtEnd("call");
  expect(readdirSync(root())).toEqual([]);
});

test("removes a folder whose time is far away after the clock was put back", async () => {
  stopClock();
  const { make, refusal } = setUp();
  const { path } = await make();
  vi.setSystemTime(Date.now() - 3 * hourMs);
  expect(await refusal("read", { path: `${path}/a.txt` })).toMatchObject({
    failure: { code: "SCHEMA.VALIDATION_FAILED" },
  });
  const { path: next } = await make();
  expect(readdirSync(root())).toEqual([basename(next)]);
  vi.setSystemTime(Date.now() - hourMs);
  vi.advanceTimersByTime(hourMs + 1);
  while (existsSync(next)) await new Promise((resolve) => setImmediate(resolve));
});

test("keeps a folder within its size while several calls write at once", async () => {
  const { make, use } = setUp();
  const { path } = await make({ size: 5 * 4096 });
  const ended = await Promise.allSettled(
    Array.from({ length: 12 }, (_, at) => use("write", { path: `${path}/${at}`, text: "x" })),
  );
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(readdirSync(path)).toHaveLength(5);
});

test("removes a folder after an hour, and lets nobody use it from then on", async () => {
  stopClock();
  const { make, refusal, runtime } = setUp();
  const { path } = await make();
  writeFileSync(join(path, "a.txt"), "old");
  vi.setSystemTime(Date.now() + hourMs);
  expect(await refusal("read", { path: `${path}/a.txt` })).toMatchObject({
    failure: { code: "SCHEMA.VALIDATION_FAILED" },
  });
  const { path: next } = await make();
  expect(readdirSync(root())).toEqual([basename(next)]);
  vi.setSystemTime(Date.now() + hourMs);
  await runtime.close();
  expect(readdirSync(root())).toEqual([]);
});

test("removes a folder after an hour without another call", async () => {
  stopClock();
  const { make } = setUp();
  const { path } = await make();
  vi.advanceTimersByTime(hourMs + 1);
  while (existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
  expect(readdirSync(root())).toEqual([]);
});

test("removes what a killed process left, and nothing else", async () => {
  const { make } = setUp();
  const { path } = await make();
  const [key, bytes] = basename(path).split("-");
  const old = `${key}-${bytes}-1000-0123456789abcdef`;
  renameSync(path, join(root(), old));
  writeFileSync(join(root(), lockNameOf(old)), "");
  mkdirSync(join(root(), "something-else"));
  const { path: next } = await make();
  expect(readdirSync(root()).toSorted()).toEqual([basename(next), "something-else"].toSorted());
});

test.each<readonly [string, (path: string) => void]>([
  ["a link", (path) => symlinkSync(files, path)],
  ["a file", (path) => writeFileSync(path, "")],
  [
    "a folder that others may change",
    (path) => {
      mkdirSync(path);
      chmodSync(path, 0o777);
    },
  ],
])("makes no folder if %s is in the place of all folders", async (_, occupy) => {
  const { errorOf } = setUp();
  occupy(root());
  expect(await errorOf("temporary", {}, { trace })).toMatchObject({
    failure: { code: "PROVIDER.UNAVAILABLE", reason: "PLACE_TAKEN" },
  });
});

test("makes no folder if the system's folder for temporary files can't have one", async () => {
  const { errorOf } = setUp();
  writeFileSync(join(files, "file"), "");
  vi.stubEnv("TMPDIR", join(files, "file", "x"));
  expect(await errorOf("temporary", {}, { trace })).toMatchObject({
    // Versions of Node.js report different errors if a parent of a new folder is a file.
    failure: { code: "PROVIDER.UNAVAILABLE", reason: expect.stringMatching(/^(EEXIST|ENOTDIR)$/) },
  });
});

test.skipIf(process.getuid?.() !== 0)("makes no folder in that of another user", async () => {
  const { errorOf } = setUp();
  mkdirSync(root(), 0o700);
  chownSync(root(), 12_345, 12_345);
  expect(await errorOf("temporary", {}, { trace })).toMatchObject({
    failure: { reason: "PLACE_TAKEN" },
  });
  expect(readdirSync(root())).toEqual([]);
});

test("lies outside of `files.folders` without being limited by them", async () => {
  const { call, make } = setUp();
  const { path } = await make();
  const contract = { temporary: true, within: ["./notes"] } as const;
  const params = { path: `${path}/a.txt`, text: "x" };
  expect(await call("write", params, { contract, trace })).toMatchObject({ status: "success" });
  expect(readFileSync(`${path}/a.txt`, "utf8")).toBe("x");
});

test("restores what a call changed outside of the temporary folder, and nothing in it", async () => {
  const { call, directory, make } = setUp();
  const { path } = await make();
  const options = {
    contract: { temporary: true },
    rollback: { strategy: "backup" },
    trace,
  } as const;
  await call("write", { path: `${path}/a.txt`, text: "x" }, options);
  await call("move", { path: `${path}/a.txt`, to: "notes/b.txt" }, options);
  rmSync(path, { recursive: true });
  const kept = readdirSync(join(directory, ".skillc/backups/calls"));
  expect(kept).toHaveLength(2);
  for (const each of kept)
    expect(await restoreBackup({ directory, call: each, by: "back" })).toMatchObject({
      status: "restored",
    });
  expect(existsSync(join(directory, "notes/b.txt"))).toBe(false);
  expect(existsSync(path)).toBe(false);
});

function governed(operation: Operation, capabilities: readonly string[]) {
  const { tools, ...policy } = policyOf({
    manifest: "m",
    capabilities,
    effect: "write",
    risk: "low",
  });
  const [tool] = Object.values(tools);
  if (tool === undefined) throw new Error("the policy has no tool");
  return notesProject({
    governance: governance({
      policy: { ...policy, tools: { [`desk/${operation}`]: tool } },
      store: createMemoryStore(),
    }),
  });
}

test("needs the capability `tmp.use` to make a temporary folder", async () => {
  const refused = { failure: { code: "SANDBOX.CAPABILITY_BLOCKED", capability: "tmp.use" } };
  const denied = governed("temporary", ["fs.write", "fs.read"]);
  expect(await denied.errorOf("temporary", {}, { trace })).toMatchObject(refused);
  expect(existsSync(root())).toBe(false);
  const allowed = governed("temporary", ["tmp.use"]);
  expect(await allowed.call("temporary", {}, { trace })).toMatchObject({ status: "success" });
});

test("needs the capability `tmp.use` for a tool with `{temporary}`", async () => {
  const params = { path: "notes/a.txt", text: "x" };
  const options = { contract: { temporary: true }, trace } as const;
  const denied = governed("write", ["fs.write"]);
  expect(await denied.errorOf("write", params, options)).toMatchObject({
    failure: { code: "SANDBOX.CAPABILITY_BLOCKED", capability: "tmp.use" },
  });
  const allowed = governed("write", ["fs.write", "tmp.use"]);
  expect(await allowed.call("write", params, options)).toMatchObject({ status: "success" });
});
