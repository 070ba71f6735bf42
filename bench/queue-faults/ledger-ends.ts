import { queryLedger, verifyLedger } from "@skillc/runtime";

/** How a call ended, as the ledger tells it. */
export interface LedgerEnd {
  /** A result's status, `failed` or `unknown`. */
  readonly status: string;
  /** Of the error. */
  readonly code: string | undefined;
}

export interface LedgerEnds {
  /** By the trace that each call was made with; one, when all is well. */
  readonly byTrace: ReadonlyMap<string, readonly LedgerEnd[]>;
  /** What `verifyLedger` finds wrong. */
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
