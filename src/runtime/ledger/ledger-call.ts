import type { BeginRecord, EndRecord, SettledAs, Settlement, SettleRecord } from "./record.js";

/** Location of a call in the ledger. */
export interface LedgerPlace {
  /** Name of the file, in a file ledger. */
  readonly file?: string;
  readonly writer: string;
  /**
   * Number, in the writer's chain, of the end record, or of the begin record if there is no end.
   */
  readonly seq: number;
}

interface CallPosition {
  readonly place: LedgerPlace;
  /** Pass it as `cursor` to continue after this call. */
  readonly cursor: string;
}

/** A call whose outcome is recorded. */
export type EndedCall = Omit<EndRecord, "type"> & CallPosition & { readonly outcome: "ended" };

/** End of a call that failed, but may have been carried out. */
export interface UnknownEnd extends Pick<
  EndRecord,
  "attachments" | "attempts" | "containment" | "decision" | "durationMs" | "rollback"
> {
  /** Absent if there was an answer that doesn't say whether the write was carried out. */
  readonly error?: NonNullable<EndRecord["error"]>;
}

/**
 * A write whose outcome is unknown. Without `attempts` it has no end record: it is in progress, its
 * process died, or its end could not be recorded. With `attempts`, the caller got an error after
 * the write was sent, or an answer that doesn't say whether it was carried out. `accepted` has the
 * address for asking the target, if the target gave one.
 */
export type UnknownCall = Omit<BeginRecord, "type"> &
  CallPosition &
  Partial<UnknownEnd> & { readonly outcome: "unknown" };

/** A write whose outcome was unknown until a person settled it. */
export type SettledCall = Omit<UnknownCall, "outcome"> & {
  readonly outcome: "settled";
  /** The person's finding. */
  readonly settlement: Settlement;
};

/** One call, merged from its records. */
export type LedgerCall = EndedCall | UnknownCall | SettledCall;

/**
 * Returns the end of a write that failed, but may have been carried out; undefined for other calls.
 */
export function unknownEnd({
  attachments,
  attempts,
  containment,
  decision,
  durationMs,
  error,
  rollback,
  status,
}: EndRecord): UnknownEnd | undefined {
  // A tool may have its own status `unknown`.
  if (status !== "unknown" || (error === null && decision?.outcome === undefined)) return undefined;
  return {
    attempts,
    durationMs,
    ...(attachments !== undefined && { attachments }),
    ...(containment !== undefined && { containment }),
    ...(rollback !== undefined && { rollback }),
    ...(error !== null && { error }),
    ...(decision !== undefined && { decision }),
  };
}

/** Statuses of settled calls. No tool's answer has them. */
const settledStatuses: { readonly [As in SettledAs]: string } = {
  done: "settled-done",
  "not-done": "settled-not-done",
};

/**
 * Returns whether calls with this status have or had an unknown outcome. Their records then don't
 * contain the status.
 */
export function wasUnknown(status: string): boolean {
  return status === "unknown" || Object.values(settledStatuses).includes(status);
}

/** Returns a call's status. If none is recorded, it is `unknown` or the settled status. */
export function statusOf(call: LedgerCall): string {
  if (call.outcome === "ended") return call.status;
  return call.outcome === "unknown" ? "unknown" : settledStatuses[call.settlement.as];
}

/** Settlements by call id. Add records newest first. */
export class Settlements {
  readonly #byId = new Map<string, Settlement>();

  /** Adds a settlement. If a call has several, the first one added counts, which is the newest. */
  add({ id, as, because, time, correction }: SettleRecord): void {
    if (this.#byId.has(id)) return;
    this.#byId.set(id, { as, because, time, ...(correction && { correction }) });
  }

  of(id: string): Settlement | undefined {
    return this.#byId.get(id);
  }

  /** Applies a settlement to a call. A call whose records show its outcome needs none. */
  applyTo(call: EndedCall | UnknownCall): LedgerCall {
    if (call.outcome === "ended") return call;
    const settlement = this.of(call.id);
    return settlement === undefined ? call : { ...call, outcome: "settled", settlement };
  }
}
