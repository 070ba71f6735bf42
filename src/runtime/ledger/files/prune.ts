/**
 * Prunes a file ledger: removes whole files of old records. Before that, a new writer records the
 * number of records and the head of each removed file. So verification can tell a pruned file from
 * a missing one, and can continue with the rest of the chain.
 */
import { posix } from "node:path";
import { type OwnFolder, refuseObstacle, removeOwnFile } from "../../files/own-place.js";
import { syncDirectory } from "../../files/sync-directory.js";
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
import { LedgerWriter } from "./writer.js";

/**
 * Removes old files.
 *
 * @throws RangeError if the time is not valid
 * @throws PlaceTaken if a link or something else is in the place of the ledger's folders or of a
 * file to remove; nothing is removed then
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

/** Removes attachments of earlier prunings that were interrupted after removing their files. */
function completeAttachments(
  ledger: OwnFolder,
  beforeMs: number,
  { prunings }: Pick<LedgerVerification, "prunings">,
): void {
  for (const { before } of prunings)
    if (Date.parse(before) <= beforeMs) pruneAttachments(ledger, Date.parse(before));
}

/** A file in which all records are old. */
interface OldFile {
  readonly file: LedgerFileName;
  readonly records: number;
  readonly head: { readonly seq: number; readonly hash: string };
  /** Ids of the calls that the file settles. */
  readonly settles: readonly string[];
}

/**
 * Finds a writer's old files, from the first one on without gaps, because a chain must have none.
 */
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
 * Reads a file; undefined if a record is newer, or records a pruning. Records of prunings are
 * needed for as long as the ledger exists.
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

/** Keeps a settlement for as long as its call. */
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
  // A call in a kept file may have settlements in other files, so check again.
  return withoutNeeded(
    old.filter((each) => !isKept(each)),
    verification,
  );
}

/** Records the pruning, and syncs it to disk before anything is removed. */
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
 * Removes the oldest files first: if this is interrupted, the end of each chain is left. It removes
 * a summary before its file, because nobody would find it without the file.
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
