/**
 * Makes room: removes whole files of old records, and first records which, by a writer of its own.
 * The record holds how many records each had and where its chain stood, so that verifying can tell
 * a file that was pruned from one that is missing, and goes on with what is left of the chain.
 */
import { posix } from "node:path";
import { type OwnFolder, refuseObstacle, removeOwnFile } from "../../files/own-place.js";
import type { Pruning, PruneOptions } from "../pruning.js";
import { timeOf } from "../query-filter.js";
import type { LedgerVerification } from "../verification.js";
import { attachmentsIn, pruneAttachments } from "./attachment-files.js";
import { lastLine, isLeft } from "./file-ends.js";
import {
  directoryOf,
  type LedgerFileName,
  groupByWriter,
  namesIn,
  pathOf,
  type WriterFiles,
} from "./file-name.js";
import { parseRecord, type PrunedFile, type PruneRecord } from "../chain/chain-record.js";
import { readLines } from "./read-lines.js";
import { summaryNameOf } from "./summary.js";
import { verifyFiles } from "./verify.js";
import { LedgerWriter, syncDirectory } from "./writer.js";

/**
 * @throws RangeError when the time is not one
 * @throws PlaceTaken when a link, or something else, stands where the ledger has its folders or a
 *   file that would go: nothing is removed then
 */
export async function pruneFiles(ledger: OwnFolder, options: PruneOptions): Promise<Pruning> {
  const directory = directoryOf(ledger);
  const beforeMs = timeOf("before", options.before);
  const before = new Date(beforeMs).toISOString();
  refuseObstacle(ledger.root, attachmentsIn(ledger), "folder");
  const verification = await verifyFiles(directory);
  const old: OldFile[] = [];
  for (const writer of groupByWriter(await namesIn(directory)))
    old.push(...(await oldFilesOf(directory, writer, beforeMs)));
  const files = withoutNeeded(old, verification);
  const names = new Set(files.map(({ file }) => file.name));
  for (const name of names) refuseObstacle(ledger.root, posix.join(ledger.path, name), "file");
  const unknownOutcomes = verification.unknownOutcomes.filter(({ file }) => names.has(file));
  const found = {
    directory,
    before,
    files: files.map(({ file: { name }, records }) => ({ file: name, records })),
    records: files.reduce((sum, { records }) => sum + records, 0),
    unknownOutcomes,
    problems: verification.problems.length + verification.problemsLeftOut,
  };
  const isRefused =
    found.problems > 0 || (unknownOutcomes.length > 0 && options.includeUnknown !== true);
  if (isRefused || options.dryRun === true) return { ...found, removed: false };
  if (files.length === 0) {
    completeAttachments(ledger, beforeMs, verification);
    return { ...found, removed: false };
  }
  await record(ledger, before, files);
  await remove(ledger, files);
  pruneAttachments(ledger, beforeMs);
  return { ...found, removed: true };
}

/**
 * A pruning that was cut short when its files were gone left attachments, which its record says are
 * pruned.
 */
function completeAttachments(
  ledger: OwnFolder,
  beforeMs: number,
  { prunings }: Pick<LedgerVerification, "prunings">,
): void {
  for (const { before } of prunings)
    if (Date.parse(before) <= beforeMs) pruneAttachments(ledger, Date.parse(before));
}

/** A file whose records are all old. */
interface OldFile {
  readonly file: LedgerFileName;
  readonly records: number;
  readonly head: { readonly seq: number; readonly hash: string };
  /** Ids of the calls that it settles. */
  readonly settles: readonly string[];
}

/** The first files of a writer, as far as they are old: a chain has no holes. */
async function oldFilesOf(
  directory: string,
  { files }: WriterFiles,
  beforeMs: number,
): Promise<readonly OldFile[]> {
  const old: OldFile[] = [];
  for (const [index, file] of files.entries()) {
    if (file.startMs >= beforeMs) break;
    if (index === files.length - 1 && !isLeft(pathOf(directory, file), file)) break;
    const found = await oldFile(pathOf(directory, file), file, beforeMs);
    if (found === undefined) break;
    old.push(found);
  }
  return old;
}

/**
 * Undefined when a record is younger, or says what was pruned: that is needed for as long as there
 * is a ledger.
 */
async function oldFile(
  path: string,
  file: LedgerFileName,
  beforeMs: number,
): Promise<OldFile | undefined> {
  const settles: string[] = [];
  let records = 0;
  for await (const lines of readLines(path)) {
    for (const { bytes, ended } of lines) {
      const record = ended ? parseRecord(bytes.toString("utf8")) : undefined;
      if (record === undefined) continue;
      if (record.type === "prune" || Date.parse(record.time) >= beforeMs) return undefined;
      if (record.type === "settle") settles.push(record.id);
      if (record.type !== "open" && record.type !== "close") records += 1;
    }
  }
  const head = lastLine(path)?.link;
  return head && { file, records, head: { seq: head.seq, hash: head.hash }, settles };
}

/** A settlement stays as long as its call does. */
function withoutNeeded(
  old: readonly OldFile[],
  verification: Pick<LedgerVerification, "settledOutcomes">,
): readonly OldFile[] {
  const names = new Set(old.map(({ file }) => file.name));
  const stays = new Set(
    verification.settledOutcomes.filter(({ file }) => !names.has(file)).map(({ id }) => id),
  );
  const needed = old.filter(({ settles }) => settles.some((id) => stays.has(id)));
  if (needed.length === 0) return old;
  const isKept = ({ file }: OldFile) =>
    needed.some((each) => each.file.writer === file.writer && each.file.part <= file.part);
  // What stays with them may be settled in others.
  return withoutNeeded(
    old.filter((each) => !isKept(each)),
    verification,
  );
}

/** On disk before anything is removed. */
async function record(ledger: OwnFolder, before: string, files: readonly OldFile[]): Promise<void> {
  const pruned: readonly PrunedFile[] = files.map(({ file, head, records }) => ({
    file: file.name,
    ...head,
    records,
  }));
  const time = new Date().toISOString();
  const entry: PruneRecord = { type: "prune", time, before, files: pruned };
  const writer = new LedgerWriter(ledger, Number.POSITIVE_INFINITY);
  writer.add({ type: "prune", id: "", json: JSON.stringify(entry) });
  writer.end("closed");
  await writer.sync();
}

/**
 * The oldest first: should this be cut short, what is left of a chain is its end. A summary goes
 * before its file: without the file nobody would find it again.
 */
async function remove(ledger: OwnFolder, files: readonly OldFile[]): Promise<void> {
  const { path, root } = ledger;
  for (const { file } of files.toSorted(
    (a, b) => a.file.startMs - b.file.startMs || a.file.part - b.file.part,
  )) {
    removeOwnFile(root, posix.join(path, summaryNameOf(file.name)));
    removeOwnFile(root, posix.join(path, file.name));
  }
  await syncDirectory(directoryOf(ledger));
}
