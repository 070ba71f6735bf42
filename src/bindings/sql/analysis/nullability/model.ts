import type { Node } from "@pgsql/types";
import type { Operator, PgFunction, Relation } from "../../database/snapshot.js";
import type { Catalog } from "../../database/catalog.js";
import type { ValueType } from "../catalog/value-type.js";

/** What is proven of the values of an expression. `"always"`: they are all NULL. */
export interface Value {
  readonly type: ValueType;
  readonly null: "never" | "maybe" | "always";
}

/** Nothing is known. */
export const UNKNOWN: Value = { type: undefined, null: "maybe" };

/** A column of a relation in the database. */
export interface Origin {
  readonly relation: Relation;
  readonly column: string;
}

/**
 * A column that a statement can refer to. Its identity counts: a proof is about this object. `groups` are the outer joins that may put NULL in its place;
 * one of them does so for all its columns at once, so that a value in one column is a proof for the others.
 */
export interface ScopeColumn {
  readonly name: string;
  readonly type: ValueType;
  /** No NULL, as long as none of the groups puts it there. */
  readonly notNull: boolean;
  readonly groups: readonly number[];
  readonly origin?: Origin;
}

/** What is proven for every row that gets as far as the expression looked at. */
export interface Facts {
  /** These are not NULL. */
  readonly columns: ReadonlySet<ScopeColumn>;
  /** These outer joins found a match. */
  readonly groups: ReadonlySet<number>;
}

/** A name in a FROM clause, or the nameless result of a join. */
export interface Item {
  readonly name?: string;
  readonly schema?: string;
  /** Undefined when they cannot be told. */
  readonly columns: readonly ScopeColumn[] | undefined;
  /** `ctid` and the like: found by name, never by `*`. */
  readonly hidden: readonly ScopeColumn[];
  /** The row as a whole: `t` in `to_jsonb(t)`. */
  readonly row: ScopeColumn;
  /** `name.column` finds it. */
  readonly byName: boolean;
  /** A bare column name, or `*`, finds it. */
  readonly bare: boolean;
}

/** Names of WITH queries, the innermost first. */
export interface CteFrame {
  readonly queries: ReadonlyMap<string, () => Columns>;
  readonly outer?: CteFrame | undefined;
}

/** Where an expression stands: what it can refer to, and what is proven there. */
export interface Scope {
  readonly items: readonly Item[];
  readonly facts: Facts;
  readonly outer?: Scope | undefined;
  readonly ctes?: CteFrame | undefined;
  /** Whether an aggregate sees at least one row: only under a GROUP BY without grouping sets. */
  readonly grouped: boolean;
  /** Frame options by the name of the window. */
  readonly windows: ReadonlyMap<string, number>;
}

export interface OutputColumn {
  readonly name: string;
  readonly value: Value;
  /** Of a column given on as it is. */
  readonly origin?: Origin | undefined;
  /** The name was written: `AS name`. */
  readonly aliased: boolean;
  readonly location?: number | undefined;
}

/** The columns of a query; undefined when they cannot be told, not even how many. */
export type Columns = readonly OutputColumn[] | undefined;

export interface Output {
  readonly columns: Columns;
  /** It has exactly one row, whatever the tables hold. */
  readonly oneRow: boolean;
}

/** What the walk comes across, for those who ask other questions of the same statement. `node` is the body of the node. */
export interface Recorder {
  relation(relation: Relation, access: "read" | "write", location: number | undefined): void;
  column(origin: Origin, access: "read" | "write"): void;
  functions(node: object, candidates: readonly PgFunction[]): void;
  operators(node: object, name: string, candidates: readonly Operator[]): void;
  cast(node: object, from: ValueType): void;
  /** A name that means a column, not a function of a row. */
  reference(node: object): void;
  /** A type that some expression has. */
  type(type: ValueType): void;
}

/** The walk's parts, by which they reach one another. */
export interface Analysis {
  readonly catalog: Catalog;
  readonly record: Recorder;
  /** Whether NOT NULL columns are believed: not for what was stored before the constraint was made. */
  readonly trustsConstraints: boolean;
  /** Whether the value of `$n` is known not to be NULL. */
  hasValue(parameter: number): boolean;
  infer(node: Node | undefined, scope: Scope): Value;
  /** What holds when an expression is true, is false, or is either. */
  prove(node: Node | undefined, scope: Scope, when: "true" | "false" | "known"): Facts;
  /** Any statement; `scope` is what surrounds it. */
  query(node: Node | undefined, scope: Scope): Output;
  fromItem(node: Node, scope: Scope, beside: Rows): Rows;
  /** The columns of a view's definition. */
  view(relation: Relation): Columns;
  newGroup(): number;
}

/** What a FROM clause, or a part of it, gives. */
export interface Rows {
  readonly items: readonly Item[];
  readonly facts: Facts;
}
