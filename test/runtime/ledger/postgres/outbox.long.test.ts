/** Events that must not be lost: they are stored in tables with their records, and relayed from there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { governance, type ToolEvent } from "../../../../src/runtime/governance/index.js";
import { createMemoryLedger } from "../../../../src/runtime/ledger/memory-store.js";
import {
  createOutbox,
  createPostgresLedger,
  type PostgresLedger,
} from "../../../../src/runtime/ledger/postgres/index.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import { loaderArgs } from "../../../support/node-loader.js";
import { postgresService } from "../../../support/postgres.js";
import { describeWithService } from "../../../support/service.js";
import { exampleTool, succeed } from "../../example-tool.js";
import { policyOf } from "../../governance/governed.js";
import { temporaryDirectory } from "../fixtures.js";
import { callsOf, ownDatabase, postgresPlace } from "../kinds.js";
import { faultyPool } from "./faulty-pool.js";

const caller = { tenant: "acme", subject: "ada" } as const;

/** Of no call: a tool was paused. */
const stateChanged = (by: string): ToolEvent => ({
  type: "ToolStateChanged",
  envelope_id: by,
  time: "2026-07-25T10:00:00.000Z",
  tool_id: "desk/do-it",
  policy_hash: "p1",
  state: "paused",
  by,
});

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  async function governed() {
    const place = await postgresPlace(database());
    const pool = faultyPool(database().url);
    const ledger = createPostgresLedger({ pool, schema: place.schema });
    const outbox = createOutbox(ledger);
    const policy = policyOf();
    const runtime = createRuntime({
      ledger,
      env: {},
      inherit: false,
      governance: governance({ policy, events: outbox.sink }),
    });
    const call = (tool = exampleTool(succeed), id = "an argument") =>
      callTool(tool, { id }, { runtime, caller });
    return { call, ledger, outbox, place, pool, runtime };
  }

  async function taken(outbox: { relay: ReturnType<typeof createOutbox>["relay"] }) {
    const events: ToolEvent[] = [];
    await outbox.relay((each) => void events.push(...each));
    return events;
  }

  describe("events of a call", () => {
    it("events of a call are in the outbox before the call is sent and after its end, and contain no value", async () => {
      const { call, outbox, place } = await governed();
      const waiting = async () =>
        (await database().run(`SELECT event FROM ${place.table("events")}`)).length;
      let before = 0;
      const tool = exampleTool(async () => {
        before = await waiting();
        return { result: { status: "success", data: { name: "a secret name" } } };
      });
      await call(tool);
      expect({ before, after: await waiting() }).toEqual({ before: 2, after: 3 });
      const events = await taken(outbox);
      expect(events.map(({ type }) => type)).toEqual([
        "ToolRegistered",
        "ToolInvokeBegin",
        "ToolInvokeEnd",
      ]);
      expect(events[2]).toMatchObject({ tenant: "acme", state: "Completed", status: "success" });
      expect(JSON.stringify(events)).not.toMatch(/an argument|a secret name/);
      expect(await waiting()).toBe(0);
    });

    it("events of a call are written in one statement with the record of the call's end", async () => {
      const { call, pool, runtime } = await governed();
      await call();
      await runtime.close();
      const withEvents = pool.appends.filter((text) => text.includes("told AS"));
      const last = withEvents.at(-1);
      expect(last).toContain("put AS");
    });

    it("stop a write, but no read, if they can't be stored", async () => {
      const { call, ledger, outbox, pool } = await governed();
      await call();
      let sent = 0;
      const write = exampleTool(() => {
        sent += 1;
        return succeed();
      });
      // The record of its begin is taken, and the event behind it isn't.
      pool.fates.push("fine");
      const down = setTimeout(0).then(() => undefined);
      await down;
      const connect = pool.connect.bind(pool);
      let appends = pool.appends.length;
      pool.connect = async () => {
        if (pool.appends.length > appends)
          throw Object.assign(new Error("down"), { code: "ECONNREFUSED" });
        return connect();
      };
      await expect(call(write)).rejects.toMatchObject({
        failure: { code: "UNKNOWN.INTERNAL", reason: "ledger-unavailable" },
        message: "`desk/do-it` was not sent: the ledger could not keep its event",
        outcome: "not-done",
      });
      expect(sent).toBe(0);
      appends = Number.POSITIVE_INFINITY;
      const read = exampleTool(succeed, { effect: "read" });
      expect(await call(read)).toMatchObject({ status: "success" });
      await call();
      await ledger.flush();
      // What ended while the server was gone is told in the end.
      const events = await taken(outbox);
      const ends = events.filter(({ type }) => type === "ToolInvokeEnd");
      expect(ends).toHaveLength(4);
      expect((await ledger.verify()).problems).toEqual([]);
    });
  });

  describe("relaying", () => {
    async function filled(count: number) {
      const place = await postgresPlace(database());
      const ledger = createPostgresLedger({
        connectionString: database().url,
        schema: place.schema,
      });
      const outbox = createOutbox(ledger);
      for (let n = 0; n < count; n += 1) await outbox.sink(stateChanged(`e-${n}`));
      await ledger.flush();
      return { ledger, outbox, place };
    }

    const names = (events: readonly ToolEvent[]) => events.map(({ envelope_id }) => envelope_id);
    const all = (count: number) => Array.from({ length: count }, (_, n) => `e-${n}`);

    it("hands events over in order and in batches, and removes accepted ones", async () => {
      const { ledger, outbox } = await filled(7);
      const batches: (readonly string[])[] = [];
      const count = await outbox.relay((events) => void batches.push(names(events)), { batch: 3 });
      expect({ count, batches: batches.map(({ length }) => length) }).toEqual({
        count: 7,
        batches: [3, 3, 1],
      });
      expect(batches.flat()).toEqual(all(7));
      expect(await outbox.relay(() => {})).toBe(0);
      await ledger.close();
    });

    it("keeps a batch that was not accepted, and reports why", async () => {
      const { ledger, outbox } = await filled(5);
      const seen: string[] = [];
      const failing = outbox.relay(
        (events) => {
          seen.push(...names(events));
          if (seen.length > 2) throw new Error("the bus is down");
        },
        { batch: 2 },
      );
      await expect(failing).rejects.toThrow("the bus is down");
      expect(names(await taken(outbox))).toEqual(all(5).slice(2));
      expect(seen).toEqual(all(4));
      await ledger.close();
    });

    it("hands each event over once from several processes, in order per writer", async () => {
      const { ledger, place } = await filled(40);
      const others: PostgresLedger[] = [];
      for (let at = 0; at < 3; at += 1) {
        const other = createPostgresLedger({
          connectionString: database().url,
          schema: place.schema,
        });
        others.push(other);
        const { sink } = createOutbox(other);
        for (let n = 0; n < 40; n += 1) await sink(stateChanged(`${at}-${n}`));
        await other.flush();
      }
      const seen: string[] = [];
      const relays = others.map((other) =>
        createOutbox(other).relay(
          async (events) => {
            await setTimeout(1);
            seen.push(...names(events));
          },
          { batch: 5 },
        ),
      );
      await Promise.all(relays);
      expect(seen).toHaveLength(160);
      for (const writer of ["e", "0", "1", "2"]) {
        const own = seen.filter((name) => name.startsWith(`${writer}-`));
        expect(own).toEqual(Array.from({ length: 40 }, (_, n) => `${writer}-${n}`));
      }
      await Promise.all([ledger, ...others].map((each) => each.close()));
    });

    it("ends on request, and hands over no empty batch", async () => {
      const { ledger, outbox } = await filled(4);
      const stop = new AbortController();
      const count = await outbox.relay(() => stop.abort(), { batch: 1, signal: stop.signal });
      expect(count).toBe(1);
      await expect(outbox.relay(() => {}, { batch: 0 })).rejects.toThrow(RangeError);
      await ledger.close();
    });

    it("loses no event if its process is killed", async () => {
      const { ledger, outbox, place } = await filled(200);
      const told = join(temporaryDirectory(), "told");
      const script = fileURLToPath(new URL("./relay-process.ts", import.meta.url));
      const args = [...loaderArgs, script, database().url, place.schema, told];
      for (const lines of [20, 70, 130]) {
        const child = spawn(process.execPath, args, { stdio: "inherit" });
        while (child.exitCode === null && linesIn(told).length < lines) await setTimeout(1);
        child.kill("SIGKILL");
        await once(child, "close");
      }
      await outbox.relay(() => {}, { batch: 1000, signal: AbortSignal.abort() });
      const rest: string[] = [];
      // The server frees what the last process had locked when it notices that it is gone.
      for (let left = 1; left > 0;) {
        await outbox.relay((events) => void rest.push(...names(events)));
        left = Number(
          (await database().run(`SELECT count(*) AS left FROM ${place.table("events")}`))[0]?.[
            "left"
          ],
        );
      }
      const seen = [...linesIn(told), ...rest];
      expect(new Set(seen)).toEqual(new Set(all(200)));
      // Again is what was handed over and not yet removed: a batch for each that was killed.
      expect(seen.length).toBeLessThanOrEqual(200 + 3 * 10);
      await ledger.close();
    });
  });

  it("a killed process leaves no call without its events", async () => {
    const place = await postgresPlace(database());
    const told = join(temporaryDirectory(), "told");
    const script = fileURLToPath(new URL("./calling-process.ts", import.meta.url));
    const args = [...loaderArgs, script, database().url, place.schema, told];
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    while (child.exitCode === null && linesIn(told).length < 60) await setTimeout(1);
    child.kill("SIGKILL");
    await once(child, "close");
    const ledger = place.open() as PostgresLedger;
    const events = await taken(createOutbox(ledger));
    const begun = events.flatMap((each) => (each.type === "ToolInvokeBegin" ? [each.call_id] : []));
    const ended = events.flatMap((each) => (each.type === "ToolInvokeEnd" ? [each.call_id] : []));
    const calls = await callsOf(ledger);
    const endedCalls = calls.filter(({ outcome }) => outcome === "ended").map(({ id }) => id);
    expect(ended.toSorted()).toEqual(endedCalls.toSorted());
    expect(begun).toEqual(expect.arrayContaining(ended));
    const sent = linesIn(told);
    expect(begun.length).toBeGreaterThanOrEqual(sent.length);
  });
});

it("an outbox rejects a ledger without tables", () => {
  const ledger = createMemoryLedger() as unknown as PostgresLedger;
  expect(() => createOutbox(ledger)).toThrow(TypeError);
});

function linesIn(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}
