import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { OutputComparison } from "../../compiler/verify/compare-output.js";
import type { OutputFile } from "../../core/output.js";
import { systemCode } from "../exit.js";

/** The output could not be written; the folder is as it was. */
export class WriteFailure extends Error {
  override readonly name = "WriteFailure";
  /** Absolute path of the file or folder in the way. */
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.path = path;
  }
}

/** Below the output folder: files that are written but not yet in place. One that a killed process left is removed by the next. */
export const stagingFolder = ".skillc-staging";

/**
 * Writes the changed files and removes the stale ones, wholly or not at all: every file is first written to a folder beside them, then all are
 * renamed into place; when anything fails, what was renamed already is put back. One process at a time may do this.
 *
 * @param previous what is in the folder now, by path below it
 * @throws WriteFailure when the folder was left as it was
 */
export function writeOutput(
  folder: string,
  { changed, stale }: Pick<OutputComparison, "changed" | "stale">,
  previous: ReadonlyMap<string, string>,
): void {
  const undo: (() => void)[] = [];
  const staging = join(folder, stagingFolder);
  try {
    const staged = changed.length === 0 ? [] : stage(folder, staging, changed, undo);
    for (const { temporary, target, path } of staged) {
      step(target, () => renameSync(temporary, target));
      undo.push(() => restore(target, previous.get(path), staging));
    }
    for (const path of stale) {
      const target = join(folder, path);
      step(target, () => unlinkSync(target));
      undo.push(() => restore(target, previous.get(path), staging));
    }
  } catch (error) {
    for (const back of undo.toReversed()) attempt(back);
    throw error;
  } finally {
    attempt(() => rmSync(staging, { recursive: true, force: true }));
  }
  for (const path of stale) removeEmptyFolders(folder, dirname(path));
}

interface StagedFile {
  readonly path: string;
  readonly temporary: string;
  readonly target: string;
}

function stage(
  folder: string,
  staging: string,
  files: readonly OutputFile[],
  undo: (() => void)[],
): readonly StagedFile[] {
  const checked = new Set<string>();
  makeRoot(folder, undo);
  undo.push(() => rmSync(staging, { recursive: true, force: true }));
  step(staging, () => {
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging);
  });
  return files.map(({ path, text }, index) => {
    const target = join(folder, path);
    makeFolders(folder, dirname(path), checked, undo);
    refuseOtherThanFile(target);
    const temporary = join(staging, String(index));
    step(target, () => writeFileSync(temporary, text));
    return { path, temporary, target };
  });
}

/** A rename would replace a link by a file, and fail halfway on a folder. */
function refuseOtherThanFile(target: string): void {
  step(target, () => {
    const there = lstatSync(target, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile())
      throw new Error("something other than a file is in its place");
  });
}

/** Below the output folder, only real folders: through a link, files outside could be overwritten. */
function makeFolders(
  root: string,
  below: string,
  checked: Set<string>,
  undo: (() => void)[],
): void {
  if (below === "." || checked.has(below)) return;
  checked.add(below);
  makeFolders(root, dirname(below), checked, undo);
  const folder = join(root, below);
  step(folder, () => {
    const there = lstatSync(folder, { throwIfNoEntry: false });
    if (there === undefined) {
      mkdirSync(folder);
      undo.push(() => rmdirSync(folder));
    } else if (!there.isDirectory()) {
      throw new Error("something other than a folder is in its place");
    }
  });
}

function makeRoot(root: string, undo: (() => void)[]): void {
  step(root, () => {
    const there = statSync(root, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) return;
    if (there !== undefined) throw new Error("something other than a folder is in its place");
    const first = mkdirSync(root, { recursive: true });
    if (first !== undefined)
      undo.push(() => removeEmptyFolders(dirname(first), relativeTo(dirname(first), root)));
  });
}

function relativeTo(base: string, path: string): string {
  return path.slice(base.length).replace(/^[/\\]+/, "");
}

function restore(target: string, text: string | undefined, staging: string): void {
  if (text === undefined) {
    rmSync(target, { force: true });
    return;
  }
  mkdirSync(staging, { recursive: true });
  const temporary = join(staging, "restored");
  writeFileSync(temporary, text);
  renameSync(temporary, target);
}

/** Removes a folder, and those above it, while they are empty; never `root` itself. */
function removeEmptyFolders(root: string, below: string): void {
  for (let at = below; at !== "." && at !== ""; at = dirname(at)) {
    const folder = join(root, at);
    try {
      if (readdirSync(folder).length > 0) return;
      rmdirSync(folder);
    } catch (error) {
      // Another process may have removed it, or put something in: both are fine.
      if (systemCode(error) !== "ENOENT") return;
    }
  }
}

function step(path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw new WriteFailure(path, error);
  }
}

/** Going back does what it can: a step that fails must not keep the others from being undone. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // The failure that led here is the one to report.
  }
}
