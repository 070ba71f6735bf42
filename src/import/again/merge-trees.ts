/** Merges three versions of a value: the last import, the person's version, and the new import. */
import { getOwn, isJsonObject, type JsonValue } from "../../core/json.js";
import { equal } from "@skillc/runtime/internal/equal";
import { diff3Merge } from "node-diff3";

/** A change of the person's version. */
export interface Edit {
  readonly path: readonly string[];
  /** New value; undefined to remove the entry. */
  readonly value: JsonValue | undefined;
}

export interface TreeMerge {
  readonly edits: readonly Edit[];
  /** Paths that both sides changed differently; the person's version stays. */
  readonly conflicts: readonly (readonly string[])[];
}

type Value = JsonValue | undefined;

/** Depth of entries, such as `tools_schema`, to which each side may have added entries. */
const wholeDepth = 1;

/**
 * Merges mappings entry by entry and texts line by line. Replaces any other value, such as a list,
 * as a whole. Keeps entries that a person added.
 */
export function mergeTrees(base: Value, own: Value, now: Value): TreeMerge {
  const edits: Edit[] = [];
  const conflicts: (readonly string[])[] = [];
  const merge = (before: Value, mine: Value, theirs: Value, path: readonly string[]): void => {
    if (equal(mine, theirs) || equal(before, theirs)) return;
    const both = isJsonObject(mine) && isJsonObject(theirs);
    // Also compare entry by entry here, so that unchanged entries keep the person's layout.
    if (equal(before, mine) && !both) {
      edits.push({ path, value: theirs });
      return;
    }
    const lines = mergeTexts(before, mine, theirs);
    if (lines !== undefined) {
      edits.push({ path, value: lines });
      return;
    }
    const isOwn = before === undefined && path.length > wholeDepth;
    if (!both || isOwn || (before !== undefined && !isJsonObject(before))) {
      conflicts.push(path);
      return;
    }
    for (const key of new Set([...Object.keys(before ?? {}), ...Object.keys(theirs)]))
      merge(getOwn(before ?? {}, key), getOwn(mine, key), getOwn(theirs, key), [...path, key]);
  };
  merge(base, own, now, []);
  return { edits, conflicts };
}

/**
 * Merges texts of several lines. Undefined for other values, or if both sides changed the same
 * lines.
 */
function mergeTexts(base: Value, own: Value, now: Value): string | undefined {
  const all = [own, base, now].map((each) => (typeof each === "string" ? each.split("\n") : []));
  const [mine = [], before = [], theirs = []] = all;
  if (all.some((each) => each.length < 2)) return undefined;
  const merged = diff3Merge(mine, before, theirs);
  if (merged.some(({ conflict }) => conflict !== undefined)) return undefined;
  return merged.flatMap(({ ok }) => ok ?? []).join("\n");
}
