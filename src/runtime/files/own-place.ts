import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { systemCode } from "./system-code.js";

/**
 * The one answer to "is this path ours to write". skillc's own files (cache, ledger, lock,
 * generated modules) lie at places below a project's folder. What stands there may have come with
 * somebody else's repository: through a link on the way, files outside would be written or removed.
 * So every part of the way, from the project's folder down, must be a real folder. Above that
 * folder links are the system's business (macOS' `/tmp` is one).
 *
 * All paths are relative to the project's folder, with `/`. Where an application names a folder of
 * its own, such as the ledger's, that folder takes the place of the project's: it may be a link.
 */
export interface Obstacle {
  readonly path: string;
  /** What skillc needs there. */
  readonly wanted: "file" | "folder";
  readonly found: "file" | "folder" | "link" | "special file";
}

/** A folder that skillc writes into. */
export interface OwnFolder {
  /** Absolute: the project's folder, or one that the application names. Links may lead to it. */
  readonly root: string;
  /** Below `root`, with `/`; `.` for `root` itself. No link may stand on the way. */
  readonly path: string;
}

/** Parts of ways that were looked at already, for a caller that asks of many places at once. */
export type SeenPlaces = Map<string, Obstacle | undefined>;

/**
 * The first thing on the way to a place, or at it, that isn't what it must be; undefined when there
 * is none. Nothing at all is no obstacle.
 */
export function findObstacle(
  root: string,
  path: string,
  wanted: Obstacle["wanted"],
  seen: SeenPlaces = new Map(),
): Obstacle | undefined {
  if (path === ".") return undefined;
  for (const folder of foldersTo(path)) {
    const obstacle = obstacleAt(root, folder, "folder", seen);
    if (obstacle !== undefined) return obstacle;
  }
  return obstacleAt(root, path, wanted, seen);
}

/**
 * The first part of the way to a place, the place included, that is a link; undefined when none is.
 * For what is read from a project, where a link is told apart from what is merely not there.
 *
 * @param path as an author wrote it: `./db/`
 */
export function findLink(root: string, path: string): string | undefined {
  if (path.includes("\0")) return undefined;
  const obstacle = findObstacle(root, posix.normalize(path).replace(/\/$/, ""), "file");
  return obstacle?.found === "link" ? obstacle.path : undefined;
}

/** Thrown instead of writing where something else stands. */
export class PlaceTaken extends Error {
  override readonly name = "PlaceTaken";
  readonly obstacle: Obstacle;

  constructor(obstacle: Obstacle) {
    super(tellObstacle(obstacle));
    this.obstacle = obstacle;
  }
}

/** What is wrong, as a sentence without its full stop. */
export function tellObstacle({ path, wanted, found }: Obstacle): string {
  const because =
    found === "link" ? ", and no link below the project's folder is followed for writing" : "";
  return `\`${path}\` is a ${found} where a ${wanted} must be${because}`;
}

/** @throws PlaceTaken */
export function refuseObstacle(root: string, path: string, wanted: Obstacle["wanted"]): void {
  const obstacle = findObstacle(root, path, wanted);
  if (obstacle !== undefined) throw new PlaceTaken(obstacle);
}

/**
 * Makes a folder and those above it, the project's own among them.
 *
 * @param path `.` for the project's own
 * @param mode of the folders that are made
 * @returns absolute path of the first that had to be made
 * @throws PlaceTaken, or the file system's error
 */
export function makeOwnFolder(root: string, path: string, mode?: number): string | undefined {
  let first = makeFolder(root, mode);
  for (const folder of path === "." ? [] : [...foldersTo(path), path]) {
    const made = makeOne(root, folder, mode);
    if (made) first ??= join(root, folder);
  }
  return first;
}

function makeOne(root: string, folder: string, mode: number | undefined): boolean {
  refuseObstacle(root, folder, "folder");
  try {
    fs.mkdirSync(join(root, folder), mode);
    return true;
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    refuseObstacle(root, folder, "folder");
    return false;
  }
}

/**
 * Writes a file whole: under another name beside its place, then renamed into it. A file that is
 * there already is replaced, and keeps its mode.
 *
 * @param mode of a new file
 * @throws PlaceTaken, or the file system's error; nothing is left behind then
 */
export function writeOwnFile(
  root: string,
  path: string,
  data: string | Uint8Array,
  mode?: number,
): void {
  makeOwnFolder(root, posix.dirname(path));
  refuseObstacle(root, path, "file");
  const target = join(root, path);
  const before = fs.lstatSync(target, { throwIfNoEntry: false });
  const temporary = `${target}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    fs.writeFileSync(temporary, data, {
      flag: "wx",
      mode: before === undefined ? mode : before.mode & 0o777,
    });
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Removes a file that skillc wrote; nothing at all in its place is fine.
 *
 * @throws PlaceTaken, or the file system's error
 */
export function removeOwnFile(root: string, path: string): void {
  refuseObstacle(root, path, "file");
  fs.rmSync(join(root, path), { force: true });
}

/**
 * Removes a folder that skillc made, with all that is in it; nothing at all in its place is fine.
 *
 * @throws PlaceTaken, or the file system's error
 */
export function removeOwnFolder(root: string, path: string): void {
  refuseObstacle(root, path, "folder");
  fs.rmSync(join(root, path), { recursive: true, force: true });
}

/**
 * Removes a folder, and those above it, while they are empty. Nothing behind a link is removed.
 *
 * @param within stays, and so do the folders above it
 * @param below the innermost folder, relative to `within`
 */
export function removeEmptyOwnFolders({ path, root }: OwnFolder, below: string): void {
  for (let at = below; at !== "."; at = posix.dirname(at)) {
    const folder = posix.join(path, at);
    if (findObstacle(root, folder, "folder") !== undefined) return;
    try {
      fs.rmdirSync(join(root, folder));
    } catch (error) {
      // Another process may have removed it, or put something in: both are fine.
      if (systemCode(error) !== "ENOENT") return;
    }
  }
}

/** The folders that a path leads through, outer before inner. */
function foldersTo(path: string): readonly string[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [...foldersTo(folder), folder];
}

function obstacleAt(
  root: string,
  path: string,
  wanted: Obstacle["wanted"],
  seen: SeenPlaces,
): Obstacle | undefined {
  if (!seen.has(path)) {
    const there = look(join(root, path));
    const fits = there === undefined || (wanted === "file" ? there.isFile() : there.isDirectory());
    seen.set(path, fits ? undefined : { path, wanted, found: kindOf(there) });
  }
  return seen.get(path);
}

/** Something that can't be looked at is for the write to report. */
function look(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    return undefined;
  }
}

function kindOf(there: fs.Stats): Obstacle["found"] {
  if (there.isDirectory()) return "folder";
  if (there.isSymbolicLink()) return "link";
  return there.isFile() ? "file" : "special file";
}

/**
 * Makes a folder and those above it that are missing. Node's own recursive `mkdir` never ends where
 * the system refuses a folder as if the one above it were missing, as it does below `/proc`.
 *
 * @param mode of the folders that are made
 * @returns absolute path of the first that had to be made
 * @throws the file system's error
 */
export function makeFolder(path: string, mode?: number): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !isFolder(at) && dirname(at) !== at; at = dirname(at))
    missing.unshift(at);
  for (const each of missing) {
    try {
      fs.mkdirSync(each, mode);
    } catch (error) {
      // Another process may have been faster.
      if (!isFolder(each)) throw error;
    }
  }
  return missing[0];
}

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
