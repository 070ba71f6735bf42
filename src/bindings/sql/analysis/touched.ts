/**
 * Which tables and columns a statement reads and writes: the first file of the folder, whose other
 * files ask more of the same tree and snapshot.
 *
 * - `resolution.ts`: what each name means; `candidates.ts`: what a call may mean; `value-type.ts`:
 *   the types of values
 * - `nullability/nullability.ts`: which columns are never NULL; `never-null.ts`: what is known of
 *   functions for that
 * - `effect/effect.ts`: whether a statement only reads
 */
import type { Node } from "@pgsql/types";
import { tableText } from "@skillc/runtime/internal/sql";
import type { Relation, Snapshot } from "../database/snapshot.js";
import { type Resolution, resolveNames, type TableReference } from "./resolution.js";

/** A table or view that a statement touches. */
export interface TouchedTable {
  /** In the notation of capabilities: `public.orders`. */
  readonly table: string;
  readonly kind: Relation["kind"];
  /**
   * Those that the statement names or takes with `*`, in the table's order. None for a table that
   * is only counted, joined or emptied.
   */
  readonly columns: readonly string[];
  /** Views through which it is touched, when the statement itself does not name it. */
  readonly behind: readonly string[];
}

export interface Touched {
  readonly reads: readonly TouchedTable[];
  readonly writes: readonly TouchedTable[];
}

/**
 * The tables and columns that a statement reads and writes, and, marked, those behind the views it
 * names. Not seen: what functions, triggers, cascading keys and policies touch, nor columns of a
 * table that is named by a word the catalog does not know. Never throws.
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

/** What the definitions of views read: all of it, whichever columns of the view are asked for. */
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

/**
 * A view that can be written is a view of one table: that is written, in which columns is not
 * looked at.
 */
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
