/**
 * Finds the tables and columns that a statement reads and writes. The other files of this folder
 * analyze the same tree and snapshot:
 *
 * - `resolution.ts`: resolves each name; `candidates.ts`: finds the functions of a call
 * - `value-type.ts`: types of values
 * - `nullability/nullability.ts`: finds columns that are never NULL; `never-null.ts`: facts about
 *   functions for that
 * - `effect/effect.ts`: decides whether a statement only reads
 */
import type { Node } from "@pgsql/types";
import { tableText } from "@skillc/runtime/internal/sql";
import type { Relation, Snapshot } from "../database/snapshot.js";
import { type Resolution, resolveNames, type TableReference } from "./resolution.js";

/** A table or view that a statement touches. */
export interface TouchedTable {
  /** Name as capabilities write it: `public.orders`. */
  readonly table: string;
  readonly kind: Relation["kind"];
  /**
   * Columns that the statement names, or takes with `*`, in the table's order. Empty for a table
   * that is only counted, joined or emptied.
   */
  readonly columns: readonly string[];
  /** Views through which it is touched, if the statement itself doesn't name it. */
  readonly behind: readonly string[];
}

export interface Touched {
  readonly reads: readonly TouchedTable[];
  readonly writes: readonly TouchedTable[];
}

/**
 * Finds the tables and columns that a statement reads and writes, including those of its views,
 * which are marked. It doesn't find what functions, triggers, foreign keys with cascades and
 * policies touch. It doesn't find columns of a table that the catalog lacks. Never throws.
 */
export function touchedBy(tree: Node, snapshot: Snapshot): Touched {
  const resolution = resolveNames(tree, snapshot);
  const { views, reads, writes } = resolution;
  return {
    reads: listed([...direct(reads), ...behindViews(reads, views), ...behindViews(writes, views)]),
    writes: listed([...direct(writes), ...behindWritten(writes, views)]),
  };
}

interface Touch {
  readonly relation: Relation;
  readonly columns: ReadonlySet<string>;
  readonly view?: string;
}

type Uses = ReadonlyMap<Relation, TableReference>;
type Views = ReadonlyMap<Relation, Resolution>;

function direct(uses: Uses): readonly Touch[] {
  return [...uses].map(([relation, { columns }]) => ({ relation, columns }));
}

/**
 * Reads of view definitions. All of a definition counts, whichever columns of the view are used.
 */
function behindViews(uses: Uses, views: Views): readonly Touch[] {
  return [...uses.keys()].flatMap((named) => {
    const seen = new Set<Relation>();
    const found: Touch[] = [];
    const waiting = [named];
    for (let view = waiting.pop(); view !== undefined; view = waiting.pop()) {
      const inside = seen.has(view) ? undefined : views.get(view);
      seen.add(view);
      for (const [relation, { columns }] of inside?.reads ?? []) {
        found.push({ relation, columns, view: tableText(named.schema, named.name) });
        waiting.push(relation);
      }
    }
    return found;
  });
}

/** A writable view selects from one table, which is written. The columns are not determined. */
function behindWritten(uses: Uses, views: Views): readonly Touch[] {
  return behindViews(uses, views).map(({ relation, view }) => ({
    relation,
    columns: new Set<string>(),
    ...(view === undefined ? {} : { view }),
  }));
}

function listed(touches: readonly Touch[]): readonly TouchedTable[] {
  const relations = [...new Set(touches.map(({ relation }) => relation))];
  return relations
    .map((relation) => {
      const own = touches.filter((each) => each.relation === relation);
      const named = own.some(({ view }) => view === undefined);
      return {
        table: tableText(relation.schema, relation.name),
        kind: relation.kind,
        columns: relation.columns
          .map(({ name }) => name)
          .filter((name) => own.some(({ columns }) => columns.has(name))),
        behind: named ? [] : [...new Set(own.flatMap(({ view }) => view ?? []))].toSorted(),
      };
    })
    .toSorted((one, other) => (one.table < other.table ? -1 : 1));
}
