/**
 * Decides about paths that callers write: file parameters of every binding kind. A path is allowed
 * if it leads below an allowed folder after all links are resolved. The result is that real path,
 * so whoever uses it cannot be led elsewhere by another spelling. `open-judged.ts` opens it.
 */
import fs from "node:fs";
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import type { UsedPath } from "../call/binding.js";
import { systemCode } from "./system-code.js";

/** Use of a path: `read` leaves the file alone, `write` may change or remove it. */
export type PathAccess = "read" | "write";

/** The folders that bound the paths of a tool. Relative folders start at `directory`. */
export interface PathRules {
  /** The runtime's folder, absolute. */
  readonly directory: string;
  /** Folders below which paths may be read. */
  readonly read: readonly string[];
  /** Folders below which paths may be written, and read too. */
  readonly write: readonly string[];
  /** `files.folders` of skillc.yaml: a path must also lead below one of these. No bound if absent. */
  readonly outer?: readonly string[] | undefined;
  /**
   * Absolute paths of the call's temporary folders, without links. No other bound limits them.
   * Undefined if the tool may not use them.
   */
  readonly temporary?: readonly string[] | undefined;
}

/** Stands for a temporary folder in `allowed_paths`, and in the names of paths. */
export const temporaryWord = "{temporary}";

/** An allowed folder. */
export interface AllowedFolder {
  /** The folder as its author wrote it. */
  readonly written: string;
  /** Absolute path without links. */
  readonly real: string;
}

/** A path that is allowed. */
export interface JudgedPath {
  /** Absolute path without links. The last part, or more of them, may be missing. */
  readonly path: string;
  /** The allowed folder that holds it. */
  readonly folder: AllowedFolder;
  /** The folder as written and the way from there, with `/`: one name for all spellings. */
  readonly name: string;
}

/** Reason for which a path is not allowed. */
export type PathProblem = "empty" | "nul" | "surrogate" | "no-folder" | "outside" | "unusable";

/** A path that is not allowed. */
export interface RefusedPath {
  readonly problem: PathProblem;
  /** The reason in words that follow the name of a value: `is a path that contains a NUL`. */
  readonly reason: string;
}

/** The words of each reason. They reveal nothing that the caller did not write. */
const reasons: { readonly [problem in PathProblem]: string } = {
  empty: "is an empty path",
  nul: "is a path that contains a NUL",
  surrogate: "is a path that contains half of a surrogate pair",
  "no-folder": "is a path, but no folder is allowed",
  outside: "is a path outside the allowed folders",
  unusable: "is a path that the system cannot follow",
};

/**
 * Decides about one path. It reads links and no content. It reveals nothing about files outside the
 * allowed folders, not even whether they exist.
 *
 * @param written path as the caller wrote it, relative to `base`
 * @param base absolute path of a folder
 */
export function judgePath(
  written: string,
  {
    base,
    access,
    rules,
  }: { readonly base: string; readonly access: PathAccess; readonly rules: PathRules },
): JudgedPath | RefusedPath {
  const fault = faultIn(written);
  if (fault !== undefined) return refusedPath(fault);
  const folders = access === "write" ? rules.write : [...rules.read, ...rules.write];
  const placed = folders.map((each) => placedFolder(each, rules.directory));
  const hasNoFolder = placed.length === 0 || rules.outer?.length === 0;
  if (hasNoFolder && rules.temporary === undefined) return refusedPath("no-folder");
  const temporary = (rules.temporary ?? []).map((path) => ({
    written: temporaryWord,
    path,
    real: path,
  }));
  const allowed: readonly PlacedFolder[] = [...temporary, ...placed];
  const target = resolve(base, written);
  // Look at no link before the path as written is known to be inside.
  if (!allowed.some(({ path, real }) => holds(path, target) || holds(real, target)))
    return refusedPath("outside");
  const real = realPath(target);
  if (real === undefined) return refusedPath("unusable");
  const folder = innermostOf(allowed.filter((each) => holds(each.real, real)));
  const isBounded =
    rules.temporary?.includes(folder?.real ?? "") === true ||
    rules.outer?.some((each) => holds(placedFolder(each, rules.directory).real, real));
  if (folder?.real === undefined || isBounded === false) return refusedPath("outside");
  return {
    path: real,
    folder: { written: folder.written, real: folder.real },
    name: posix.join(folder.written, withSlashes(relative(folder.real, real))),
  };
}

/**
 * Names a path for a decision about the call. A path that is not allowed keeps its spelling.
 *
 * @param written path as the caller wrote it, and the same with `${NAME}` in place of settings
 * @param judging as in `judgePath`
 * @param shownFolder returns an allowed folder with `${NAME}` in place of settings
 */
export function usedPath(
  written: { readonly opened: string; readonly shown: string },
  judging: Parameters<typeof judgePath>[1],
  shownFolder: (folder: string) => string,
): UsedPath {
  const judged = judgePath(written.opened, judging);
  if (isRefusedPath(judged))
    return { path: resolve(judging.base, written.opened), name: written.shown };
  const { folder, path } = judged;
  const way = withSlashes(relative(folder.real, path));
  return { path, name: posix.join(shownFolder(folder.written), way) };
}

/** A folder in another one is a place of its own, in whatever order they are listed. */
function innermostOf(folders: readonly PlacedFolder[]): PlacedFolder | undefined {
  const depth = ({ real = "" }: PlacedFolder): number => real.length;
  return folders.toSorted((a, b) => depth(b) - depth(a))[0];
}

/** Returns a folder without links; the path itself if the system can't follow it. */
export function realFolder(path: string): string {
  return realPath(path) ?? path;
}

/** Returns whether a path is not allowed. */
export function isRefusedPath(judged: JudgedPath | RefusedPath): judged is RefusedPath {
  return "problem" in judged;
}

/**
 * Names a path that `judgePath` does not allow, without links: relative to a folder if it is below
 * that, and absolute otherwise. Policies decide by this name about calls that fail later.
 *
 * @param base absolute path of a folder
 */
export function plainName(written: string, base: string): string {
  const target = resolve(base, written);
  return withSlashes(target !== base && holds(base, target) ? relative(base, target) : target);
}

function refusedPath(problem: PathProblem): RefusedPath {
  return { problem, reason: reasons[problem] };
}

function faultIn(written: string): PathProblem | undefined {
  if (written === "") return "empty";
  if (written.includes("\0")) return "nul";
  // The system would get U+FFFD in its place: another file.
  return written.isWellFormed() ? undefined : "surrogate";
}

/** An allowed folder with its path as written. `real` is absent if the system can't follow it. */
interface PlacedFolder {
  readonly written: string;
  readonly path: string;
  readonly real: string | undefined;
}

function placedFolder(written: string, directory: string): PlacedFolder {
  const path = resolve(directory, written);
  return { written, path, real: faultIn(written) === undefined ? realPath(path) : undefined };
}

/** Number of links in a row that lead to missing files, as in Linux. */
const maxLinks = 40;

/**
 * Resolves links in the existing part of a path, and appends the missing rest. A link whose target
 * is missing is resolved too, because a program that writes through it would create the target.
 * Undefined if the system can't resolve the path.
 *
 * @param path absolute, without `..`
 */
function realPath(path: string, links = maxLinks): string | undefined {
  try {
    return fs.realpathSync.native(path);
  } catch (error) {
    const code = systemCode(error);
    const parent = dirname(path);
    if ((code !== "ENOENT" && code !== "ENOTDIR") || parent === path || links === 0)
      return undefined;
    const folder = realPath(parent, links);
    if (folder === undefined) return undefined;
    const place = join(folder, basename(path));
    const target = linkAt(place);
    return target === undefined ? place : realPath(resolve(folder, target), links - 1);
  }
}

/** Returns the target of a link; undefined if the path is no link. */
function linkAt(path: string): string | undefined {
  try {
    return fs.readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Returns whether a path is a folder, or below it. Both are absolute and without `..`. */
export function holds(folder: string | undefined, path: string): boolean {
  if (folder === undefined) return false;
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Returns a path with `/` between its parts. */
export function withSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
