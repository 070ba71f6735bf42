/**
 * The table of past prunings. It is a chain like a writer's. Each line records the last removed
 * record of each pruned writer.
 */
import { addProblem, type VerificationState } from "../chain/chain-check.js";
import { parseRecord, type PruneRecord } from "../chain/chain-record.js";
import { type ChainHead, chainStart, isIntact, linkedLine, readLink } from "../chain/line.js";
import { type Tables, textOf } from "./tables.js";
import type { Row } from "./pool.js";

export interface Asking {
  ask(text: string, values?: unknown[]): Promise<readonly Row[]>;
}

const name = "prunings";

/** Reads past prunings into the state of a verification, and reports problems of their records. */
export async function readPrunings(
  asking: Asking,
  { prunings }: Tables,
  state: VerificationState,
): Promise<ChainHead> {
  let head = chainStart;
  const rows = await asking.ask(
    `SELECT p.number::text, p.line FROM ${prunings} p ORDER BY p.number`,
  );
  for (const row of rows) {
    const bytes = Buffer.from(textOf(row, "line"));
    const link = readLink(bytes);
    const record = link && parseRecord(bytes.toString());
    const number = Number(textOf(row, "number"));
    const problem = (kind: "unreadable-line" | "changed-line" | "broken-chain", message: string) =>
      addProblem(state, { file: name, line: number + 1, kind, message });
    if (link === undefined || record?.type !== "prune") {
      problem("unreadable-line", "is not a record");
      continue;
    }
    if (!isIntact(bytes, link)) problem("changed-line", `record ${link.seq} was changed`);
    else addPruned(record, state);
    if (link.seq !== head.seq || link.prev !== head.hash || link.seq !== number)
      problem("broken-chain", `record ${link.seq} does not follow the record before it`);
    head = { seq: link.seq + 1, hash: link.hash };
  }
  return head;
}

function addPruned(
  { before, files, time }: PruneRecord,
  { pruned, prunings }: VerificationState,
): void {
  for (const each of files) pruned.set(each.file, each);
  const records = files.reduce((sum, each) => sum + each.records, 0);
  prunings.push({ time, before, files: files.length, records });
}

/** Returns the row of a pruning. */
export function pruningRow(head: ChainHead, record: PruneRecord): readonly [number, string] {
  return [head.seq, linkedLine(head, undefined, JSON.stringify(record)).text.trimEnd()];
}
