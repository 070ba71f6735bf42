/** Changes of trees of files, and the steps that make them. */
import { dirname, join } from "node:path";
import { isIn } from "../../files/project-secrets.js";
import { type EntryState, sameBody } from "./entry-state.js";

/** A change of one path. */
export interface TreeChange {
  /** Absolute path, without links in its parents. */
  readonly path: string;
  /** State before the change. In another state, nothing is changed. */
  readonly from: EntryState;
  /** State after the change. Never `other`. */
  readonly to: EntryState;
  /**
   * Absolute path of a file with the content of `to`. Needed if `to` is a file, and `from` is no file
   * with the same content.
   */
  readonly source?: string;
}

/**
 * Replaces the entry of a path: the old one moves into a staging folder, the new one out of it. If
 * the entry is a folder, everything below it moves too.
 */
export interface Swap extends TreeChange {
  /** Number of the swap, in the names of staged entries. */
  readonly number: number;
  /** Changes below the path. */
  readonly inner: readonly TreeChange[];
  /** Absolute path of the staging folder. */
  readonly stage: string;
}

/** The steps that make changes. */
export interface ChangePlan {
  readonly swaps: readonly Swap[];
  /** Changes of attributes alone. A folder comes before its entries. */
  readonly touches: readonly TreeChange[];
  /** Staging folders, absolute. Each is on the file system of its changes. */
  readonly stages: readonly string[];
}

/**
 * Plans changes.
 *
 * @param roots paths below which the changes are, absolute
 * @param stageName name of staging folders
 */
export function planChanges(
  changes: readonly TreeChange[],
  roots: readonly string[],
  stageName: string,
): ChangePlan {
  const all = new Set(roots);
  const swaps: (Swap & { readonly inner: TreeChange[] })[] = [];
  const touches: TreeChange[] = [];
  for (const change of changes.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))) {
    const last = swaps.at(-1);
    if (last !== undefined && isIn(last.path, change.path)) last.inner.push(change);
    else if (sameBody(change.from, change.to)) touches.push(change);
    else {
      const stage = join(stageParent(change.path, all), stageName);
      swaps.push({ ...change, number: swaps.length, inner: [], stage });
    }
  }
  return { swaps, touches, stages: [...new Set(swaps.map(({ stage }) => stage))] };
}

/** Entries of a folder follow it at once in this order. */
function sortKey({ path }: TreeChange): string {
  return path.replaceAll("/", "\0");
}

/** Inside a root that stays, else beside it. */
function stageParent(path: string, roots: ReadonlySet<string>): string {
  return rootOf(dirname(path), roots) ?? dirname(path);
}

/** Returns the root that a path is, or is below; undefined for other paths. */
export function rootOf(path: string, roots: ReadonlySet<string>): string | undefined {
  if (roots.has(path)) return path;
  const parent = dirname(path);
  return parent === path ? undefined : rootOf(parent, roots);
}
