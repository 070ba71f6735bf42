/** Rollbacks in spite of changed ledgers, missing attachments and other keys. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseRecord } from "../../../src/runtime/ledger/chain/chain-record.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import type { Governance } from "../../../src/runtime/governance/governance.js";
import { rollbackCall } from "../../../src/runtime/rollback/rollback-call.js";
import { endRecord, temporaryDirectory } from "../ledger/fixtures.js";
import { type Desk, openDesk } from "./desk.js";

const masked = { maskedParams: [["id"]] };

function fileDesk(setting: Parameters<typeof openDesk>[0] = {}) {
  const directory = temporaryDirectory();
  const ledger = createFileLedger({ directory: join(directory, "ledger") });
  const desk = openDesk({ ...setting, runtime: { directory, ledger } });
  /** Opens the ledger anew, as another process does. */
  const reopened = (more: Parameters<typeof openDesk>[0] = {}) =>
    openDesk({
      ...setting,
      ...more,
      done: desk.done,
      runtime: { directory, ledger: createFileLedger({ directory: join(directory, "ledger") }) },
    });
  return { desk, directory: join(directory, "ledger"), reopened };
}

/** Replaces text in every file of the ledger. */
function rewrite(directory: string, from: string, to: string): void {
  for (const name of readdirSync(directory)) {
    if (!name.endsWith(".jsonl")) continue;
    const path = join(directory, name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(from, to));
  }
}

function undo({ runtime, tools }: Desk, id: string, options = {}) {
  return rollbackCall(tools, id, { runtime, ...options });
}

describe("a changed ledger", () => {
  test("nobody rolls back with it, unless a person forces the rollback", async () => {
    const { desk, directory, reopened } = fileDesk();
    const { id } = await desk.call("create", "mine");
    await desk.runtime.close();
    rewrite(directory, "mine", "your");
    const other = reopened();
    await expect(undo(other, id)).rejects.toMatchObject({ failure: { reason: "changed-ledger" } });
    expect(desk.done).toEqual(["create mine"]);
    await undo(other, id, { force: { because: "ada restored the ledger by hand" } });
    expect(desk.done).toEqual(["create mine", "cancel your"]);
  });

  test.each([
    { strategy: "magic" },
    { strategy: "none" },
    { strategy: "compensate", tool: "desk/cancel" },
    { strategy: "compensate", tool: 1, parameters: { json: "{}" } },
    { strategy: "compensate", tool: "desk/cancel", parameters: { json: 1 } },
    { strategy: "compensate", tool: "desk/cancel", parameters: { sealed: {} } },
    { strategy: "backup", paths: -1, bytes: 0, sha256: "" },
    [],
    "undo",
    null,
  ])("a record with the way back %j is no record", (rollback) => {
    const record = { ...endRecord({}), rollback };
    expect(parseRecord(JSON.stringify(record))).toBeUndefined();
    expect(parseRecord(JSON.stringify({ ...record, rollback: undefined }))).toBeDefined();
  });

  test("parameters that are no JSON are refused, even by force", async () => {
    const { desk, directory, reopened } = fileDesk();
    const { id } = await desk.call("create", "mine");
    await desk.runtime.close();
    rewrite(directory, String.raw`{\"id\":\"mine\"}`, "{]");
    const force = { because: "ada says so" };
    await expect(undo(reopened(), id, { force })).rejects.toMatchObject({
      failure: { reason: "not-kept" },
    });
  });
});

describe("sealed parameters", () => {
  test("nothing opens them without their attachment and their key", async () => {
    const contracts = { create: masked, cancel: masked };
    const { desk, directory, reopened } = fileDesk({ contracts, policy: {} });
    const { id } = await desk.call("create", "4711");
    await desk.runtime.close();
    const another = reopened({ governance: { key: Buffer.alloc(32, 8) } });
    const failure = { reason: "not-kept" };
    await expect(undo(another, id)).rejects.toMatchObject({
      failure,
      message: expect.stringContaining("another `key`") as string,
    });
    rmSync(join(directory, "attachments"), { recursive: true });
    await expect(undo(reopened(), id)).rejects.toMatchObject({
      failure,
      message: expect.stringContaining("not in this ledger") as string,
    });
    expect(desk.done).toEqual(["create 4711"]);
  });

  test("no error and no record shows them", async () => {
    const contracts = { create: masked };
    const { desk, directory } = fileDesk({ contracts, policy: { cancel: { scopes: ["x"] } } });
    const { id } = await desk.call("create", "secret-4711");
    const error: unknown = await undo(desk, id).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "AUTH.FORBIDDEN" });
    expect(String(error)).not.toContain("4711");
    await desk.runtime.close();
    const ledger = readdirSync(directory)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => readFileSync(join(directory, name), "utf8"));
    expect(ledger.join("").includes(String.raw`"id\":\"secret-4711`)).toBe(false);
  });
});

test("a rollback needs governance's store, and is refused without it", async () => {
  const { desk } = fileDesk({ policy: {} });
  const { id } = await desk.call("create");
  const { governance: own } = desk.runtime;
  const failing = {
    ...own,
    store: {
      ...own?.store,
      lease: () => {
        throw new Error("away");
      },
    },
  };
  const runtime = { ...desk.runtime, governance: failing as Governance };
  await expect(rollbackCall(desk.tools, id, { runtime })).rejects.toMatchObject({
    failure: { reason: "store-unavailable" },
  });
  expect(desk.done).toEqual(["create a"]);
  expect(await undo(desk, id)).toMatchObject({ status: "rolled_back" });
});
