import { queryStore } from "./query.js";
import type { CallRecord, LedgerRecord } from "./record.js";
import { type LedgerStore, noLedger, recordOf } from "./store.js";
import type { UnknownOutcome } from "./verification.js";

/** A ledger whose records you can read directly. */
export interface MemoryLedger extends LedgerStore {
  /** Records of calls in the order of `append`, as parsed from JSON. */
  readonly records: readonly CallRecord[];
}

const writer = "memory";

/** Creates a ledger in memory, for tests. It grows without limit. */
export function createMemoryLedger(): MemoryLedger {
  const all: LedgerRecord[] = [];
  const records: CallRecord[] = [];
  const ledger: MemoryLedger = {
    records,
    append(entry) {
      const record = recordOf(entry);
      all.push(record);
      if (record.type !== "settle") records.push(record);
      return undefined;
    },
    async *read() {
      let timeMs = Number.POSITIVE_INFINITY;
      for (let seq = all.length - 1; seq >= 0; seq -= 1) {
        const record = all[seq];
        if (record === undefined) return;
        timeMs = Math.min(timeMs, Date.parse(record.time));
        yield { record, position: { timeMs, writer, seq } };
      }
    },
    async verify() {
      const unknownOutcomes: UnknownOutcome[] = [];
      const settledOutcomes = [];
      for await (const call of queryStore(ledger)) {
        if (call.outcome === "ended") continue;
        const { error, id, place, skill, time, tool } = call;
        const known = { id, skill, tool, time, file: writer, line: place.seq + 1 };
        const outcome: UnknownOutcome = { ...known, error: error?.code ?? null, writer: "running" };
        if (call.outcome === "unknown") unknownOutcomes.push(outcome);
        else settledOutcomes.push({ ...outcome, settlement: call.settlement });
      }
      return {
        ...(await noLedger.verify()),
        records: all.length,
        unknownOutcomes,
        settledOutcomes,
      };
    },
    close: () => Promise.resolve(),
  };
  return ledger;
}
