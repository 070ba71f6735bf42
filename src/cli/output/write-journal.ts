/**
 * What a write was about to do. It lies beside the files that the write staged, and is gone when all
 * of them are in place: a process that is killed in between leaves it, and the next one does the rest.
 *
 * A cloned repository may bring such a folder. So a step is done only below the folder that the
 * write was about, where no link stands, and where a file is still what it was before the write.
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
  /** Relative to the project's folder, with `/`. */
  readonly path: string;
  /** Hash of what is there before; null for nothing. */
  readonly before: string | null;
  /** Hash of what is there afterwards; null for a file that is removed. */
  readonly after: string | null;
}

/** Of a folder with staged files, which `mkdtemp` ends with six characters. */
export const stagingPrefix = ".writing-";
const stagingName = /^\.writing-[A-Za-z0-9]{6}$/;
const journalName = "journal.json";
/** Staged files are called by the number of their step. */
const stagedName = /^(?:\d+|journal\.json(?:\.\d+\.[0-9a-f]{12}\.tmp)?)$/;

/** Hash of a file; null where there is none. */
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

/** From here on the write is done, whatever is left of its folder. */
export function closeJournal(staging: string): void {
  removeOwnFile(staging, journalName);
}

/** What writes that were cut short have still to do. */
export function pendingSteps(root: string, folder: string): readonly JournalStep[] {
  return stagingFolders(root, folder).flatMap((staging) =>
    stepsOf(root, folder, staging).filter((step, index) =>
      isPending(root, step, `${staging}/${index}`),
    ),
  );
}

/**
 * Does the rest of writes that were cut short, and removes what they had staged.
 *
 * @param folder the folder that they were about, below the project's
 * @throws PlaceTaken, or the file system's error
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

/** Removes the folders of removed files that are empty then. */
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
 * A step is pending until its file has the new text. A file that somebody has changed since stays
 * theirs. If the staged file is gone, an earlier run put it in place, and somebody has undone that.
 */
function isPending(root: string, { after, before, path }: JournalStep, staged: string): boolean {
  refuseObstacle(root, path, "file");
  if (after !== null && hashAt(join(root, staged)) !== after) return false;
  return before !== after && hashAt(join(root, path)) === before;
}

/** Folders of staged files, below the project's; not those in which something else lies. */
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

/** None where the journal was not finished: then nothing was in place yet. */
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
    // What `JSON.parse` gives is JSON.
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
