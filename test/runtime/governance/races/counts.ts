/** Counts the outcomes of the calls of a race. */
import { createFileLedger } from "../../../../src/runtime/ledger/files/file-store.js";
import type { CallRecord } from "../../../../src/runtime/ledger/record.js";
import { limits } from "./policy.js";
import type { End } from "./process.js";
import type { Arrival, Provider } from "./provider.js";

export interface Counts {
  readonly calls: number;
  /** Calls by how they ended. */
  readonly ends: Readonly<Record<string, number>>;
  /** Calls beyond what a budget has. */
  readonly overBudget: number;
  /** Remaining budget of the tenant that has the most left. */
  readonly budgetLeft: number;
  /** Maximum number of one tenant's calls at the provider at one time. */
  readonly mostNarrow: number;
  readonly mostSerial: number;
  readonly keys: number;
  /** Keys with a call that the provider received. */
  readonly keysRun: number;
  readonly keysRunTwice: number;
  /** Answers with a key that belong to another call than the received one. */
  readonly wrongAnswers: number;
  readonly writesArrived: number;
  /** Writes that the provider received but that have no begin record in the ledger. */
  readonly missedByLedger: number;
  /** Ended calls without an end record. */
  readonly endsMissedByLedger: number;
  /** Number of problems that `verify` finds. */
  readonly ledgerProblems: number;
  /** Sent calls with an unknown outcome: first by their callers, then by the ledger. */
  readonly unknown: number;
  readonly unknownInLedger: number;
  /** Calls that lost their turn. */
  readonly leasesLost: number;
}

/** Sources of the counts. */
export interface Seen {
  readonly provider: Provider;
  readonly ledger: string;
  /** Start of the race, in milliseconds since 1970. A budget is full again at midnight. */
  readonly began: number;
}

const dayMs = 24 * 60 * 60 * 1000;

export async function countRace(
  ends: readonly End[],
  tenants: readonly string[],
  { began, ledger, provider }: Seen,
): Promise<Counts> {
  const arrivals = provider.arrivals.filter(({ tenant }) => tenants.includes(tenant));
  const days = Math.floor(Date.now() / dayMs) - Math.floor(began / dayMs) + 1;
  return {
    calls: ends.length,
    ends: endsBy(ends),
    ...budgets(arrivals, tenants, days),
    mostNarrow: provider.most("narrow", tenants),
    mostSerial: provider.most("serial", tenants),
    ...keysOf(arrivals, ends),
    ...(await inLedger(ledger, arrivals, ends, tenants)),
    unknown: ends.filter(isUnknown).length,
    leasesLost: ends.filter(({ how }) => how === "lease-lost").length,
  };
}

/** Reasons for denying a call because another call with its key was, or may have been, sent. */
const ofAnotherCall: ReadonlySet<string> = new Set([
  "answer-not-kept",
  "running",
  "unknown-outcome",
]);

function isUnknown({ how, outcome }: End): boolean {
  return outcome === "unknown" && !ofAnotherCall.has(how);
}

export function endsBy(ends: readonly End[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { how } of ends) counts[how] = (counts[how] ?? 0) + 1;
  return counts;
}

function budgets(arrivals: readonly Arrival[], tenants: readonly string[], days: number) {
  const count = (whose: string, tools: readonly string[]) =>
    arrivals.filter(({ tenant, tool }) => tenant === whose && tools.includes(tool)).length;
  const over = tenants.flatMap((tenant) => [
    count(tenant, ["costly"]) - limits.cost * days,
    count(tenant, ["costly", "other"]) - limits.calls * days,
  ]);
  return {
    overBudget: over.reduce((sum, each) => sum + Math.max(0, each), 0),
    budgetLeft: Math.max(...over.map((each) => Math.max(0, -each))),
  };
}

function keysOf(arrivals: readonly Arrival[], ends: readonly End[]) {
  const byKey = new Map<string, string[]>();
  for (const { id, key, tenant, tool } of arrivals) {
    if (tool !== "once") continue;
    const name = `${tenant}/${key}`;
    byKey.set(name, [...(byKey.get(name) ?? []), id]);
  }
  const keyed = ends.filter(({ tool }) => tool === "once");
  const wrong = keyed.filter(
    ({ answeredBy, key, tenant }) =>
      answeredBy !== undefined && !byKey.get(`${tenant}/${key}`)?.includes(answeredBy),
  );
  return {
    keys: new Set(keyed.map(({ key, tenant }) => `${tenant}/${key}`)).size,
    keysRun: byKey.size,
    keysRunTwice: [...byKey.values()].filter((ids) => ids.length > 1).length,
    wrongAnswers: wrong.length,
  };
}

async function inLedger(
  directory: string,
  arrivals: readonly Arrival[],
  ends: readonly End[],
  tenants: readonly string[],
) {
  const ledger = createFileLedger({ directory });
  const begun = new Set<string>();
  let ended = 0;
  for await (const { record } of ledger.read()) {
    if (record.type === "begin") begun.add(record.id);
    if (record.type === "end" && tenants.includes(tenantOf(record))) ended += 1;
    // The ledger may omit the begin record of a call with an end record.
    if (record.type === "end" && record.attempts > 0) begun.add(record.id);
  }
  const { problems, unknownOutcomes } = await ledger.verify();
  await ledger.close();
  const writes = arrivals.filter(({ tool }) => tool !== "lookup");
  const sent = new Set(writes.map(({ id }) => id));
  return {
    writesArrived: writes.length,
    missedByLedger: writes.filter(({ id }) => !begun.has(id)).length,
    endsMissedByLedger: ends.length - ended,
    ledgerProblems: problems.length,
    unknownInLedger: unknownOutcomes.filter(({ id }) => sent.has(id)).length,
  };
}

/** `process.ts` passes `tenant/key`, or the tenant alone. */
function tenantOf({ parameters }: CallRecord): string {
  const id =
    typeof parameters === "object" && parameters !== null && "id" in parameters
      ? parameters["id"]
      : undefined;
  return typeof id === "string" ? (id.split("/")[0] ?? "") : "";
}
