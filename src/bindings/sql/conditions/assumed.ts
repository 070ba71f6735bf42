/**
 * What is taken for granted while a condition is evaluated, and the truths of three-valued logic.
 */
import type { Node } from "@pgsql/types";
import type { PgCatalog } from "../database/pg-catalog.js";
import type { Relation } from "../database/snapshot.js";

/** Some values are taken for NULL; of all others anything may be. */
export interface Assumed {
  readonly pgCatalog: PgCatalog;
  isNullParameter(parameter: number): boolean;
  /** Whether `$n` has a value in every call. */
  hasValue(parameter: number): boolean;
  /** Whether `$n` is taken for an empty list, object or text. */
  isEmptyParameter(parameter: number): boolean;
  /**
   * The table whose rows the condition chooses: each of its columns is taken to have a value where
   * it is compared with itself.
   */
  readonly target?: TargetRows | undefined;
  /** A column of these rows of which one value is looked at. */
  readonly fixed?: FixedColumn | undefined;
  /** What else the statement reads. */
  readonly sources?: Sources | undefined;
  /** Whether an expression is NULL for certain. */
  isNull(node: Node | undefined): boolean;
  /** What a condition may come to (null-logic.ts). */
  truthOf(node: Node | undefined): number;
  /** What was found of a node: each is looked at once, however many ask. */
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

/** What a statement reads beside the table that it changes. */
export interface Sources {
  /** The queries in WITH, by name. */
  readonly queries: ReadonlyMap<string, Node>;
  /**
   * What stands in USING or FROM and is met in one place of the condition only, by the name that it
   * has there.
   */
  readonly joined: ReadonlyMap<string, Node>;
}

/** What a condition may come to, as a sum of these. */
export const TRUE = 1;
export const FALSE = 2;
export const NULL = 4;
export const ANY = TRUE | FALSE | NULL;

/** NOT. */
export function negated(truth: number): number {
  return (truth & NULL) | (truth & TRUE ? FALSE : 0) | (truth & FALSE ? TRUE : 0);
}

/** AND. */
export function conjoined(one: number, other: number): number {
  const some = one | other;
  return (
    (one & other & TRUE) |
    (some & FALSE) |
    (some & NULL && one !== FALSE && other !== FALSE ? NULL : 0)
  );
}

/** OR. */
export function either(one: number, other: number): number {
  return negated(conjoined(negated(one), negated(other)));
}
