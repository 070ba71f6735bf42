/** Assumptions under which a condition is evaluated, and the truth values of three-valued logic. */
import type { Node } from "@pgsql/types";
import type { PgCatalog } from "../database/pg-catalog.js";
import type { Relation } from "../database/snapshot.js";

/** Assumptions of one evaluation. Some values are assumed to be NULL; any other may be anything. */
export interface Assumed {
  readonly pgCatalog: PgCatalog;
  isNullParameter(parameter: number): boolean;
  /** True if `$n` has a value in every call. */
  hasValue(parameter: number): boolean;
  /** True if `$n` is assumed to be an empty list, object or text. */
  isEmptyParameter(parameter: number): boolean;
  /**
   * The table whose rows the condition chooses. A column compared with itself is assumed to have a
   * value.
   */
  readonly target?: TargetRows | undefined;
  /** A column of these rows for which one value is assumed. */
  readonly fixed?: FixedColumn | undefined;
  /** Other relations and queries that the statement reads. */
  readonly sources?: Sources | undefined;
  /** True if an expression is certainly NULL. */
  isNull(node: Node | undefined): boolean;
  /** The truth values that a condition may have (null-logic.ts). */
  truthOf(node: Node | undefined): number;
  /** Cached results: each node is evaluated once. */
  readonly nulls: Map<Node, boolean>;
  readonly truths: Map<Node, number>;
}

/** A table as a statement names it: `orders AS o`. */
export interface TargetRows {
  readonly relation: Relation;
  /** The alias, or the table's own name. */
  readonly name: string;
}

export interface FixedColumn {
  readonly name: string;
  readonly value: string | number | boolean | null;
}

/** Relations and queries that a statement reads besides the table that it changes. */
export interface Sources {
  /** Queries in WITH, by name. */
  readonly queries: ReadonlyMap<string, Node>;
  /** Sources in USING or FROM that the conditions refer to exactly once, by alias. */
  readonly joined: ReadonlyMap<string, Node>;
}

/** Truth values. A condition that may have several has their sum. */
export const TRUE = 1;
export const FALSE = 2;
export const NULL = 4;
export const ANY = TRUE | FALSE | NULL;

/** Evaluates NOT. */
export function negated(truth: number): number {
  return (truth & NULL) | (truth & TRUE ? FALSE : 0) | (truth & FALSE ? TRUE : 0);
}

/** Evaluates AND. */
export function conjoined(one: number, other: number): number {
  const some = one | other;
  return (
    (one & other & TRUE) |
    (some & FALSE) |
    (some & NULL && one !== FALSE && other !== FALSE ? NULL : 0)
  );
}

/** Evaluates OR. */
export function either(one: number, other: number): number {
  return negated(conjoined(negated(one), negated(other)));
}
