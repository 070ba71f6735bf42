/** Which tables and columns a place sees, and what a reference means there. */
import type { Node } from "@pgsql/types";
import { walk } from "../statement/tree.js";
import { type Chain, type ChainType, childrenOf, type ReferenceCount } from "./chain.js";

/** Columns by name, with the type that Kysely gives for each; undefined where that is not known. */
export type Columns = ReadonlyMap<string, ChainType | undefined>;

/** A table, subquery or function that columns may be taken from. */
export interface Source {
  /** The name by which the statement calls it. */
  readonly alias: string;
  /** What Kysely wants before the column's name: the alias, or `schema.table`. */
  readonly key: string;
  /**
   * - `checked`: `tsc` knows its columns;
   * - `open`: `tsc` takes any column name (a recursive CTE inside itself);
   * - `hidden`: `tsc` knows of no column.
   */
  readonly types: "checked" | "open" | "hidden";
  /** Its columns can only be named with it: `excluded`, `old`. */
  readonly qualifiedOnly?: boolean;
  /** Kysely knows its columns without a table's name only: INSERT takes no alias. */
  readonly unqualified?: boolean | undefined;
  /** It may have more columns than are known. */
  readonly partial?: boolean;
  /** Kysely has no table of this name in its types: it stands inside a fragment. */
  readonly absent?: boolean;
  /** Undefined when they are not known. */
  readonly columns?: Columns | undefined;
  /** Columns in which no row has NULL, as Kysely knows it; only of the table that is written. */
  readonly notNull?: ReadonlySet<string>;
}

/** What names mean at one place of a statement. */
export interface Frame {
  /** The variable that holds Kysely's expression builder for this frame. */
  readonly eb: string;
  readonly depth: number;
  readonly sources: readonly Source[];
  /** Names of the output columns that Kysely knows: ORDER BY and GROUP BY may use them. */
  readonly outputs: ReadonlySet<string>;
  readonly outer?: Frame | undefined;
  /** Whether this frame's expression builder knows the outer frame's tables too. */
  readonly seesOuter: boolean;
}

export type Resolved =
  | {
      readonly kind: "typed";
      /** As Kysely wants it: `o.id`. */
      readonly text: string;
      /** 0 where `tsc` would take any name. */
      readonly sees: 0 | 1;
      readonly type?: ChainType | undefined;
      /** Kysely knows that it is never NULL. */
      readonly notNull: boolean;
      readonly frame: Frame;
      /** Whether the expression builder of the place knows it, and a string can stand for it. */
      readonly visible: boolean;
    }
  | { readonly kind: "untyped" };

/**
 * Names that Kysely's strings can hold: it takes them apart at dots and ` as `, and trims what it
 * gets.
 */
export function isPlain(name: string): boolean {
  return name !== "" && name === name.trim() && !/[.()]| as /u.test(name);
}

/** A table by its name, as a value: the whole row. */
export function findTable(frame: Frame, name: string): Source | undefined {
  for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
    const found = at.sources.find(({ alias }) => alias === name);
    if (found !== undefined) return found;
    if (!at.seesOuter) return undefined;
  }
  return undefined;
}

/**
 * Finds what a column reference means, innermost frame first. Without the columns of a table, it is
 * taken to have any.
 */
export function resolveReference(frame: Frame, names: readonly string[]): Resolved {
  const column = names.at(-1);
  if (column === undefined || !names.every(isPlain)) return { kind: "untyped" };
  const qualifier = names.slice(0, -1).join(".");
  let visible = true;
  for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
    const found = qualifier === "" ? findColumn(at, column) : findSource(at, qualifier);
    if (found === "unknown") return { kind: "untyped" };
    if (found !== undefined) return refer(at, found, column, qualifier, visible);
    visible &&= at.seesOuter;
  }
  return { kind: "untyped" };
}

function refer(
  frame: Frame,
  source: Source,
  column: string,
  qualifier: string,
  visible: boolean,
): Resolved {
  const named = qualifier === "" || (!source.unqualified && qualifier === source.key);
  if (source.types === "hidden" || !named || source.columns?.has(column) === false)
    return { kind: "untyped" };
  const text = qualifier === "" ? column : `${source.key}.${column}`;
  const sees = isOpen(frame) ? 0 : 1;
  const type = source.columns?.get(column);
  const notNull = source.notNull?.has(column) === true;
  return { kind: "typed", text, sees, type, notNull, frame, visible };
}

/** Kysely takes any name for a column as soon as one table takes any. */
function isOpen(frame: Frame): boolean {
  if (frame.sources.some(({ types }) => types === "open")) return true;
  return frame.seesOuter && frame.outer !== undefined && isOpen(frame.outer);
}

function findSource(frame: Frame, qualifier: string): Source | undefined {
  return frame.sources.find(({ alias, key }) => alias === qualifier || key === qualifier);
}

/** `unknown`: it may be a column that `tsc` does not know. */
function findColumn(frame: Frame, column: string): Source | "unknown" | undefined {
  const sources = frame.sources.filter(({ qualifiedOnly }) => !qualifiedOnly);
  const known = sources.filter((source) => source.columns?.has(column));
  const first = known[0];
  if (first !== undefined) {
    // Several tables have it, after USING for instance: Kysely makes a union of their types.
    return known.length === 1 ? first : { ...first, columns: new Map([[column, undefined]]) };
  }
  const open = sources.filter(({ columns, partial }) => columns === undefined || partial);
  if (open.length === 0) return undefined;
  const sure = open.every(({ types, partial }) => types !== "hidden" && !partial);
  return sure ? open[0] : "unknown";
}

export function extend(frame: Frame, sources: readonly Source[]): Frame {
  return { ...frame, sources: [...frame.sources, ...sources] };
}

/**
 * How many of the statement's references `tsc` sees in its code. References are: columns (also
 * `t.*`, and those that INSERT and UPDATE write), tables, common table expressions where they are
 * used, and every place of a parameter. `*` alone refers to nothing that could be wrong.
 */
export function countReferences(tree: Node, chain: Chain): ReferenceCount {
  const all = referencesOf(tree);
  // A fragment may say a name twice that the statement says once.
  return { seen: Math.min(seenIn(chain), all), all };
}

function referencesOf(tree: Node): number {
  let count = 0;
  walk(tree, (node) => {
    // The tree has the row of `(a, b) = (…)` once for each column.
    if ("MultiAssignRef" in node && node.MultiAssignRef.colno !== 1) return false;
    count += referencesAt(node);
    return true;
  });
  return count;
}

function referencesAt(node: Node): number {
  if ("ColumnRef" in node) {
    const [only, ...others] = node.ColumnRef.fields ?? [];
    return only !== undefined && "A_Star" in only && others.length === 0 ? 0 : 1;
  }
  if ("RangeVar" in node || "ParamRef" in node) return 1;
  if ("InsertStmt" in node) return node.InsertStmt.cols?.length ?? 0;
  if ("UpdateStmt" in node) return node.UpdateStmt.targetList?.length ?? 0;
  if ("OnConflictClause" in node) return node.OnConflictClause.targetList?.length ?? 0;
  if ("MergeWhenClause" in node) return node.MergeWhenClause.targetList?.length ?? 0;
  return "IndexElem" in node && node.IndexElem.name !== undefined ? 1 : 0;
}

function seenIn(chain: Chain): number {
  return childrenOf(chain).reduce((sum, each) => sum + seenIn(each), seenAt(chain));
}

function seenAt(chain: Chain): number {
  if (chain.kind === "parameter") return 1;
  if (chain.kind === "literal" || chain.kind === "record") return chain.sees ?? 0;
  return chain.kind === "template" && isTable(chain.type) ? 1 : 0;
}

function isTable(type: ChainType): boolean {
  return type.kind === "row";
}
