import { hostname } from "node:os";
import { isRunning } from "../../process.js";
import {
  type LedgerFileName,
  type WriterFiles,
  groupByWriter,
  namesIn,
  parseFileName,
  pathOf,
} from "./file-name.js";
import { isIntact, readLink } from "../chain/line.js";
import { readLines } from "./read-lines.js";
import type { SettleRecord } from "../record.js";
import {
  type OpenRecord,
  parseRecord,
  type PrunedFile,
  type PruneRecord,
} from "../chain/chain-record.js";
import { SummaryCheck } from "./summary.js";
import type {
  LedgerVerification,
  UnknownOutcome,
  WriterState,
  WriterSummary,
} from "../verification.js";
import { readAttachment } from "./attachment-files.js";
import { countAttached } from "../chain/attached.js";
import {
  addProblem,
  ChainCheck,
  type Claim,
  type VerificationState,
  newVerificationState,
} from "../chain/chain-check.js";
import { bySettlement, unknownOf } from "../chain/outcomes.js";

/**
 * Checks every line and every chain of a ledger, and lists the writes whose outcome is unknown. It
 * reads the files as streams: memory grows with the number of problems and unknown outcomes. It
 * never throws because of the files' content.
 */
export async function verifyFiles(directory: string): Promise<LedgerVerification> {
  const names = await namesIn(directory);
  const state = newVerificationState();
  reportStrangers(state, names);
  const writers = groupByWriter(names);
  for (const writer of writers) await collectClaims(directory, writer, state);
  reportMissing(state, writers);
  const unknownOutcomes: UnknownOutcome[] = [];
  const settlements: SettleRecord[] = [];
  const summaries: WriterSummary[] = [];
  for (const writer of writers) {
    const chain = await followChain(directory, writer, state);
    const summary = summarize(writer, chain);
    summaries.push(summary);
    unknownOutcomes.push(...unknownOf(chain, summary.state));
    settlements.push(...chain.settlements);
  }
  return {
    directory,
    files: writers.reduce((sum, each) => sum + each.files.length, 0),
    records: summaries.reduce((sum, each) => sum + each.records, 0),
    problems: state.problems,
    problemsLeftOut: state.leftOut,
    tornLines: state.tornLines,
    ...bySettlement(unknownOutcomes, settlements),
    writers: summaries,
    attachments: state.attachments,
    prunings: state.prunings.toSorted((a, b) => (a.time < b.time ? -1 : 1)),
  };
}

/**
 * Reports `.jsonl` files whose names are not those of ledger files, such as renamed ones. Other
 * files are ignored.
 */
function reportStrangers(state: VerificationState, names: readonly string[]): void {
  for (const name of names) {
    if (!name.endsWith(".jsonl") || parseFileName(name)) continue;
    addProblem(state, {
      file: name,
      line: 0,
      kind: "wrong-file",
      message: "is not named like a ledger file",
    });
  }
}

/** Collects what a writer's first file says about other chains: their heads, and pruned files. */
async function collectClaims(
  directory: string,
  writer: WriterFiles,
  state: VerificationState,
): Promise<void> {
  const file = writer.files[0];
  if (!file) return;
  for (const line of await firstLines(directory, file)) {
    const link = readLink(line);
    const record = link && parseRecord(line.toString("utf8"));
    if (record?.type === "open") addClaims(record, file.name, state);
    if (link && record?.type === "prune" && isIntact(line, link)) addPruned(record, state);
  }
}

function addClaims({ seen }: OpenRecord, by: string, { claims }: VerificationState): void {
  for (const each of seen)
    claims.set(each.file, [...(claims.get(each.file) ?? []), { ...each, by }]);
}

function addPruned(
  { before, files, time }: PruneRecord,
  { pruned, prunings }: VerificationState,
): void {
  for (const each of files) pruned.set(each.file, each);
  const records = files.reduce((sum, each) => sum + each.records, 0);
  prunings.push({ time, before, files: files.length, records });
}

/** Reads the first two lines. The record of a pruning is the second line of its file. */
async function firstLines(directory: string, file: LedgerFileName): Promise<readonly Buffer[]> {
  const first: Buffer[] = [];
  try {
    for await (const lines of readLines(pathOf(directory, file))) {
      first.push(...lines.slice(0, 2 - first.length).map(({ bytes }) => bytes));
      if (first.length === 2) break;
    }
  } catch {
    // Following the chain meets the same failure, and reports it.
  }
  return first;
}

/**
 * Reports missing files that other writers saw. It ignores files older than the oldest one left,
 * which may have been removed to make room.
 */
function reportMissing(state: VerificationState, writers: readonly WriterFiles[]): void {
  const files = writers.flatMap((each) => each.files);
  const present = new Set(files.map((each) => each.name));
  const oldestMs = Math.min(...files.map((each) => each.startMs));
  for (const [name, claims] of state.claims) {
    const missing = parseFileName(name);
    if (present.has(name) || !missing) continue;
    const pruned = state.pruned.get(name);
    if (pruned) reportPruned(state, pruned, claims);
    if (pruned || missing.startMs <= oldestMs) continue;
    const message = `is missing, but \`${claims[0]?.by ?? ""}\` saw it`;
    addProblem(state, { file: name, line: 0, kind: "missing-file", message });
  }
}

/** Reports records that others saw, and that were missing when the file was pruned. */
function reportPruned(
  state: VerificationState,
  { file, hash, seq }: PrunedFile,
  claims: readonly Claim[],
): void {
  for (const claim of claims) {
    if (claim.seq < seq || (claim.seq === seq && claim.hash === hash)) continue;
    const message = `record ${claim.seq}, which \`${claim.by}\` saw here, was missing when the file was pruned`;
    addProblem(state, { file, line: 0, kind: "missing-lines", message });
  }
}

async function followChain(
  directory: string,
  writer: WriterFiles,
  state: VerificationState,
): Promise<ChainCheck> {
  const chain = new ChainCheck(state);
  let part = 1;
  for (const file of writer.files) {
    const before = file.part === part ? undefined : prunedBefore(file, state);
    if (before) chain.resume(before);
    else if (file.part !== part) {
      const message = `file ${part} of \`${writer.writer}\`, which precedes it, is missing`;
      addProblem(state, { file: file.name, line: 0, kind: "missing-file", message });
      chain.lose();
    }
    part = file.part + 1;
    await followFile(directory, file, chain, state);
  }
  // The writer may have continued in a new file since the directory was read.
  if (chain.closed === "rotated" && !(await isThere(directory, writer.writer, part))) {
    const message = `file ${part} of \`${writer.writer}\`, which continues it, is missing`;
    const file = writer.files.at(-1)?.name ?? "";
    addProblem(state, { file, line: 0, kind: "missing-file", message });
  }
  return chain;
}

/** Returns the file before this one, if it was pruned. */
function prunedBefore(
  { part, writer }: LedgerFileName,
  { pruned }: VerificationState,
): PrunedFile | undefined {
  for (const each of pruned.values()) {
    const file = parseFileName(each.file);
    if (file?.writer === writer && file.part === part - 1) return each;
  }
  return undefined;
}

async function isThere(directory: string, writer: string, part: number): Promise<boolean> {
  const files = (await namesIn(directory)).map(parseFileName);
  return files.some((file) => file?.writer === writer && file.part === part);
}

const wrongSummary =
  "its summary does not match the file, so queries may miss calls; delete the summary, and the runtime makes it again";

async function followFile(
  directory: string,
  file: LedgerFileName,
  chain: ChainCheck,
  state: VerificationState,
): Promise<void> {
  chain.enter(file, state.claims.get(file.name) ?? []);
  try {
    const summary = new SummaryCheck(directory, file);
    for await (const lines of readLines(pathOf(directory, file))) {
      for (const line of lines) {
        chain.check(line);
        summary.add(line);
      }
      for (const each of chain.takeAttached()) {
        const found = readAttachment(directory, each.attachment, each.isBytes ? "bin" : "json");
        countAttached(file.name, each, "content" in found ? "intact" : found.problem, state);
      }
    }
    chain.leave();
    if (!summary.isTrue())
      addProblem(state, {
        file: file.name,
        line: 0,
        kind: "wrong-summary",
        message: wrongSummary,
      });
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    addProblem(state, {
      file: file.name,
      line: 0,
      kind: "unreadable-file",
      message: error.message,
    });
    chain.lose();
  }
}

function summarize(writer: WriterFiles, chain: ChainCheck): WriterSummary {
  const { hash, seq } = chain.head;
  return {
    writer: writer.writer,
    files: writer.files.length,
    records: chain.records,
    state: stateOf(chain),
    head: hash === null ? null : { seq: seq - 1, hash },
  };
}

function stateOf(chain: ChainCheck): WriterState {
  if (chain.closed && chain.closed !== "rotated") return "closed";
  if (!chain.opening || chain.opening.host !== hostname())
    return chain.opening ? "elsewhere" : "gone";
  return isRunning(chain.opening.pid) ? "running" : "gone";
}
