import { queryLedger, verifyLedger } from "@skillc/runtime";

/** End of a call in the ledger. */
export interface LedgerEnd {
  /** Status of a result, `failed` or `unknown`. */
  readonly status: string;
  /** Code of the error. */
  readonly code: string | undefined;
}

export interface LedgerEnds {
  /** Ends of each call, by trace. A correct ledger has one end per trace. */
  readonly byTrace: ReadonlyMap<string, readonly LedgerEnd[]>;
  /** Number of problems that `verifyLedger` finds. */
  readonly problems: number;
}

export async function readLedgerEnds(directory: string): Promise<LedgerEnds> {
  const byTrace = new Map<string, LedgerEnd[]>();
  for await (const call of queryLedger({ directory })) {
    const status = call.outcome === "ended" ? call.status : "unknown";
    const ends = byTrace.get(call.trace ?? "") ?? [];
    ends.push({ status, code: call.error?.code });
    byTrace.set(call.trace ?? "", ends);
  }
  const { problems, problemsLeftOut } = await verifyLedger({ directory });
  return { byTrace, problems: problems.length + problemsLeftOut };
}
