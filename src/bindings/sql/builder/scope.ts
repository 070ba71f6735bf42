/**
 * Scopes of the translation: the tables and columns that are visible, and lookups of references.
 */
import type { Node } from "@pgsql/types";
import { walk } from "../statement/tree.js";
import { type Chain, type ChainType, childrenOf, type ReferenceCount } from "./chain.js";

/** Columns by name, with their types in Kysely; undefined if unknown. */
export type Columns = ReadonlyMap<string, ChainType | undefined>;

/** A table, subquery or function with columns. */
export interface Source {
  /** Its name in the statement. */
  readonly alias: string;
  /** Qualifier that Kysely expects before the column's name: the alias, or `schema.table`. */
  readonly key: string;
  /**
   * - `checked`: `tsc` knows its columns;
   * - `open`: `tsc` accepts any column name (a recursive CTE inside itself);
   * - `hidden`: `tsc` knows none of its columns.
   */
  readonly types: "checked" | "open" | "hidden";
  /** True if its columns must be qualified: `excluded`, `old`. */
  readonly qualifiedOnly?: boolean;
  /**
   * True if Kysely knows its columns only without a qualifier, because its INSERT takes no alias.
   */
  readonly unqualified?: boolean | undefined;
  /** True if it may have more columns than the known ones. */
  readonly partial?: boolean;
  /** True if Kysely's types have no table of this name, because it is inside a fragment. */
  readonly absent?: boolean;
  /** Columns; undefined if unknown. */
  readonly columns?: Columns | undefined;
  /** Columns that are NOT NULL in Kysely's types; only for the written table. */
  readonly notNull?: ReadonlySet<string>;
}

/** The names that are visible at one place of a statement. */
export interface Frame {
  /** The variable of this frame's Kysely expression builder. */
  readonly eb: string;
  readonly depth: number;
  readonly sources: readonly Source[];
  /** Names of the output columns that Kysely knows; ORDER BY and GROUP BY may use them. */
  readonly outputs: ReadonlySet<string>;
  readonly outer?: Frame | undefined;
  /** True if this frame's expression builder knows the outer frame's tables too. */
  readonly seesOuter: boolean;
}

export type Resolved =
  | {
      readonly kind: "typed";
      /** Reference in Kysely's form: `o.id`. */
      readonly text: string;
      /** Number of references that `tsc` checks: 0 if it would accept any name. */
      readonly sees: 0 | 1;
      readonly type?: ChainType | undefined;
      /** True if Kysely knows that it is never NULL. */
      readonly notNull: boolean;
      readonly frame: Frame;
      /** True if the current expression builder knows it, so that a string may stand for it. */
      readonly visible: boolean;
    }
  | { readonly kind: "untyped" };

/**
 * True for names that Kysely's strings can hold. Kysely splits them at dots and ` as `, and trims
 * them.
 */
export function isPlain(name: string): boolean {
  return name !== "" && name === name.trim() && !/[.()]| as /u.test(name);
}

/** Finds a table that is used as a value: the whole row. */
export function findTable(frame: Frame, name: string): Source | undefined {
  for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
    const found = at.sources.find(({ alias }) => alias === name);
    if (found !== undefined) return found;
    if (!at.seesOuter) return undefined;
  }
  return undefined;
}

/**
 * Resolves a column reference, innermost frame first. A table with unknown columns is assumed to
 * have any column.
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

/** True if one table accepts any column name; Kysely then accepts any name. */
function isOpen(frame: Frame): boolean {
  if (frame.sources.some(({ types }) => types === "open")) return true;
  return frame.seesOuter && frame.outer !== undefined && isOpen(frame.outer);
}

function findSource(frame: Frame, qualifier: string): Source | undefined {
  return frame.sources.find(({ alias, key }) => alias === qualifier || key === qualifier);
}

/** Finds the source of a bare column; `unknown` if it may be a column that `tsc` does not know. */
function findColumn(frame: Frame, column: string): Source | "unknown" | undefined {
  const sources = frame.sources.filter(({ qualifiedOnly }) => !qualifiedOnly);
  const known = sources.filter((source) => source.columns?.has(column));
  const first = known[0];
  if (first !== undefined) {
    // Several tables have it, for example after USING. Kysely's type is then a union.
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
 * Counts the statement's references that `tsc` checks in its code. References are columns (also
 * `t.*`, and those written by INSERT and UPDATE), tables, uses of common table expressions, and
 * every place of a parameter. A bare `*` can't be wrong and doesn't count.
 */
export function countReferences(tree: Node, chain: Chain): ReferenceCount {
  const all = referencesOf(tree);
  // A fragment may repeat a name that occurs once in the statement.
  return { seen: Math.min(seenIn(chain), all), all };
}

function referencesOf(tree: Node): number {
  let count = 0;
  walk(tree, (node) => {
    // The tree repeats the row of `(a, b) = (…)` for each column.
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
