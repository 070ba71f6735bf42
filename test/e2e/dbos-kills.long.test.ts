/**
 * Plans that DBOS runs in a process that is killed at random points, until another process has taken
 * the workflow over and ended it. `SKILLC_DBOS_KILLS` is the number of kills, 10 by default; if it is
 * set, the test prints a table.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { DBOSClient } from "@dbos-inc/dbos-sdk";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { StepMark } from "../../src/bindings/plan/run/dbos/index.js";
import { type RunStore, settleStep } from "../../src/runtime/runs/index.js";
import { postgresPlace, type PostgresPlace } from "../runtime/runs/places.js";
import { createDatabase, type OwnDatabase, postgresService } from "../support/postgres.js";
import { repository } from "../support/repository.js";
import { describeWithService } from "../support/service.js";
import { idempotentWrites, keyedWrites, otherWrites, requests } from "./dbos-kills/plan.js";
import {
  answerOf,
  type CountingService,
  type KillMoment,
  startService,
} from "./plan-kills/service.js";

/** Inside the repository, so that the process finds `@skillc/runtime`. */
const built = join(repository, ".skillc");
/** A loader that translates TypeScript would take most of the time of a run. */
let script = "";
beforeAll(async () => {
  mkdirSync(built, { recursive: true });
  script = join(mkdtempSync(join(built, "dbos-kills-")), "process.mjs");
  await build({
    entryPoints: [join(repository, "test/e2e/dbos-kills/process.ts")],
    bundle: true,
    format: "esm",
    outfile: script,
    packages: "external",
    platform: "node",
  });
});
afterAll(() => rmSync(join(script, ".."), { recursive: true }));

const given = process.env["SKILLC_DBOS_KILLS"];
const kills = Number(given ?? 10);
/** Processes that are killed at the same time. Each has a database of its own. */
const lanes = Math.min(4, kills);
const moments: readonly (KillMoment | "at any time")[] = [
  "before the write",
  "before the answer",
  "after the answer",
  "at any time",
];

/** Counts of what happened, by its name. */
type Table = Map<string, number>;

/** What the runs of a lane share. */
interface Lane {
  readonly name: string;
  readonly client: DBOSClient;
  readonly database: OwnDatabase;
  readonly place: PostgresPlace;
  readonly service: CountingService;
  readonly store: RunStore;
  readonly random: () => number;
  readonly table: Table;
}

/** A run, until its workflow has ended. */
interface Running {
  readonly id: string;
  readonly folder: string;
  /** Number of the process that runs it, from 0. */
  process: number;
  /** Id of its process for DBOS. */
  executor: string;
  /** Number of messages that a person has sent. */
  messages: number;
  /** Processes that were frozen while they ran it. */
  readonly frozen: {
    readonly child: ChildProcess;
    readonly closed: Promise<unknown>;
    readonly complaint: Promise<string>;
  }[];
  /** Calls that a person has settled. */
  readonly settled: Set<string>;
}

/** Returns numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function add(table: Table, name: string, count = 1): void {
  table.set(name, (table.get(name) ?? 0) + count);
}

/** Starts a process that begins the workflow, or takes it over. */
function startProcess({ database, place, service }: Lane, run: Running, before: string) {
  const { executor, folder, id } = run;
  const url = service.urlOf(id);
  const args = [script, folder, url, id, database.url, place.schema, executor, before];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
}

/** Lets a process run the workflow. Returns what it has printed, or undefined if it was stopped. */
async function runOnce(lane: Lane, run: Running, mayKill: boolean): Promise<string | undefined> {
  const { place, random, service, table } = lane;
  const before = run.executor;
  // Another machine takes over, or the same one starts again.
  if (run.process > 0 && random() < 0.5) run.executor = `${run.id}-${run.process}`;
  if (run.process > 0)
    add(table, before === run.executor ? "taken over by its machine" : "taken over by another");
  run.process += 1;
  const child = startProcess(lane, run, before);
  const [complaint, printed] = [text(child.stderr), text(child.stdout)];
  const closed = once(child, "close");
  const counted = service.of(run.id);
  counted.requests = 0;
  const moment = moments[Math.floor(random() * moments.length)] ?? "at any time";
  const request = Math.floor(random() * requests);
  const delayMs = Math.floor(random() * (moment === "at any time" ? 400 : 8));
  // A frozen machine has sent its request: nothing can take back what it sends later.
  const freezes = moment !== "at any time" && moment !== "after the answer" && random() < 0.2;
  const frozen = new Promise<"frozen">((resolve) => {
    const stop = (): void => {
      child.kill(freezes ? "SIGSTOP" : "SIGKILL");
      if (freezes) resolve("frozen");
    };
    if (!mayKill) return;
    if (moment === "at any time")
      child.stdout.once("data", () => void setTimeout(delayMs).then(stop));
    else counted.planned = { request, moment, delayMs, kill: stop };
  });
  const over = Promise.race([closed, frozen]);
  await settleUntil(lane, run, over);
  counted.planned = undefined;
  const isFrozen = freezes && child.exitCode === null && child.signalCode === null;
  if (isFrozen || child.signalCode === "SIGKILL") {
    add(table, isFrozen ? "freezes" : "kills");
    const where = moment === "at any time" ? "" : `, ${counted.killedAt}`;
    add(table, `${isFrozen ? "freeze" : "kill"} ${moment}${where}`);
    if (isFrozen) run.frozen.push({ child, closed, complaint });
    await place.outliveCrash();
    return undefined;
  }
  if (child.exitCode !== 0) throw new Error(`${await complaint}\n${await printed}`);
  return await printed;
}

/** Lets frozen processes go on. They learn that another process has ended the workflow. */
async function thaw({ frozen }: Running): Promise<void> {
  for (const { child, closed, complaint } of frozen) {
    child.kill("SIGCONT");
    await closed;
    if (child.exitCode !== 0) throw new Error(await complaint);
  }
}

/** Settles the writes whose outcome is unknown, as a person does, until the process has ended. */
async function settleUntil(lane: Lane, run: Running, over: Promise<unknown>): Promise<void> {
  const process = { isOver: false };
  void over.then(() => (process.isOver = true));
  while (!process.isOver) {
    const unknown = await waitingFor(lane, run);
    if (unknown !== undefined) await settle(lane, run, unknown);
    await setTimeout(20);
  }
}

interface Unknown {
  readonly step: string;
  readonly call: string;
}

/** Returns the write that the workflow waits for. */
async function waitingFor({ database }: Lane, run: Running): Promise<Unknown | undefined> {
  const isReady = (await database.run("SELECT to_regclass('dbos.operation_outputs') AS t"))[0]?.[
    "t"
  ];
  if (isReady === null) return undefined;
  const rows = await database.run(
    `SELECT function_name AS name, output FROM dbos.operation_outputs
     WHERE workflow_uuid = '${run.id}' ORDER BY function_id`,
  );
  const waits = rows.filter(({ name }) => name === "DBOS.sleep").length;
  // It does not wait, or a person has sent the message.
  if (rows.at(-1)?.["name"] !== "DBOS.sleep" || waits <= run.messages) return undefined;
  const marked = rows.findLast(
    ({ name }) => !String(name).startsWith("DBOS.") && name !== "(interrupted)",
  );
  const { json: mark } = JSON.parse(String(marked?.["output"])) as { readonly json: StepMark };
  if (mark.state !== "outcome-unknown") throw new Error(`it waits after ${mark.state}`);
  return { step: String(marked?.["name"]), call: mark.call };
}

/** Records what a person found out, and lets the workflow go on. */
async function settle(lane: Lane, run: Running, { call, step }: Unknown): Promise<void> {
  const { client, service, store, table } = lane;
  const { id, settled } = run;
  // Only a write without a key is unknown. A step is unknown again if the next process dies in it.
  expect(otherWrites).toContain(step);
  if (!settled.has(call)) {
    await expectUnknown(store, id, { call, step });
    const isMade = (service.of(id).made.get(step) ?? 0) > 0;
    add(table, isMade ? "unknown, and was made" : "unknown, and was not made");
    const because = "the service says so";
    const as = isMade
      ? ({ as: "done", answer: answerOf(step) as never } as const)
      : ({ as: "not-done" } as const);
    await settleStep(store, { id }, { ...as, call, because });
    settled.add(call);
  }
  await client.send(id, {}, "skillc");
  run.messages += 1;
}

/** Checks that the run has begun the named call, and not stored an answer. */
async function expectUnknown(store: RunStore, run: string, { call, step }: Unknown) {
  const events = (await store.read({ id: run }))?.events ?? [];
  const types = events.flatMap((event) =>
    "call" in event && event.call === call ? [`${event.type} ${event.key}`] : [],
  );
  expect(types).toEqual([`begun ${step}`]);
}

/** Checks that each write was made once, and that each keyed write had the same key each time. */
function expectEachOnce({ service, table }: Lane, run: string): void {
  const { keys, made, sent } = service.of(run);
  const once = [...keyedWrites, ...idempotentWrites, ...otherWrites].map(
    (each) => [each, 1] as const,
  );
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(once));
  const used = keyedWrites.map((write) => [...(keys.get(write) ?? [])]);
  expect(used.map(({ length }) => length)).toEqual(keyedWrites.map(() => 1));
  expect(new Set(used.flat()).size).toBe(keyedWrites.length);
  expect(otherWrites.flatMap((write) => [...(keys.get(write) ?? [])])).toEqual([]);
  for (const [kind, count] of sent) add(table, `requests: ${kind}`, count);
  add(table, "writes that were made", made.size);
}

/** Kills processes of runs, until this lane has done its share. */
async function killRuns(lane: Lane, share: number): Promise<void> {
  const { name, random, table } = lane;
  let killed = 0;
  for (let number = 0; killed < share; number += 1) {
    const id = `${name}-${number}`;
    const folder = mkdtempSync(join(tmpdir(), "skillc-dbos-kills-"));
    const settled = new Set<string>();
    const run = { id, folder, process: 0, executor: id, messages: 0, settled, frozen: [] };
    try {
      let left = 1 + Math.floor(random() * 3);
      let end: string | undefined;
      while ((end = await runOnce(lane, run, left > 0)) === undefined) {
        left -= 1;
        killed += 1;
      }
      killed -= run.frozen.length;
      expect(end.trim().split("\n").at(-1)).toBe(JSON.stringify({ run: id, status: "success" }));
      await thaw(run);
      expectEachOnce(lane, id);
      add(table, "runs");
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

async function openLane(number: number, service: CountingService, table: Table): Promise<Lane> {
  const database = await createDatabase("");
  const client = await DBOSClient.create({ systemDatabaseUrl: database.url });
  onTestFinished(async () => {
    await client.destroy();
    await database.drop();
  });
  const place = await postgresPlace(database);
  const random = randomFrom(number);
  return {
    name: `lane-${number}`,
    client,
    database,
    place,
    service,
    store: place.open(),
    random,
    table,
  };
}

await describeWithService(postgresService, () => {
  test(
    "kill -9 of plans that DBOS runs leads to no write that is made twice or lost, and names each unknown one",
    async () => {
      const table: Table = new Map();
      const service = await startService();
      const all = await Promise.all(
        Array.from({ length: lanes }, (_, number) => openLane(number, service, table)),
      );
      await Promise.all(all.map((lane) => killRuns(lane, Math.ceil(kills / lanes))));
      if (given !== undefined) {
        const rows = [...table].toSorted(([a], [b]) => a.localeCompare(b, "en"));
        process.stdout.write(rows.map(([name, count]) => `${name}: ${count}\n`).join(""));
      }
      expect(table.get("kills")).toBeGreaterThanOrEqual(kills);
    },
    120_000 + 30_000 * kills,
  );
});
