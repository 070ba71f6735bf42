/** Tests that every store of runs passes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  type HeldRun,
  type RunBeginning,
  type RunEvent,
  type RunId,
  RunHeld,
  type RunStore,
  RunStoreError,
} from "../../../src/runtime/runs/index.js";
import { loaderArgs } from "../../support/node-loader.js";
import { temporaryDirectory } from "../ledger/fixtures.js";
import type { RunsPlace, StoredEntry } from "./places.js";

export const beginning: RunBeginning = {
  tool: "desk/create-api",
  params: { query: "a secret wish", list: [1, null, { deep: "ü \u0000 \ud800" }] },
  subject: "ada",
  trace: "trace-1",
  manifests: { "1": "t1:abc", "2": "t1:def" },
};

export const events: readonly RunEvent[] = [
  { type: "begun", key: "1", call: "call-1" },
  {
    type: "answered",
    key: "1",
    call: "call-1",
    result: { note: "a secret answer" },
    changed: [["note"]],
  },
  { type: "begun", key: "2:0", call: "call-2" },
  { type: "not-done", key: "2:0", call: "call-2" },
];

/** Holds a run that must exist, or be created. */
export async function held(store: RunStore, run: RunId, begin?: RunBeginning): Promise<HeldRun> {
  const found = await store.hold(run, begin);
  if (found === undefined) throw new Error("there is no such run");
  return found;
}

/** Creates a run with events, and releases it. */
export async function keep(
  store: RunStore,
  run: RunId,
  those: readonly RunEvent[] = events,
): Promise<void> {
  const one = await held(store, run, beginning);
  for (const each of those) await one.append(each);
  await one.release();
}

export function withoutTimes(those: readonly object[] | undefined): readonly object[] {
  return (those ?? []).map((each) => ({ ...each, at: undefined }));
}

export async function listed<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const each of items) all.push(each);
  return all;
}

const script = fileURLToPath(new URL("./run-process.ts", import.meta.url));

/** Starts a process that holds a run. */
export function startHolder(place: RunsPlace, id: string, count: number, characters = 10) {
  const toldPath = join(temporaryDirectory(), "told");
  const told = openSync(toldPath, "a");
  const args = [...loaderArgs, script, id, `${count}`, `${characters}`, ...place.processArguments];
  const child = spawn(process.execPath, args, { stdio: ["ignore", told, "inherit"] });
  closeSync(told);
  const lines = () => readFileSync(toldPath, "utf8").split("\n").slice(0, -1);
  const ended = once(child, "close");
  return {
    child,
    lines,
    ended,
    /** Waits until the process has told so many lines, or has ended. */
    async until(count_: number) {
      while (child.exitCode === null && statSync(toldPath).size < 2 * count_) await setTimeout(1);
      while (child.exitCode === null && lines().length < count_) await setTimeout(1);
    },
  };
}

const hostileIds = [
  "../../escape",
  "..",
  "/etc/passwd",
  "a\u0000b",
  "CON",
  "x".repeat(200),
  "ärger-e\u0301-é-🦀-\u202e",
  "half \ud800",
  "__proto__",
  "'; DROP TABLE run; --",
  "line\nfeed\ttab",
  "a",
  "A",
];

export function holdPromises(open: () => RunsPlace | Promise<RunsPlace>): void {
  test("keeps a run as it was appended, for another store of the same key", async () => {
    const place = await open();
    const run = { id: "order-7", tenant: "acme" };
    expect(await place.open().read(run)).toBeUndefined();
    expect(await place.open().hold(run)).toBeUndefined();
    const store = place.open();
    const one = await held(store, run, beginning);
    expect(one).toMatchObject({ isNew: true, run, beginning, events: [] });
    expect(one.lost.aborted).toBe(false);
    for (const each of events) await one.append(each);
    expect(withoutTimes((await place.open().read(run))?.events)).toEqual(withoutTimes(events));
    await one.release();
    const again = await held(place.open(), run, { ...beginning, params: "other" });
    expect(again).toMatchObject({ isNew: false, run, beginning });
    expect(withoutTimes(again.events)).toEqual(withoutTimes(events));
    await again.append({ type: "ended", status: "created", result: { data: 1 } });
    expect((await place.open().read(run))?.events).toHaveLength(5);
  });

  test("keeps an event as it was when it was appended, in the order of the calls", async () => {
    const place = await open();
    const run = { id: "many" };
    const one = await held(place.open(), run, beginning);
    const result = { n: 0 };
    const appended = Array.from({ length: 50 }, (_, n) => {
      result.n = n;
      return one.append({ type: "answered", key: `${n}`, call: "c", result });
    });
    result.n = -1;
    await Promise.all(appended);
    const kept = (await place.open().read(run))?.events ?? [];
    expect(kept.map((each) => each.type === "answered" && each.result)).toEqual(
      appended.map((_, n) => ({ n })),
    );
  });

  test("release waits for events that are being stored, and refuses later ones", async () => {
    const place = await open();
    const run = { id: "released" };
    const one = await held(place.open(), run, beginning);
    const appended = one.append({ type: "begun", key: "1", call: "c" });
    await Promise.all([one.release(), one.release()]);
    await appended;
    await expect(one.append({ type: "begun", key: "2", call: "c" })).rejects.toThrow("released");
    expect((await held(place.open(), run)).events).toHaveLength(1);
  });

  test("a run has one holder, in one store and in two", async () => {
    const place = await open();
    const [store, other] = [place.open(), place.open()];
    const run = { id: "one" };
    const tries = Array.from({ length: 12 }, (_, at) =>
      (at % 2 === 0 ? store : other).hold(run, beginning),
    );
    const done = await Promise.allSettled(tries);
    const won = done.filter((each) => each.status === "fulfilled");
    expect(won).toHaveLength(1);
    const lost = done.filter((each) => each.status === "rejected");
    expect(lost.every(({ reason }) => reason instanceof RunHeld)).toBe(true);
    await expect(other.hold(run)).rejects.toThrow('the run "one" is held');
    // Reading needs no hold.
    expect(await other.read(run)).toMatchObject({ beginning });
    await won[0]?.value?.release();
    expect((await held(other, run)).isNew).toBe(false);
  });

  test("exactly one of two processes holds a run", async () => {
    const place = await open();
    const both = [1, 2].map(() => startHolder(place, "shared", 1_000_000));
    await Promise.all(both.map((each) => each.until(1)));
    const told = both.map((each) => each.lines()[0]);
    expect(told.toSorted()).toEqual(["held", "refused RunHeld"]);
    for (const { child, ended } of both) {
      child.kill("SIGKILL");
      await ended;
    }
  });

  test.each([1, 40, 300])(
    "a process that is killed after about %i events loses none that it was told is stored",
    async (steps) => {
      const place = await open();
      const holder = startHolder(place, "killed", 100_000, steps);
      await holder.until(steps);
      await expect(place.open().hold({ id: "killed" })).rejects.toBeInstanceOf(RunHeld);
      holder.child.kill("SIGKILL");
      await holder.ended;
      await place.outliveCrash();
      const told = holder.lines().length - 1;
      const one = await held(place.open(), { id: "killed" });
      expect(one.events.length).toBeGreaterThanOrEqual(told);
      expect(one.events.length).toBeLessThanOrEqual(told + 1);
      expect(one.events.map((each) => "key" in each && each.key)).toEqual(
        one.events.map((_, n) => `${n}`),
      );
      await one.append({ type: "ended", status: "success" });
      await one.release();
      expect((await place.open().read({ id: "killed" }))?.events).toHaveLength(
        one.events.length + 1,
      );
    },
  );

  test("a holder that lost its run can't write, and is told", async () => {
    const place = await open();
    const run = { id: "taken" };
    const first = await held(place.open(), run, beginning);
    await first.append({ type: "begun", key: "1", call: "c1" });
    await place.takeAway(run);
    const second = await held(place.open(), run);
    await second.append({ type: "begun", key: "1", call: "c2" });
    const late = first.append({ type: "answered", key: "1", call: "c1", result: 1 });
    await expect(late).rejects.toMatchObject({ name: "RunStoreError", problem: "lost" });
    expect(first.lost.aborted).toBe(true);
    await first.release();
    await second.append({ type: "ended", status: "success" });
    expect((await place.open().read(run))?.events.map((each) => each.type)).toEqual([
      "begun",
      "begun",
      "ended",
    ]);
    await expect(place.open().hold(run)).rejects.toBeInstanceOf(RunHeld);
  });

  test("each tenant has its own ids", async () => {
    const place = await open();
    const store = place.open();
    await keep(store, { id: "x", tenant: "acme" });
    expect(await store.read({ id: "x" })).toBeUndefined();
    expect(await store.read({ id: "x", tenant: "other" })).toBeUndefined();
    expect(await store.hold({ id: "x", tenant: "" })).toBeUndefined();
    const other = await held(store, { id: "x", tenant: "other" }, { ...beginning, params: 2 });
    expect(other).toMatchObject({ isNew: true, beginning: { params: 2 } });
    const without = await held(store, { id: "x" }, { ...beginning, params: 3 });
    expect(without).toMatchObject({ isNew: true, run: { id: "x" } });
    expect((await listed(store.list({ tenant: "acme" }))).map((each) => each.run)).toEqual([
      { id: "x", tenant: "acme" },
    ]);
    expect(await listed(store.list({ tenant: "none" }))).toEqual([]);
    expect(await listed(store.list())).toHaveLength(3);
  });

  test("ids of any text name different runs, and reach nothing else", async () => {
    const place = await open();
    const store = place.open();
    for (const id of hostileIds)
      await keep(store, { id, tenant: id }, [{ type: "begun", key: id, call: id }]);
    for (const id of hostileIds) {
      const kept = await store.read({ id, tenant: id });
      expect(kept).toMatchObject({ run: { id, tenant: id }, events: [{ key: id, call: id }] });
    }
    const runs = await listed(store.list());
    expect(runs.map(({ run }) => run.id).toSorted()).toEqual(hostileIds.toSorted());
    expect(await store.read({ id: "a\u0000b" })).toBeUndefined();
    expect(await listed(store.list({ tenant: "half \ud800" }))).toHaveLength(1);
  });

  test("lists runs newest first, with state and status, by tenant, tool and state", async () => {
    const place = await open();
    const store = place.open();
    const tool = "desk/other";
    await keep(store, { id: "1" }, [{ type: "ended", status: "created", result: 1 }]);
    await setTimeout(2);
    await keep(store, { id: "2" }, [
      { type: "suspended", key: "1" },
      { type: "answered", key: "2", call: "c", result: 1 },
    ]);
    await setTimeout(2);
    const third = await held(
      store,
      { id: "3", tenant: "acme" },
      { ...beginning, tool, subject: undefined },
    );
    await third.append({ type: "suspended", key: "1" });
    await third.append({ type: "resumed" });
    const runs = await listed(store.list());
    expect(runs).toMatchObject([
      { run: { id: "3", tenant: "acme" }, tool, state: "unfinished", trace: "trace-1" },
      { run: { id: "2" }, subject: "ada", state: "suspended" },
      { run: { id: "1" }, state: "ended", status: "created" },
    ]);
    expect(runs.map((each) => "subject" in each)).toEqual([false, true, true]);
    for (const { begunAt, changedAt } of runs)
      expect(new Date(changedAt).toISOString() >= new Date(begunAt).toISOString()).toBe(true);
    const ids = async (filter: Parameters<RunStore["list"]>[0]) =>
      (await listed(store.list(filter))).map(({ run }) => run.id);
    expect(await ids({ tenant: "acme" })).toEqual(["3"]);
    expect(await ids({ tool })).toEqual(["3"]);
    expect(await ids({ tool: beginning.tool })).toEqual(["2", "1"]);
    expect(await ids({ state: "ended" })).toEqual(["1"]);
    expect(await ids({ state: "suspended", tool })).toEqual([]);
  });

  test("removes runs that ended before a time, and no others", async () => {
    const place = await open();
    const store = place.open();
    await keep(store, { id: "old" }, [{ type: "ended", status: "success" }]);
    await keep(store, { id: "suspended" }, [{ type: "suspended", key: "1" }]);
    await keep(store, { id: "unfinished" });
    const busy = await held(store, { id: "busy" }, beginning);
    await busy.append({ type: "ended", status: "success" });
    await setTimeout(2);
    const [{ changedAt = "" } = {}] = await listed(
      store.list({ state: "ended", tool: beginning.tool }),
    );
    const now = new Date(Date.parse(changedAt) + 1);
    expect(await store.prune(new Date(0))).toBe(0);
    expect(await store.prune(now)).toBe(1);
    expect(await store.prune(now)).toBe(0);
    expect((await listed(store.list())).map(({ run }) => run.id).toSorted()).toEqual([
      "busy",
      "suspended",
      "unfinished",
    ]);
    await busy.release();
    expect(await store.prune(now)).toBe(1);
    expect(await store.read({ id: "old" })).toBeUndefined();
    expect(await held(store, { id: "old" }, beginning)).toMatchObject({ isNew: true, events: [] });
    await expect(store.prune(new Date("never"))).rejects.toBeInstanceOf(RangeError);
  });

  test("stores nothing readable of parameters, answers and requests", async () => {
    const place = await open();
    const request = {
      id: "q",
      tool: "desk/x",
      manifest: "m",
      digest: "a secret digest",
      ttlMs: 1,
    };
    await keep(place.open(), { id: "readable id" }, [
      ...events,
      { type: "suspended", key: "secret-key", request },
      { type: "ended", status: "created", result: "a secret end" },
    ]);
    const content = await place.content();
    expect(content).toContain("readable id");
    expect(content).not.toContain("secret");
    expect(content).not.toContain(Buffer.from("a secret").toString("base64").slice(0, 8));
  });

  test("refuses to open without a key, and says what to set", async () => {
    const place = await open();
    expect(() => place.open(Buffer.alloc(0))).toThrow(
      /`key` of `(?:folder|postgres)Runs` is missing.*openssl rand -base64 32/,
    );
    expect(() => place.open(Buffer.alloc(31))).toThrow("32 bytes");
  });

  test("another key opens no run, and lists them all the same", async () => {
    const place = await open();
    await keep(place.open(), { id: "locked" });
    const other = place.open(Buffer.alloc(32, 8));
    const refusal = {
      name: "RunStoreError",
      problem: "other-key",
      help: expect.stringContaining("key"),
    };
    await expect(other.read({ id: "locked" })).rejects.toMatchObject(refusal);
    await expect(other.hold({ id: "locked" })).rejects.toMatchObject(refusal);
    await expect(other.hold({ id: "locked" }, beginning)).rejects.toMatchObject(refusal);
    expect(await listed(other.list())).toHaveLength(1);
    // A refused hold holds nothing.
    expect((await held(place.open(), { id: "locked" })).events).toHaveLength(4);
  });

  describe("changed entries", () => {
    const run = { id: "changed" };
    const flip = ({ header, sealed }: StoredEntry): StoredEntry => {
      const bytes = Buffer.from(sealed, "base64");
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      return { header, sealed: bytes.toString("base64") };
    };
    const rewrite =
      (from: string, to: string) =>
      ({ header, sealed }: StoredEntry) => {
        expect(header).toContain(from);
        return { header: header.replace(from, to), sealed };
      };
    const at =
      (n: number, change: (entry: StoredEntry) => StoredEntry) => (all: readonly StoredEntry[]) =>
        all.map((each, place) => (place === n ? change(each) : each));
    test.each<
      [
        string,
        (all: readonly StoredEntry[], other: readonly StoredEntry[]) => readonly StoredEntry[],
      ]
    >([
      ["parameters", at(0, flip)],
      ["the subject", at(0, rewrite('"ada"', '"eve"'))],
      ["the id in the header", at(0, rewrite('"changed"', '"another"'))],
      ["the first event", at(1, flip)],
      ["the last event", at(4, flip)],
      ["the time of an event", at(2, rewrite('"at":"2', '"at":"3'))],
      ["the state of an event", at(3, rewrite('"unfinished"', '"ended"'))],
      [
        "two events that change places",
        ([a, b, c, d, e]) => [a, c, b, d, e].filter((x) => x !== undefined),
      ],
      ["an event that is missing in the middle", (all) => all.toSpliced(2, 1)],
      ["an event that comes twice", (all) => all.toSpliced(2, 0, ...all.slice(2, 3))],
      [
        "an event of another run",
        (all, other) => all.with(2, other[2] ?? { header: "", sealed: "" }),
      ],
      [
        "the beginning of another run",
        (all, other) => all.with(0, other[0] ?? { header: "", sealed: "" }),
      ],
      ["all entries of another run", (_, other) => other],
      ["a header that is no JSON", at(1, () => ({ header: "{", sealed: "" }))],
      ["a header that is JSON of something else", at(1, () => ({ header: "3", sealed: "" }))],
      ["an entry without a seal", at(2, ({ header }) => ({ header, sealed: "" }))],
    ])("a run with a changed entry is refused: %s", async (_, change) => {
      const place = await open();
      const store = place.open();
      await keep(store, run);
      await keep(store, { id: "neighbour" });
      const others = await place.entries({ id: "neighbour" });
      await place.setEntries(run, change(await place.entries(run), others));
      const refusal = {
        name: "RunStoreError",
        problem: "changed",
        message: expect.stringContaining("was changed, or is damaged"),
      };
      await expect(store.read(run)).rejects.toMatchObject(refusal);
      await expect(store.hold(run, beginning)).rejects.toMatchObject(refusal);
      await expect(store.hold(run)).rejects.toBeInstanceOf(RunStoreError);
      expect((await held(store, { id: "neighbour" })).events).toHaveLength(4);
    });

    test("an event of an earlier run with the same id is refused", async () => {
      const place = await open();
      const store = place.open();
      const ended = { type: "ended", status: "success" } as const;
      await keep(store, run, [...events, ended]);
      const before = await place.entries(run);
      expect(await store.prune(new Date(Date.UTC(9999, 0)))).toBe(1);
      await keep(store, run, []);
      await place.setEntries(run, [...(await place.entries(run)), ...before.slice(1)]);
      await expect(store.read(run)).rejects.toMatchObject({ problem: "changed" });
    });

    test("an entry of a later version is refused", async () => {
      const place = await open();
      const store = place.open();
      await keep(store, run);
      const [first, ...rest] = await place.entries(run);
      if (first === undefined) throw new Error("no beginning");
      const later = { ...first, header: first.header.replace('"v":1', '"v":2') };
      await place.setEntries(run, [later, ...rest]);
      await expect(store.hold(run)).rejects.toMatchObject({ problem: "newer" });
    });
  });

  test("lists the intact runs before it reports one that it can't read", async () => {
    const place = await open();
    const store = place.open();
    for (const id of ["a", "b", "c"]) await keep(store, { id });
    const [, ...rest] = await place.entries({ id: "b" });
    await place.setEntries({ id: "b" }, [{ header: "{", sealed: "AA==" }, ...rest]);
    const seen: string[] = [];
    const reading = async () => {
      for await (const { run } of store.list()) seen.push(run.id);
    };
    await expect(reading()).rejects.toMatchObject({ problem: "changed" });
    expect(seen.toSorted()).toEqual(["a", "c"]);
  });

  test("a closed store releases its runs, and does nothing more", async () => {
    const place = await open();
    const store = place.open();
    const one = await held(store, { id: "closed" }, beginning);
    await store.close();
    await store.close();
    await expect(one.append({ type: "begun", key: "1", call: "c" })).rejects.toThrow("released");
    await expect(store.hold({ id: "closed" })).rejects.toMatchObject({ problem: "unavailable" });
    await expect(store.read({ id: "closed" })).rejects.toMatchObject({ problem: "unavailable" });
    await expect(listed(store.list())).rejects.toMatchObject({ problem: "unavailable" });
    await expect(store.prune(new Date(0))).rejects.toMatchObject({ problem: "unavailable" });
    expect(await held(place.open(), { id: "closed" })).toMatchObject({ isNew: false });
  });
}
