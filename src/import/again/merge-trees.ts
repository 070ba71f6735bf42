/** Three versions of one value: what was written, what a person made of it, what is written now. */
import { getOwn, isJsonObject, type JsonValue } from "../../core/json.js";
import { equal } from "@skillc/runtime/internal/equal";

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

/** Mappings are merged entry by entry; anything else, a list too, is one value. */
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
    if (!both || (before !== undefined && !isJsonObject(before))) {
      conflicts.push(path);
      return;
    }
    for (const key of new Set([...Object.keys(before ?? {}), ...Object.keys(theirs)]))
      merge(getOwn(before ?? {}, key), getOwn(mine, key), getOwn(theirs, key), [...path, key]);
  };
  merge(base, own, now, []);
  return { edits, conflicts };
}
