import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { systemCode } from "./system-code.js";

/**
 * Decides whether skillc may write a path. skillc's own files (cache, ledger, lock, generated
 * modules) are below a project's folder. Files there may come from somebody else's repository, and
 * a link among them would make skillc write or remove files elsewhere. So every part of the path
 * below the project's folder must be a real folder. Links above that folder belong to the system,
 * such as macOS' `/tmp`.
 *
 * All paths are relative to the project's folder, with `/`. If an application names another folder,
 * such as the ledger's, that folder replaces the project's, and may be a link.
 *
 * An obstacle is something else in such a place.
 */
export interface Obstacle {
  readonly path: string;
  /** The kind of entry that skillc needs in this place. */
  readonly wanted: "file" | "folder";
  readonly found: "file" | "folder" | "link" | "special file";
}

/** A folder that skillc writes. */
export interface OwnFolder {
  /**
   * Absolute path of the project's folder, or of one that the application names. It may contain
   * links.
   */
  readonly root: string;
  /** Path below `root`, with `/`; `.` for `root` itself. It must not contain links. */
  readonly path: string;
}

/** Results of earlier checks, for a caller that checks many paths. */
export type SeenPlaces = Map<string, Obstacle | undefined>;

/**
 * Returns the first obstacle on the path or at its end; undefined if there is none. A missing file
 * is no obstacle.
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
 * Returns the first link on the path or at its end; undefined if there is none. It distinguishes a
 * link from a missing file in what is read from a project.
 *
 * @param path as an author wrote it: `./db/`
 */
export function findLink(root: string, path: string): string | undefined {
  if (path.includes("\0")) return undefined;
  const obstacle = findObstacle(root, posix.normalize(path).replace(/\/$/, ""), "file");
  return obstacle?.found === "link" ? obstacle.path : undefined;
}

/** The error for a place that something else occupies. */
export class PlaceTaken extends Error {
  override readonly name = "PlaceTaken";
  readonly obstacle: Obstacle;

  constructor(obstacle: Obstacle) {
    super(tellObstacle(obstacle));
    this.obstacle = obstacle;
  }
}

/** Describes an obstacle in a sentence without full stop. */
export function tellObstacle({ path, wanted, found }: Obstacle): string {
  const because =
    found === "link" ? ", and the runtime writes through no link below the project's folder" : "";
  return `\`${path}\` is a ${found}, but must be a ${wanted}${because}`;
}

/**
 * Checks a path.
 *
 * @throws PlaceTaken if there is an obstacle
 */
export function refuseObstacle(root: string, path: string, wanted: Obstacle["wanted"]): void {
  const obstacle = findObstacle(root, path, wanted);
  if (obstacle !== undefined) throw new PlaceTaken(obstacle);
}

/**
 * Creates a folder and its missing parents, including the project's folder.
 *
 * @param path `.` for the project's folder
 * @param mode mode of new folders
 * @returns absolute path of the first folder that was created
 * @throws PlaceTaken if there is an obstacle; also the file system's error
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
 * Writes a whole file: to a temporary name in the same folder, which is then renamed. An existing
 * file is replaced and keeps its mode.
 *
 * @param mode mode of a new file
 * @throws PlaceTaken if there is an obstacle; also the file system's error. Nothing is left behind
 * then.
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
 * Removes a file that skillc wrote. A missing file is fine.
 *
 * @throws PlaceTaken if there is an obstacle; also the file system's error
 */
export function removeOwnFile(root: string, path: string): void {
  refuseObstacle(root, path, "file");
  fs.rmSync(join(root, path), { force: true });
}

/**
 * Removes a folder that skillc created, with its content. A missing folder is fine.
 *
 * @throws PlaceTaken if there is an obstacle; also the file system's error
 */
export function removeOwnFolder(root: string, path: string): void {
  refuseObstacle(root, path, "folder");
  fs.rmSync(join(root, path), { recursive: true, force: true });
}

/**
 * Removes a folder and its parents while they are empty. It removes nothing behind a link.
 *
 * @param within folder that stays
 * @param below the innermost folder to remove, relative to `within`
 */
export function removeEmptyOwnFolders({ path, root }: OwnFolder, below: string): void {
  for (let at = below; at !== "."; at = posix.dirname(at)) {
    const folder = posix.join(path, at);
    if (findObstacle(root, folder, "folder") !== undefined) return;
    try {
      fs.rmdirSync(join(root, folder));
    } catch (error) {
      // Another process may have removed the folder, or added a file. Both are fine.
      if (systemCode(error) !== "ENOENT") return;
    }
  }
}

/** Returns the parent folders of a path, outermost first. */
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

/** Returns undefined if the path can't be read. The write then reports the error. */
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
 * Creates a folder and its missing parents. Node's recursive `mkdir` never ends if the system
 * reports a missing parent for a forbidden folder, as below `/proc`.
 *
 * @param mode mode of new folders
 * @returns absolute path of the first folder that was created
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
      // Another process may have created the folder.
      if (!isFolder(each)) throw error;
    }
  }
  return missing[0];
}

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
