import type { Count, Run } from "./count.js";
import type { LedgerEnd } from "./ledger-ends.js";
import type { End, Published } from "./publish.js";
import { timesOf } from "./times.js";

/** Counts calls whose end contradicts the broker or the ledger. */
export function countsOfPromises({ published, ledger, stored }: Run): readonly Count[] {
  const ids = new Set(stored);
  const endsOf = ({ id }: Published) => ledger.byTrace.get(id) ?? [];
  const none = (what: string, isBroken: (each: Published) => boolean): Count => ({
    what,
    count: published.filter(isBroken).length,
    most: 0,
  });
  return [
    none("resolved, and missing in the broker", ({ end, id }) => isSuccess(end) && !ids.has(id)),
    none("resolved with another status", ({ end }) => end.kind === "resolved" && !isSuccess(end)),
    none(
      "rejected, and not in the ledger as failed or unknown",
      (each) => each.end.kind === "rejected" && !endsOf(each).some(isFailure),
    ),
    none("ended otherwise than the ledger tells", (each) => !matchesLedger(each.end, endsOf(each))),
    none(
      "rejected as `not-done`, and in the broker",
      ({ end, id }) => isNotDone(end) && ids.has(id),
    ),
  ];
}

/** Counts unexpected messages in the broker, and problems of the ledger. */
export function countsOfStored({ published, ledger, stored }: Run): readonly Count[] {
  const times = timesOf(stored);
  const known = new Set(published.map(({ id }) => id));
  const repeats = (mayRepeat: boolean) =>
    published
      .filter(({ tool }) => tool.mayRepeat === mayRepeat)
      .reduce((total, { id }) => total + (times.get(id) ?? 1) - 1, 0);
  const strangers = stored.filter((id) => !known.has(id)).length;
  return [
    { what: "duplicates in the broker, where they may be", count: repeats(true) },
    { what: "duplicates in the broker, where none may be", count: repeats(false), most: 0 },
    { what: "in the broker, and never published", count: strangers, most: 0 },
    { what: "faults in the ledger's chain", count: ledger.problems, most: 0 },
  ];
}

function isSuccess(end: End): boolean {
  return end.kind === "resolved" && end.status === "success";
}

function isNotDone(end: End): boolean {
  return end.kind === "rejected" && end.outcome === "not-done";
}

function isFailure({ status }: LedgerEnd): boolean {
  return status === "failed" || status === "unknown";
}

/**
 * Checks that a call has exactly one end in the ledger: the status or error that it returned, and
 * the known state of the write.
 */
function matchesLedger(end: End, told: readonly LedgerEnd[]): boolean {
  const [one, ...more] = told;
  if (one === undefined || more.length > 0) return false;
  if (end.kind === "hung") return one.status === "unknown";
  if (end.kind === "resolved") return one.status === end.status;
  return one.code === end.code && one.status === (isNotDone(end) ? "failed" : "unknown");
}
