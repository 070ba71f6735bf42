import type { BeginRecord, EndRecord, SettledAs, Settlement, SettleRecord } from "./record.js";

/** Where a call stands in the ledger. */
export interface LedgerPlace {
  /** In a store that has files. */
  readonly file?: string;
  readonly writer: string;
  /**
   * The number, within the writer's chain, of the record that told the most: the end record, or the
   * begin record without one.
   */
  readonly seq: number;
}

interface Found {
  readonly place: LedgerPlace;
  /** Give it as `cursor` to go on after this call. */
  readonly cursor: string;
}

/** A call whose outcome is recorded. */
export type EndedCall = Omit<EndRecord, "type"> & Found & { readonly outcome: "ended" };

/** How a call ended that may have been carried out all the same. */
export interface UnknownEnd extends Pick<
  EndRecord,
  "attachments" | "attempts" | "decision" | "durationMs"
> {
  /** Absent when there was an answer, which doesn't tell. */
  readonly error?: NonNullable<EndRecord["error"]>;
}

/**
 * A write of which nobody knows whether it was carried out. Without `attempts` it has no end: it is
 * in flight, or its process died, or its outcome couldn't be recorded. With them, its caller got an
 * error after the write had left, or an answer that doesn't tell. `accepted` says where the target
 * can be asked, if it has said so.
 */
export type UnknownCall = Omit<BeginRecord, "type"> &
  Found &
  Partial<UnknownEnd> & { readonly outcome: "unknown" };

/** A write whose outcome was unknown until a person found it out. */
export type SettledCall = Omit<UnknownCall, "outcome"> & {
  readonly outcome: "settled";
  readonly settlement: Settlement;
};

/** One call, its records merged. */
export type LedgerCall = EndedCall | UnknownCall | SettledCall;

/**
 * What an end record says of a write that may have been carried out though its call failed;
 * undefined for any other.
 */
export function unknownEnd({
  attachments,
  attempts,
  decision,
  durationMs,
  error,
  status,
}: EndRecord): UnknownEnd | undefined {
  // A tool may name one of its own statuses so.
  if (status !== "unknown" || (error === null && decision?.outcome === undefined)) return undefined;
  return {
    attempts,
    durationMs,
    ...(attachments !== undefined && { attachments }),
    ...(error !== null && { error }),
    ...(decision !== undefined && { decision }),
  };
}

/** A settled call's status, which no tool's answer has. */
const settledStatuses: { readonly [As in SettledAs]: string } = {
  done: "settled-done",
  "not-done": "settled-not-done",
};

/**
 * Whether a call of that status was of unknown outcome once, or still is: its records don't tell
 * the status then.
 */
export function wasUnknown(status: string): boolean {
  return status === "unknown" || Object.values(settledStatuses).includes(status);
}

/** The call's status; `unknown`, or what a person found out, where none is recorded. */
export function statusOf(call: LedgerCall): string {
  if (call.outcome === "ended") return call.status;
  return call.outcome === "unknown" ? "unknown" : settledStatuses[call.settlement.as];
}

/** What people found out, by the calls' ids. Records are added newest first. */
export class Settlements {
  readonly #byId = new Map<string, Settlement>();

  /** Of several for one call the first counts: the newest. */
  add({ id, as, because, time, correction }: SettleRecord): void {
    if (this.#byId.has(id)) return;
    this.#byId.set(id, { as, because, time, ...(correction && { correction }) });
  }

  of(id: string): Settlement | undefined {
    return this.#byId.get(id);
  }

  /** A call whose own records tell how it ended needs nobody's word. */
  applyTo(call: EndedCall | UnknownCall): LedgerCall {
    if (call.outcome === "ended") return call;
    const settlement = this.of(call.id);
    return settlement === undefined ? call : { ...call, outcome: "settled", settlement };
  }
}
