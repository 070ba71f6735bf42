/**
 * Runs four processes of 64 callers that share one store. First nothing happens to the store; then
 * it is killed and restarted; then it stays away. `counts.ts` compares the results of the callers,
 * the calls that the provider received, and the ledger.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Counts, countRace, endsBy } from "./counts.js";
import { type Member, orderAll, startMember } from "./crew.js";
import type { End, Start } from "./process.js";
import { type Provider, startProvider } from "./provider.js";

/** Server of the store. */
export interface Server {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

const processes = 4;
const callers = 64;
const restarts = 3;

export interface Races {
  readonly calm: Counts;
  readonly faulty: Counts;
  readonly away: AwayCounts;
  /** Ends of calls that share a key or a turn with a call of a killed process. */
  readonly crashed: { readonly key: string; readonly serial: string };
  /** Numbers of ends after the store is back. */
  readonly back: Readonly<Record<string, number>>;
}

/** Calls that were made while the store was away. */
export interface AwayCounts {
  readonly writes: number;
  /** Denied writes, which were not sent. */
  readonly writesRefused: number;
  readonly writesArrived: number;
  /** Reads of processes that may read without the store. */
  readonly reads: number;
  readonly readsMade: number;
  /** Reads of processes that may not read without the store. */
  readonly strictReads: number;
  readonly strictReadsRefused: number;
}

/** @param ledger the folder that the processes' ledgers share */
export async function runRaces(server: Server, ledger: string): Promise<Races> {
  const provider = await startProvider();
  const began = Date.now();
  const start = { store: server.url, ledger, provider: provider.port } as const;
  const starting = Array.from({ length: processes }, (_, at) =>
    startMember({ ...start, readsWithoutStore: at < processes / 2 ? "made" : "refused" }),
  );
  const crew = await Promise.all(starting);
  const close = () => Promise.all(crew.map((each) => each.close()));
  try {
    const [calm, crashed] = await Promise.all([runCalm(crew), runCrash(crew, start, provider)]);
    const storm = await runStorm(crew, server);
    const { away, ends: withoutStore } = await runAway(crew, server, provider);
    const back = await runBack(crew);
    // A closed ledger writes its buffered records.
    await close();
    const seen = { provider, ledger, began };
    return {
      calm: await countRace(calm, ["t0", "t1"], seen),
      faulty: await countRace(
        [...storm, ...withoutStore, ...back],
        ["s0", "s1", "away", "cut-off", "back"],
        seen,
      ),
      away,
      crashed,
      back: endsBy(back),
    };
  } finally {
    await close();
    await provider.close();
  }
}

async function runCalm(crew: readonly Member[]): Promise<readonly End[]> {
  const order = { callers, tenants: ["t0", "t1"], keys: { prefix: "c", count: 150 } };
  return [
    // Makes calls until the cost budget is used up, and then uses the rest of the call budget.
    ...(await orderAll(crew, { ...order, rounds: 1, tools: ["costly"] })),
    ...(await orderAll(crew, { ...order, rounds: 1, tools: ["other"] })),
    ...(await orderAll(crew, { ...order, rounds: 4, tools: ["once", "narrow"] })),
    ...(await orderAll(crew, { ...order, rounds: 1, tools: ["serial"] })),
  ];
}

async function runStorm(crew: readonly Member[], server: Server): Promise<readonly End[]> {
  const running = orderAll(crew, {
    callers,
    tools: ["costly", "once", "narrow", "serial", "other", "lookup", "once"],
    tenants: ["s0", "s1"],
    keys: { prefix: "s", count: 1000 },
  });
  for (let restart = 0; restart < restarts; restart += 1) {
    await pause(600);
    await server.kill();
    await pause(300);
    await server.start();
  }
  await pause(600);
  for (const each of crew) each.stop();
  return running;
}

/** One call of one caller. */
const one = { callers: 1, rounds: 1, keys: { prefix: "one", count: 1 } } as const;

/**
 * Kills another process during a keyed call and a serial call. The outcome of the key is then
 * unknown, and the turn ends with its lease.
 */
async function runCrash(
  crew: readonly Member[],
  start: Omit<Start, "readsWithoutStore">,
  provider: Provider,
): Promise<Races["crashed"]> {
  const tenants = ["crash"];
  provider.mute("crash");
  const victim = await startMember({ ...start, readsWithoutStore: "refused" });
  const doomed = ["once", "serial"] as const;
  for (const tool of doomed) victim.order({ ...one, tools: [tool], tenants }).catch(() => {});
  await arrivals(provider, "crash", doomed.length);
  await victim.kill();
  provider.answer("crash");
  const [key = [], serial = []] = await Promise.all(
    doomed.map((tool, at) => crew[at]?.order({ ...one, tools: [tool], tenants })),
  );
  return { key: key[0]?.how ?? "", serial: serial[0]?.how ?? "" };
}

async function arrivals(provider: Provider, tenant: string, count: number): Promise<void> {
  const arrived = () => provider.arrivals.filter((each) => each.tenant === tenant).length;
  while (arrived() < count) await pause(10);
}

/** Stops the store for longer than a lease, while a call holds a lease. */
async function runAway(
  crew: readonly Member[],
  server: Server,
  provider: Provider,
): Promise<{ readonly away: AwayCounts; readonly ends: readonly End[] }> {
  const serial = { ...one, tools: ["serial"], tenants: ["cut-off"] } as const;
  provider.mute("cut-off");
  const cutOff = crew[0]?.order(serial) ?? [];
  await arrivals(provider, "cut-off", 1);
  await server.kill();
  const before = provider.arrivals.length;
  const order = { callers, rounds: 1, tenants: ["away"], keys: { prefix: "a", count: 50 } };
  const tools = ["costly", "once", "narrow", "serial", "lookup"] as const;
  const ends = await Promise.all(crew.map((each) => each.order({ ...order, tools })));
  const lost = await cutOff;
  const arrived = provider.arrivals.slice(before).filter(({ tool }) => tool !== "lookup");
  provider.answer("cut-off");
  await server.start();
  // New callers wait until the lease of the disconnected caller expires.
  const next = await Promise.all(crew.map((each) => each.order(serial)));
  return {
    away: awayCounts(ends, arrived.length),
    ends: [...ends.flat(), ...lost, ...next.flat()],
  };
}

function awayCounts(ends: readonly (readonly End[])[], writesArrived: number): AwayCounts {
  const isRead = ({ tool }: End) => tool === "lookup";
  const isRefused = ({ how, outcome }: End) =>
    how === "store-unavailable" && outcome === "not-done";
  const writes = ends.flat().filter((each) => !isRead(each));
  const reads = ends
    .slice(0, processes / 2)
    .flat()
    .filter(isRead);
  const strictReads = ends
    .slice(processes / 2)
    .flat()
    .filter(isRead);
  return {
    writes: writes.length,
    writesRefused: writes.filter(isRefused).length,
    writesArrived,
    reads: reads.length,
    readsMade: reads.filter(({ how }) => how === "success").length,
    strictReads: strictReads.length,
    strictReadsRefused: strictReads.filter(isRefused).length,
  };
}

function runBack(crew: readonly Member[]): Promise<readonly End[]> {
  return orderAll(crew, {
    callers: 8,
    rounds: 1,
    tools: ["once", "other", "lookup", "serial"],
    tenants: ["back"],
    keys: { prefix: "b", count: 40 },
  });
}
