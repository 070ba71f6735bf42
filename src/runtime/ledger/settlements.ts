import type { EndedCall, LedgerCall, UnknownCall } from "./ledger-call.js";
import type { Settlement, SettleRecord } from "./record.js";

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
