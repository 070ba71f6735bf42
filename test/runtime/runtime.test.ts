import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callTool } from "../../src/runtime/call/call-tool.js";
import type { LedgerCall } from "../../src/runtime/ledger/ledger-call.js";
import { createMemoryLedger } from "../../src/runtime/ledger/memory-store.js";
import {
  configure,
  createRuntime,
  defaultRuntime,
  type LedgerQuery,
  queryLedger,
  setDefaultRuntime,
  verifyLedger,
} from "../../src/runtime/runtime.js";
import { shutdown } from "../../src/runtime/shutdown.js";
import { exampleTool, succeed } from "./example-tool.js";

let folder: string;
const home = process.cwd();

// Every default is relative to the working directory.
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "skillc-runtime-")));
  process.chdir(folder);
});

afterEach(async () => {
  await configure({ ledger: false }).close();
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

const read = exampleTool(succeed, { effect: "read" });
const write = exampleTool(succeed);
const opens = exampleTool(
  async (attempt) => ({ result: { status: "success", data: attempt.open("TOKEN") } }),
  { credentials: ["TOKEN"] },
);

const succeeded = { status: "success" };

async function listed(query: LedgerQuery = {}): Promise<readonly LedgerCall[]> {
  const calls: LedgerCall[] = [];
  for await (const call of queryLedger(query)) calls.push(call);
  return calls;
}

describe("the default runtime", () => {
  beforeEach(() => void configure({}));

  test("reads credentials from .env in the working directory, and keeps calls in .skillc/ledger", async () => {
    writeFileSync(".env", "TOKEN=from-dotenv\n");
    expect(await callTool(opens, { id: "a" })).toEqual({ status: "success", data: "from-dotenv" });
    expect(readdirSync(".skillc/ledger")).toHaveLength(1);
    expect(await listed()).toMatchObject([{ tool: "do-it", status: "success", effect: "write" }]);
  });

  test("creates no file before the first call", () => {
    defaultRuntime();
    expect(existsSync(".skillc")).toBe(false);
  });

  test("reads the process environment at the time of the call", async () => {
    process.env["TOKEN"] = "from-process";
    try {
      expect(await callTool(opens, { id: "a" })).toMatchObject({ data: "from-process" });
    } finally {
      delete process.env["TOKEN"];
    }
  });
});

describe("a runtime that is set for calls that name none", () => {
  test("leaves the previous runtime unchanged, which can be set again", async () => {
    const before = configure({});
    await callTool(write, { id: "a" });
    const fake = createRuntime({ ledger: false });
    setDefaultRuntime(fake);
    expect(defaultRuntime()).toBe(fake);
    setDefaultRuntime(before);
    expect(await callTool(write, { id: "b" })).toMatchObject(succeeded);
    expect((await listed()).map((call) => call.parameters)).toEqual([{ id: "b" }, { id: "a" }]);
  });

  test("the default runtime is closed by `shutdown` together with the configured one", async () => {
    configure({ ledger: { directory: "configured" } });
    await callTool(write, { id: "a" });
    setDefaultRuntime(createRuntime({ ledger: { directory: "set" } }));
    await callTool(write, { id: "b" });
    await shutdown();
    for (const directory of ["configured", "set"])
      expect(await verifyLedger({ directory })).toMatchObject({ writers: [{ state: "closed" }] });
  });
});

describe("configure", () => {
  test("keeps the ledger for the outcome of a write that runs during a second call of `configure`", async () => {
    configure({});
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const slow = exampleTool(async () => {
      await answered;
      return { result: { status: "success", data: "done" } };
    });
    const call = callTool(slow, { id: "a" });
    configure({ ledger: false });
    answer();
    expect(await call).toMatchObject({ data: "done" });
    expect(await listed()).toMatchObject([{ tool: "do-it", status: "success" }]);
  });

  test("sets the runtime of calls that name none, and leaves those that name one", async () => {
    const [configured, own] = [createMemoryLedger(), createMemoryLedger()];
    configure({ ledger: configured, credentials: { TOKEN: "configured" } });
    const runtime = createRuntime({ ledger: own, credentials: { TOKEN: "own" }, inherit: false });
    expect(await callTool(opens, { id: "a" })).toMatchObject({ data: "configured" });
    expect(await callTool(opens, { id: "a" }, { runtime })).toMatchObject({ data: "own" });
    expect([configured.records.length, own.records.length]).toEqual([2, 2]);
    expect(defaultRuntime()).not.toBe(runtime);
  });

  test("replaces the previous runtime, whose records are kept", async () => {
    const before = configure({ credentials: { TOKEN: "before" } });
    await callTool(read, { id: "a" });
    configure({ credentials: { TOKEN: "after" } });
    expect(await callTool(opens, { id: "b" })).toMatchObject({ data: "after" });
    await before.close();
    expect((await listed()).map((call) => call.parameters)).toEqual([{ id: "b" }, { id: "a" }]);
  });

  test("closes no runtime that the application created", async () => {
    const own = createRuntime();
    setDefaultRuntime(own);
    configure({ ledger: false });
    expect(await callTool(write, { id: "a" }, { runtime: own })).toMatchObject(succeeded);
    await own.close();
  });

  test("reads .env and skillc.yaml from its folder, and keeps the ledger there", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "skillc-elsewhere-"));
    writeFileSync(join(elsewhere, "skillc.yaml"), "secrets: { TOKEN: from-yaml }\n");
    const runtime = configure({ directory: elsewhere });
    expect(await callTool(opens, { id: "a" })).toMatchObject({ data: "from-yaml" });
    await runtime.close();
    expect(existsSync(".skillc")).toBe(false);
    expect(await listed({ directory: join(elsewhere, ".skillc/ledger") })).toHaveLength(1);
    rmSync(elsewhere, { recursive: true });
  });

  test("keeps no ledger if it is set to none", async () => {
    configure({ ledger: false });
    await callTool(write, { id: "a" });
    expect(existsSync(".skillc")).toBe(false);
  });

  test("uses its options for the default ledger", async () => {
    const runtime = configure({ ledger: { directory: "kept/here", durability: "disk" } });
    await callTool(write, { id: "a" });
    expect(await listed({ directory: "kept/here" })).toHaveLength(1);
    await runtime.close();
    expect(await verifyLedger({ directory: "kept/here" })).toMatchObject({
      records: 2,
      problems: [],
      writers: [{ state: "closed" }],
    });
  });
});

describe("queryLedger", () => {
  test("finds reads of this process that are still held back", async () => {
    configure({});
    await callTool(write, { id: "first" });
    for (let at = 0; at < 5; at += 1) await callTool(read, { id: `${at}` });
    expect(await listed({ limit: 2 })).toMatchObject([
      { parameters: { id: "4" } },
      { parameters: { id: "3" } },
    ]);
  });

  test("filters, and goes on from a cursor", async () => {
    configure({});
    for (let at = 0; at < 4; at += 1) await callTool(write, { id: `${at}` });
    await callTool(write, { id: "shadow" }, { mode: "shadow" });
    expect(await listed({ mode: "shadow" })).toMatchObject([{ status: "shadow" }]);
    const [newest] = await listed({ mode: "active", limit: 1 });
    const older = await listed({ mode: "active", cursor: newest?.cursor ?? "" });
    expect(older.map((call) => call.parameters)).toEqual([{ id: "2" }, { id: "1" }, { id: "0" }]);
  });

  test("rejects an invalid cursor, time or limit", async () => {
    configure({});
    await expect(listed({ cursor: "nonsense" })).rejects.toThrow(RangeError);
    await expect(listed({ since: "yesterday-ish" })).rejects.toThrow(RangeError);
    await expect(listed({ limit: -1 })).rejects.toThrow(RangeError);
  });
});

describe("shutdown", () => {
  test("writes buffered records of the ledger and closes its file", async () => {
    configure({});
    await callTool(write, { id: "a" });
    await callTool(read, { id: "b" });
    await shutdown();
    expect(await verifyLedger()).toMatchObject({
      records: 3,
      problems: [],
      unknownOutcomes: [],
      writers: [{ state: "closed" }],
    });
  });

  test("may be called twice or with nothing to close", async () => {
    configure({});
    await expect(shutdown()).resolves.toBeUndefined();
    await expect(shutdown()).resolves.toBeUndefined();
  });

  test("a write after shutdown is not sent, because its record could not be kept", async () => {
    configure({});
    await shutdown();
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    await expect(callTool(write, { id: "a" })).rejects.toMatchObject({
      failure: { code: "UNKNOWN.INTERNAL", reason: "ledger-unavailable" },
    });
    expect(warned.mock.calls[0]?.[0]).toContain("desk/do-it");
    warned.mockRestore();
  });
});

test("met prerequisites are remembered for one runtime, and not for another", async () => {
  const env: Record<string, string> = { NEEDED: "x" };
  const tool = exampleTool(succeed, { effect: "read", prerequisites: { env: ["NEEDED"] } });
  const one = createRuntime({ ledger: false, env });
  expect(await callTool(tool, { id: "a" }, { runtime: one })).toMatchObject({ status: "success" });
  delete env["NEEDED"];
  expect(await callTool(tool, { id: "a" }, { runtime: one })).toMatchObject({ status: "success" });
  const other = createRuntime({ ledger: false, env });
  await expect(callTool(tool, { id: "a" }, { runtime: other })).rejects.toMatchObject({
    code: "POLICY.DENY_TOOL",
  });
});

test("createRuntime rejects a misspelt mode, which would send calls that should only be recorded", () => {
  for (const mode of ["Shadow", "", "shadow "])
    expect(() => createRuntime({ mode: mode as never })).toThrow('`mode` must be "active" or');
});
