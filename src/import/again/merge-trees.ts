/** Three versions of one value: what was written, what a person made of it, what is written now. */
import { getOwn, isJsonObject, type JsonValue } from "../../core/json.js";
import { equal } from "@skillc/runtime/internal/equal";
import { diff3Merge } from "node-diff3";

/** One thing to do to the person's version. */
export interface Edit {
  readonly path: readonly string[];
  /** Undefined: the entry goes. */
  readonly value: JsonValue | undefined;
}

export interface TreeMerge {
  readonly edits: readonly Edit[];
  /** Where both changed, each in its own way: the person's version stays. */
  readonly conflicts: readonly (readonly string[])[];
}

type Value = JsonValue | undefined;

/** Entries of the whole, such as `tools_schema`, whose own entries each side may have added to. */
const wholeDepth = 1;

/**
 * Mappings are merged entry by entry, texts line by line; anything else, a list too, is one value.
 * What a person added is theirs: nothing is merged into it.
 */
export function mergeTrees(base: Value, own: Value, now: Value): TreeMerge {
  const edits: Edit[] = [];
  const conflicts: (readonly string[])[] = [];
  const merge = (before: Value, mine: Value, theirs: Value, path: readonly string[]): void => {
    if (equal(mine, theirs) || equal(before, theirs)) return;
    const both = isJsonObject(mine) && isJsonObject(theirs);
    // Entry by entry here too: what is the same on both sides stands as the person has laid it out.
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

/** Undefined where they are no texts of several lines, or both changed the same lines. */
function mergeTexts(base: Value, own: Value, now: Value): string | undefined {
  const all = [own, base, now].map((each) => (typeof each === "string" ? each.split("\n") : []));
  const [mine = [], before = [], theirs = []] = all;
  if (all.some((each) => each.length < 2)) return undefined;
  const merged = diff3Merge(mine, before, theirs);
  if (merged.some(({ conflict }) => conflict !== undefined)) return undefined;
  return merged.flatMap(({ ok }) => ok ?? []).join("\n");
}
