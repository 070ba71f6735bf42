import { mkdirSync, readdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import type { OutputComparison } from "../../compiler/verify/compare-output.js";
import { isCarriedPath, isOutputPath, type OutputFile } from "../../core/output.js";
import { beginsAsOurs } from "../../core/provenance.js";
import {
  makeOwnFolder,
  refuseObstacle,
  removeEmptyOwnFolders,
  readRegularFile,
} from "@skillc/runtime/internal";

/** Thrown if the output can't be written. The folder is unchanged. */
export class WriteFailure extends Error {
  override readonly name = "WriteFailure";
  /** Absolute path of the file or folder that blocks the write. */
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.path = path;
  }
}

/**
 * Folder for staged files, below the output folder. The next process removes the leftovers of a
 * killed one.
 */
export const stagingFolder = ".skillc-staging";

/**
 * Writes the changed files and removes the stale ones, or changes nothing. It first writes every
 * file to a staging folder, and then renames all into place. If a step fails, it restores the
 * renamed files. Only one process at a time may do this.
 *
 * @param out the output folder, below `root`
 * @param previous current files in the folder, by path below it
 * @throws WriteFailure if the folder was left unchanged
 */
export function writeOutput(
  root: string,
  out: string,
  { changed, stale }: Pick<OutputComparison, "changed" | "stale">,
  previous: ReadonlyMap<string, string>,
): void {
  const undo: (() => void)[] = [];
  const output: OutputPlace = { root, out, undo };
  const placeOf = (path: string): string => join(root, placeIn(output, path));
  const staging = placeOf(stagingFolder);
  try {
    const staged = changed.length === 0 ? [] : stage(output, changed);
    for (const { temporary, path } of staged) {
      const target = placeOf(path);
      step(target, () => renameSync(temporary, target));
      undo.push(() => restore(target, path, previous.get(path), staging));
    }
    for (const path of stale) {
      const target = placeOf(path);
      step(target, () => {
        refuseObstacle(root, placeIn(output, path), "file");
        unlinkSync(target);
      });
      undo.push(() => restore(target, path, previous.get(path), staging));
    }
  } catch (error) {
    for (const back of undo.toReversed()) attempt(back);
    throw error;
  } finally {
    removeEmptyOwnFolders({ root, path: out }, stagingFolder);
  }
  for (const path of stale) removeEmptyOwnFolders({ root, path: out }, dirname(path));
}

interface OutputPlace {
  readonly root: string;
  readonly out: string;
  /** Steps to undo, in order of execution. */
  readonly undo: (() => void)[];
}

/**
 * Returns a path of the output folder as a path below the project's folder. Rejects any path that
 * leads elsewhere, for example one from the cache.
 */
function placeIn({ out }: OutputPlace, path: string): string {
  if (path !== stagingFolder && !isOutputPath(path))
    throw new Error(`not a path of the output folder: ${JSON.stringify(path)}`);
  return `${out}/${path}`;
}

interface StagedFile {
  readonly path: string;
  readonly temporary: string;
}

function stage(output: OutputPlace, files: readonly OutputFile[]): readonly StagedFile[] {
  const { root, undo } = output;
  const staging = join(root, placeIn(output, stagingFolder));
  const made = new Set<string>();
  makeFolders(output, placeIn(output, stagingFolder), made);
  step(staging, () => clearStaging(staging));
  return files.map(({ path, text }, index) => {
    const place = placeIn(output, path);
    const target = join(root, place);
    makeFolders(output, posix.dirname(place), made);
    // A rename would replace a link with a file, and fail on a folder.
    step(target, () => refuseObstacle(root, place, "file"));
    const temporary = join(staging, `${stagedPrefix(path)}${index}`);
    undo.push(() => rmSync(temporary, { force: true }));
    step(target, () => writeFileSync(temporary, text, { flag: "wx", mode: modeOf(path) }));
    return { path, temporary };
  });
}

/** Files copied from skills may be scripts that are run. */
function modeOf(path: string): number {
  return isCarriedPath(path) ? 0o777 : 0o666;
}

/** Copied files have no header, so the names of their staged files tell them. */
function stagedPrefix(path: string): string {
  return isCarriedPath(path) ? "carried-" : "";
}

/** Removes the leftovers of a killed process: only files with skillc's names and headers. */
function clearStaging(staging: string): void {
  for (const entry of readdirSync(staging, { withFileTypes: true })) {
    const path = join(staging, entry.name);
    const isOurs =
      entry.isFile() &&
      (/^carried-(?:\d+|restored)$/.test(entry.name) ||
        (/^(?:\d+|restored)$/.test(entry.name) &&
          beginsAsOurs(readRegularFile(path, { links: false }).toString("utf8"))));
    if (!isOurs) throw new Error(`it contains \`${entry.name}\`, which skillc didn't write`);
    unlinkSync(path);
  }
}

/** Creates a folder and its parents. A failed write removes them again. */
function makeFolders({ root, undo }: OutputPlace, folder: string, made: Set<string>): void {
  if (made.has(folder)) return;
  made.add(folder);
  const path = join(root, folder);
  step(path, () => {
    const first = makeOwnFolder(root, folder);
    if (first === undefined) return;
    const within = { root, path: relative(root, dirname(first)).replaceAll(sep, "/") || "." };
    const below = relative(dirname(first), path).replaceAll(sep, "/");
    undo.push(() => removeEmptyOwnFolders(within, below));
  });
}

function restore(target: string, path: string, text: string | undefined, staging: string): void {
  if (text === undefined) {
    rmSync(target, { force: true });
    return;
  }
  mkdirSync(staging, { recursive: true });
  const temporary = join(staging, `${stagedPrefix(path)}restored`);
  writeFileSync(temporary, text, { flag: "wx", mode: modeOf(path) });
  renameSync(temporary, target);
}

function step(path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw new WriteFailure(path, error);
  }
}

/** Runs one undo step; a failure must not stop the others. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // The earlier failure is reported.
  }
}
