/**
 * Runs of a plan whose process is killed at random points. `SKILLC_PLAN_KILLS` is the number of kills
 * for both stores together, 20 by default; if it is set, the test prints a table.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { isToolError } from "../../src/runtime/index.js";
import type { RunStore } from "../../src/runtime/runs/index.js";
import { folderPlace, postgresPlace, type RunsPlace } from "../runtime/runs/places.js";
import { createDatabase, postgresService } from "../support/postgres.js";
import { repository } from "../support/repository.js";
import { describeWithService } from "../support/service.js";
import { keyedWrites, lostExitCode, otherWrites, runtimeFor, work } from "./plan-kills/plan.js";
import {
  answerOf,
  type CountedRun,
  type CountingService,
  type Kill,
  type KillMoment,
  startService,
} from "./plan-kills/service.js";

/** Inside the repository, so that the process finds `@skillc/runtime`. */
const built = join(repository, ".skillc");
/** A loader that translates TypeScript would take most of the time of a run. */
let script = "";
beforeAll(async () => {
  mkdirSync(built, { recursive: true });
  const folder = mkdtempSync(join(built, "plan-kills-"));
  script = join(folder, "process.mjs");
  await build({
    entryPoints: [join(repository, "test/e2e/plan-kills/process.ts")],
    bundle: true,
    format: "esm",
    outfile: script,
    packages: "external",
    platform: "node",
  });
});
afterAll(() => rmSync(join(script, ".."), { recursive: true }));

const given = process.env["SKILLC_PLAN_KILLS"];
const killsPerStore = Math.ceil(Number(given ?? 20) / 2);
/** Processes that are killed at the same time. Each has a place of its own. */
const lanes = 6;
const moments: readonly KillMoment[] = [
  "before the write",
  "before the answer",
  "after the answer",
];
/** Requests of a whole run: five reads and eight writes. */
const requests = 13;

/** Counts of what happened, by its name. */
type Table = Map<string, number>;

/** What the runs of a lane share. */
interface Lane {
  readonly name: string;
  readonly place: RunsPlace;
  readonly service: CountingService;
  readonly store: RunStore;
  readonly random: () => number;
  readonly table: Table;
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

function add(table: Table, name: string): void {
  table.set(name, (table.get(name) ?? 0) + 1);
}

/** Runs the plan in a process until it is killed. Returns whether it was. */
async function runAndKill(lane: Lane, run: string, folder: string): Promise<boolean> {
  const { place, random, service, table } = lane;
  const counted = service.of(run);
  const args = [folder, service.urlOf(run), run, ...place.processArguments];
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaint = text(child.stderr);
  const moment = moments[Math.floor(random() * moments.length)] ?? "before the write";
  const planned: Kill = {
    request: Math.floor(random() * requests),
    moment,
    delayMs: Math.floor(random() * 8),
    kill: () => child.kill("SIGKILL"),
  };
  counted.requests = 0;
  counted.planned = planned;
  await once(child, "close");
  counted.planned = undefined;
  if (child.exitCode === lostExitCode) {
    // A machine with much other work. Nothing was sent afterwards.
    add(table, "lease lost");
    await place.outliveCrash();
    return false;
  }
  if (child.signalCode !== "SIGKILL") {
    if (child.exitCode !== 0) throw new Error(await complaint);
    return false;
  }
  add(table, "kills");
  add(table, `kill ${moment}, ${counted.killedAt}`);
  await place.outliveCrash();
  return true;
}

/** Goes on with a run to its end, and settles each write whose outcome is unknown. */
async function goOn(lane: Lane, run: string, folder: string): Promise<void> {
  const { place, service, store, table } = lane;
  const runtime = runtimeFor(folder, service.urlOf(run), store);
  const settled = new Set<string>();
  try {
    for (;;) {
      const answer = await work(run, { runtime }).catch((error: unknown) => {
        if (isToolError(error, "PLAN.OUTCOME_UNKNOWN")) return error.failure;
        if (isLost(error)) return undefined;
        throw error;
      });
      if (answer === undefined) {
        add(table, "lease lost");
        await place.outliveCrash();
        continue;
      }
      if ("status" in answer) return expect(answer).toEqual({ status: "success", data: "done" });
      // Only a write without a key is unknown, and each is named once.
      expect(otherWrites).toContain(answer.step);
      expect(settled).not.toContain(answer.step);
      settled.add(answer.step);
      await expectUnknown(store, run, answer);
      const isMade = (service.of(run).made.get(answer.step) ?? 0) > 0;
      add(table, isMade ? "unknown, and was made" : "unknown, and was not made");
      await settle(store, run, answer, isMade);
    }
  } finally {
    await runtime.close();
  }
}

function isLost(error: unknown): boolean {
  return isToolError(error, "PLAN.RUN_UNAVAILABLE") && error.failure.reason === "lost";
}

interface Unknown {
  readonly step: string;
  readonly call: string;
}

/** Checks that the run has begun the named call, and not stored an answer. */
async function expectUnknown(store: RunStore, run: string, { call, step }: Unknown) {
  const events = (await store.read({ id: run }))?.events ?? [];
  const types = events.flatMap((event) =>
    "call" in event && event.call === call ? [`${event.type} ${event.key}`] : [],
  );
  expect(types).toEqual([`begun ${step}`]);
}

/** Records what a person found out. */
async function settle(store: RunStore, run: string, { call, step }: Unknown, isMade: boolean) {
  const held = await store.hold({ id: run });
  const result = { status: "success", data: answerOf(step) as never };
  await held?.append(
    isMade ? { type: "answered", key: step, call, result } : { type: "not-done", key: step, call },
  );
  await held?.release();
}

function expectEachOnce({ keys, made }: CountedRun): void {
  const once = [...keyedWrites, ...otherWrites].map((write) => [write, 1] as const);
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(once));
  // Each keyed write had the same key in all attempts, which no other write had.
  const used = keyedWrites.map((write) => [...(keys.get(write) ?? [])]);
  expect(used.map(({ length }) => length)).toEqual(keyedWrites.map(() => 1));
  expect(new Set(used.flat()).size).toBe(keyedWrites.length);
  expect(otherWrites.flatMap((write) => [...(keys.get(write) ?? [])])).toEqual([]);
}

/** Kills processes of runs, until this lane has done its share. */
async function killRuns(lane: Lane, kills: number): Promise<void> {
  const { name, random, service, table } = lane;
  for (let number = 0; (table.get("kills") ?? 0) < kills; number += 1) {
    const run = `${name}-${number}`;
    const folder = mkdtempSync(join(tmpdir(), "skillc-plan-kills-"));
    try {
      let left = 1 + Math.floor(random() * 3);
      while (left > 0 && (await runAndKill(lane, run, folder))) left -= 1;
      await goOn(lane, run, folder);
      expectEachOnce(service.of(run));
      add(table, "runs");
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/** Returns the number of kills. */
async function killAll(
  store: string,
  seed: number,
  makePlace: () => RunsPlace | Promise<RunsPlace>,
): Promise<number> {
  const table: Table = new Map();
  const service = await startService();
  const work: Promise<void>[] = [];
  for (let lane = 0; lane < lanes; lane += 1) {
    const place = await makePlace();
    const random = randomFrom(seed + lane);
    const own = { name: `lane-${lane}`, place, service, store: place.open(), random, table };
    work.push(killRuns(own, killsPerStore));
  }
  await Promise.all(work);
  if (given !== undefined) print(store, table);
  return table.get("kills") ?? 0;
}

function print(store: string, table: Table): void {
  const rows = [...table].toSorted(([a], [b]) => a.localeCompare(b, "en"));
  process.stdout.write(rows.map(([name, count]) => `${store}: ${name}: ${count}\n`).join(""));
}

const timeout = 60_000 + 20_000 * killsPerStore;

test(
  "kill -9 of runs in a folder leads to no write that is made twice or lost, and names each unknown one",
  async () => {
    expect(await killAll("folder", 1, folderPlace)).toBeGreaterThanOrEqual(killsPerStore);
  },
  timeout,
);

await describeWithService(postgresService, () => {
  test(
    "kill -9 of runs in PostgreSQL leads to no write that is made twice or lost, and names each unknown one",
    async () => {
      const database = await createDatabase("");
      onTestFinished(() => database.drop());
      const kills = await killAll("PostgreSQL", 101, () => postgresPlace(database));
      expect(kills).toBeGreaterThanOrEqual(killsPerStore);
    },
    timeout,
  );
});
