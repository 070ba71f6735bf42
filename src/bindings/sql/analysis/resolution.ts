import type { Node } from "@pgsql/types";
import type { Operator, PgFunction, Relation, Snapshot } from "../database/snapshot.js";
import type { Recorder } from "./nullability/model.js";
import { OUTSIDE, startAnalysis } from "./nullability/nullability.js";
import type { ValueType } from "./value-type.js";

/**
 * Resolved names of a statement, or of a view's definition. Maps use the bodies of nodes as keys.
 */
export interface Resolution {
  readonly tree: Node;
  readonly reads: ReadonlyMap<Relation, TableReference>;
  readonly writes: ReadonlyMap<Relation, TableReference>;
  /** Candidates of calls and operators. Nodes that were not understood are absent. */
  readonly functions: ReadonlyMap<object, ReadonlySet<PgFunction>>;
  readonly operators: ReadonlyMap<object, ReadonlySet<Operator>>;
  /** Types of the operands of casts. */
  readonly casts: ReadonlyMap<object, ValueType>;
  /** Names that refer to columns. */
  readonly references: ReadonlySet<object>;
  readonly types: ReadonlySet<number>;
  /** Definitions of the views that it selects from, including views of views. */
  readonly views: ReadonlyMap<Relation, Resolution>;
}

export interface TableReference {
  readonly columns: ReadonlySet<string>;
  /** Position of its first name, in UTF-8 bytes. */
  readonly location: number | undefined;
}

/** Resolves every name of a statement and of its views. Never throws. */
export function resolveNames(tree: Node, snapshot: Snapshot): Resolution {
  const views = new Map<Relation, Notes>();
  const notes = startNotes(tree, views);
  const analysis = startAnalysis(snapshot, {
    record: notes.recorder,
    hasValue: () => false,
    recordBehind: (view, definition) => {
      const known = views.get(view) ?? startNotes(definition, views);
      views.set(view, known);
      return known.recorder;
    },
  });
  analysis.query(tree, OUTSIDE);
  return notes;
}

interface Notes extends Resolution {
  readonly recorder: Recorder;
}

interface OpenUse {
  readonly columns: Set<string>;
  location: number | undefined;
}

function startNotes(tree: Node, views: ReadonlyMap<Relation, Notes>): Notes {
  const uses = { read: new Map<Relation, OpenUse>(), write: new Map<Relation, OpenUse>() };
  const functions = new Map<object, Set<PgFunction>>();
  const operators = new Map<object, Set<Operator>>();
  const casts = new Map<object, ValueType>();
  const references = new Set<object>();
  const types = new Set<number>();
  const use = (relation: Relation, access: "read" | "write") =>
    entryOf(uses[access], relation, () => ({ columns: new Set<string>(), location: undefined }));
  const recorder: Recorder = {
    relation: (relation, access, location) => {
      use(relation, access).location ??= location;
    },
    column: ({ relation, column }, access) => void use(relation, access).columns.add(column),
    functions: (node, candidates) =>
      addAll(
        entryOf(functions, node, () => new Set()),
        candidates,
      ),
    operators: (node, _, candidates) =>
      addAll(
        entryOf(operators, node, () => new Set()),
        candidates,
      ),
    // A node that is analyzed several times with different types has no certain type.
    cast: (node, from) =>
      casts.set(node, casts.has(node) && casts.get(node) !== from ? undefined : from),
    reference: (node) => void references.add(node),
    type: (type) => void (typeof type === "number" && types.add(type)),
  };
  return {
    tree,
    reads: uses.read,
    writes: uses.write,
    functions,
    operators,
    casts,
    references,
    types,
    views,
    recorder,
  };
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

function addAll<Item>(set: Set<Item>, items: readonly Item[]): void {
  for (const each of items) set.add(each);
}
