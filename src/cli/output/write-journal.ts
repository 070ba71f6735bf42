/**
 * The journal of a write. It is stored beside the staged files, and removed when all of them are in
 * place. If the process is killed in between, the next process reads the journal and completes the
 * write.
 *
 * A cloned repository may contain such a folder. So a step only runs below the write's folder,
 * where there is no link, and if the file is unchanged since before the write.
 */
import { type Dirent, readdirSync, renameSync } from "node:fs";
import { join, posix } from "node:path";
import {
  findObstacle,
  makeOwnFolder,
  type OwnFolder,
  readRegularFile,
  refuseObstacle,
  removeEmptyOwnFolders,
  removeOwnFile,
  removeOwnFolder,
  systemCode,
  writeOwnFile,
} from "@skillc/runtime/internal";
import { sha256OfBytes } from "../../core/hash.js";
import { isJsonObject, type JsonValue } from "../../core/json.js";

/** A file that is written or removed. */
export interface JournalStep {
  /** Path relative to the project's folder, with `/`. */
  readonly path: string;
  /** Hash of the file before; null if there was none. */
  readonly before: string | null;
  /** Hash of the file afterwards; null if it is removed. */
  readonly after: string | null;
}

/** Prefix of a folder with staged files; `mkdtemp` appends six characters. */
export const stagingPrefix = ".writing-";
const stagingName = /^\.writing-[A-Za-z0-9]{6}$/;
const journalName = "journal.json";
/** Names of staged files: the number of the step. */
const stagedName = /^(?:\d+|journal\.json(?:\.\d+\.[0-9a-f]{12}\.tmp)?)$/;

/** Hash of a file; null if there is none. */
export function hashAt(path: string): string | null {
  try {
    return sha256OfBytes(readRegularFile(path, { links: false }));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** @param staging absolute path of the folder with the staged files */
export function writeJournal(staging: string, steps: readonly JournalStep[]): void {
  writeOwnFile(staging, journalName, `${JSON.stringify({ format: 1, steps })}\n`);
}

/** Marks the write as complete, even if its folder isn't removed yet. */
export function closeJournal(staging: string): void {
  removeOwnFile(staging, journalName);
}

/** Lists the remaining steps of interrupted writes. */
export function pendingSteps(root: string, folder: string): readonly JournalStep[] {
  return stagingFolders(root, folder).flatMap((staging) =>
    stepsOf(root, folder, staging).filter((step, index) =>
      isPending(root, step, `${staging}/${index}`),
    ),
  );
}

/**
 * Completes interrupted writes, and removes their staged files.
 *
 * @param folder folder of the writes, below the project's
 * @throws PlaceTaken, or errors of the file system
 */
export function completeWrites(root: string, folder: string): void {
  for (const staging of stagingFolders(root, folder)) {
    const steps = stepsOf(root, folder, staging);
    for (const [index, step] of steps.entries())
      if (isPending(root, step, `${staging}/${index}`)) complete(root, `${staging}/${index}`, step);
    removeFoldersOf(
      { root, path: folder },
      steps.filter(({ after }) => after === null),
    );
    removeOwnFolder(root, staging);
  }
}

/** Removes the folders of removed files that have become empty. */
export function removeFoldersOf(
  { path, root }: OwnFolder,
  removed: readonly Pick<JournalStep, "path">[],
): void {
  for (const each of removed) {
    const below = posix.relative(path, posix.dirname(each.path));
    if (below !== "") removeEmptyOwnFolders({ root, path }, below);
  }
}

function complete(root: string, staged: string, { after, path }: JournalStep): void {
  if (after === null) return removeOwnFile(root, path);
  makeOwnFolder(root, posix.dirname(path));
  renameSync(join(root, staged), join(root, path));
}

/**
 * Checks if a step is pending: its file lacks the new text. A file that somebody has changed since
 * stays unchanged. Without the staged file, an earlier run put it in place, and somebody has undone
 * that.
 */
function isPending(root: string, { after, before, path }: JournalStep, staged: string): boolean {
  refuseObstacle(root, path, "file");
  if (after !== null && hashAt(join(root, staged)) !== after) return false;
  return before !== after && hashAt(join(root, path)) === before;
}

/** Lists folders of staged files, below the project's. Skips folders with other content. */
function stagingFolders(root: string, folder: string): readonly string[] {
  return entriesIn(root, folder)
    .filter((entry) => entry.isDirectory() && stagingName.test(entry.name))
    .map(({ name }) => posix.join(folder, name))
    .toSorted()
    .filter((staging) =>
      entriesIn(root, staging).every((entry) => entry.isFile() && stagedName.test(entry.name)),
    );
}

function entriesIn(root: string, folder: string): readonly Dirent[] {
  if (findObstacle(root, folder, "folder") !== undefined) return [];
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * Reads the steps of a journal. Empty if the journal is incomplete, because no file was moved yet.
 */
function stepsOf(root: string, folder: string, staging: string): readonly JournalStep[] {
  const steps = parsedSteps(textAt(join(root, staging, journalName)));
  const isSound = steps.every(
    ({ after, path }, index) =>
      isBelow(folder, path) &&
      [null, after].includes(after === null ? null : hashAt(join(root, staging, `${index}`))),
  );
  return isSound ? steps : [];
}

function isBelow(folder: string, path: string): boolean {
  const below = posix.relative(folder, path);
  return path === posix.normalize(path) && below !== "" && !/^(?:\.\.(?:\/|$)|\/)/.test(below);
}

function textAt(path: string): string {
  try {
    return readRegularFile(path, { links: false }).toString("utf8");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "";
  }
}

function parsedSteps(text: string): readonly JournalStep[] {
  try {
    // JSON.parse returns a JSON value.
    const journal = JSON.parse(text) as JsonValue;
    const steps = isJsonObject(journal) && journal["format"] === 1 ? journal["steps"] : [];
    const read = Array.isArray(steps) ? steps.map(stepOf) : [];
    return read.includes(undefined) ? [] : read.filter((each) => each !== undefined);
  } catch {
    return [];
  }
}

function stepOf(value: JsonValue): JournalStep | undefined {
  const { after, before, path } = isJsonObject(value) ? value : {};
  const isHash = (each: unknown): each is string | null =>
    each === null || typeof each === "string";
  if (typeof path !== "string" || !isHash(after) || !isHash(before)) return undefined;
  return { path, before, after };
}
