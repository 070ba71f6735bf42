/** Compares the present state of files with the states before and after a call. */
import { dirname } from "node:path";
import { BackupFault } from "./backup-fault.js";
import type { Difference } from "../restoring.js";
import {
  absent,
  type EntryState,
  sameBody,
  sameContent,
  sameState,
  type Tree,
} from "./entry-state.js";
import type { TreeChange } from "./tree-change.js";

/** States of the same paths at three times. A path without a state is absent. */
export interface ComparedStates {
  readonly now: Tree;
  /** States before the call. */
  readonly before: Tree;
  /** States after the call; undefined if nobody knows them. */
  readonly left: Tree | undefined;
}

/**
 * Lists paths that somebody has changed since the call. Restoring them would lose that change. A path
 * that is as it was before the call needs no restoring.
 */
export function differencesOf({ before, left, now }: ComparedStates): readonly Difference[] {
  const paths = new Set([...before.keys(), ...now.keys(), ...(left?.keys() ?? [])]);
  return [...paths].flatMap((path): readonly Difference[] => {
    const present = now.get(path) ?? absent;
    if (sameContent(present, before.get(path) ?? absent)) return [];
    if (left === undefined)
      return [{ path, what: "the call was interrupted, so nobody knows how it left this" }];
    const what = difference(present, left.get(path) ?? absent);
    return what === undefined ? [] : [{ path, what }];
  });
}

function difference(now: EntryState, left: EntryState): string | undefined {
  if (sameContent(now, left)) return undefined;
  if (now.kind === "absent") return "it was removed";
  if (left.kind === "absent") return "it was created";
  if (now.kind !== left.kind) return `it is a ${now.kind} now`;
  return sameBody(now, left) ? "its permissions differ" : "its content differs";
}

/**
 * Returns the changes that bring back the states before the call.
 *
 * @param copyOf returns the path of the copy with a digest
 * @throws BackupFault for a pipe and the like, which can't be created
 */
export function restoringChanges(
  { before, now }: Pick<ComparedStates, "before" | "now">,
  copyOf: (sha256: string) => string,
): readonly TreeChange[] {
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (path) => !sameState(now.get(path) ?? absent, before.get(path) ?? absent),
  );
  // Moving an entry changes the times of the folder around it.
  const around = changed.map((path) => dirname(path)).filter((path) => before.has(path));
  return [...new Set([...changed, ...around])].map((path) => {
    const from = now.get(path) ?? absent;
    const to = before.get(path) ?? absent;
    if (to.kind === "other")
      throw new BackupFault("special", `before the call, there was an entry that ${to.why}`, [
        path,
      ]);
    const isNew = to.kind === "file" && !sameBody(from, to);
    return { path, from, to, ...(isNew && { source: copyOf(to.sha256) }) };
  });
}
