/** Lists the writes with an unknown outcome after a verification. */
import { Settlements } from "../ledger-call.js";
import type { SettleRecord } from "../record.js";
import type {
  LedgerVerification,
  SettledOutcome,
  UnknownOutcome,
  WriterState,
} from "../verification.js";
import type { ChainCheck } from "./chain-check.js";

export function unknownOf(chain: ChainCheck, state: WriterState): readonly UnknownOutcome[] {
  return [...chain.unknown].map(({ record, file, line }) => {
    const { id, skill, tool, time } = record;
    const error = record.type === "end" ? (record.error?.code ?? null) : null;
    return { id, skill, tool, time, file, line, error, writer: state };
  });
}

/** Separates settled writes from the others. */
export function bySettlement(
  outcomes: readonly UnknownOutcome[],
  records: readonly SettleRecord[],
): Pick<LedgerVerification, "unknownOutcomes" | "settledOutcomes"> {
  const settlements = new Settlements();
  const newestFirst = records.toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time));
  for (const each of newestFirst) settlements.add(each);
  const unknownOutcomes: UnknownOutcome[] = [];
  const settledOutcomes: SettledOutcome[] = [];
  for (const each of outcomes) {
    const settlement = settlements.of(each.id);
    if (settlement === undefined) unknownOutcomes.push(each);
    else settledOutcomes.push({ ...each, settlement });
  }
  return { unknownOutcomes, settledOutcomes };
}
