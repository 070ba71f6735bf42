import type { Node, SelectStmt } from "@pgsql/types";
import type { Snapshot } from "../database/snapshot.js";
import { type Chain, type ChainType, lambda, mentions, name, type Words } from "./chain.js";
import type { Columns, Frame } from "./scope.js";

/** Facts beyond the statement's text. Without them, the code is the same SQL with looser types. */
export interface BuildFacts {
  /** The database's schema: its tables and the types of their columns. */
  readonly snapshot?: Snapshot;
  /**
   * The TypeScript type of a parameter's value in the tool, including null; undefined if unknown.
   */
  readonly argumentType?: (placeholder: string) => ChainType | undefined;
  /** True if a call may leave a parameter without a value. */
  readonly mayBeNull?: (placeholder: string) => boolean;
}

/** Names of queries and parameters, and the chain with which a query begins. */
export interface Names {
  readonly facts: BuildFacts;
  /** Tables that the statement's columns name with their schema: `audit.events`. */
  readonly qualified: ReadonlySet<string>;
  /** Names of `$1`, `$2`… */
  readonly parameters: readonly string[];
  /**
   * Columns that store parameters where Kysely doesn't check the type, by the parameters'
   * positions.
   */
  readonly stored: ReadonlyMap<number, StoredColumn>;
  /** Common table expressions in scope, with their known columns. */
  readonly ctes: ReadonlyMap<string, Cte>;
  /** Names of common table expressions that Kysely's types know at `db`. */
  readonly dbKnows: ReadonlySet<string>;
  /** Names of common table expressions that Kysely's types know at `start`. */
  readonly startKnows: ReadonlySet<string>;
  /** Chain on which `.selectFrom` is called: `db`, or an expression builder. */
  readonly start: Chain;
}

/** A column of the Database interface. */
export interface StoredColumn {
  readonly is: ChainType;
  /** Type of its values, including null if it is nullable. */
  readonly type: ChainType;
}

export interface Cte {
  readonly columns?: Columns | undefined;
  /** True inside its own query if it has no column list. Kysely then accepts any column name. */
  readonly open: boolean;
}

/** Context in which a query is translated. */
export interface QueryStart {
  readonly names: Names;
  readonly outer?: Frame | undefined;
  readonly seesOuter: boolean;
  readonly depth: number;
  readonly say: Translator;
}

/** A query as Kysely code. */
export interface Query {
  readonly chain: Chain;
  /** Its output columns, in order; undefined if unknown. */
  readonly columns?: Columns | undefined;
}

/** Context in which an expression is translated. */
export interface TranslationContext {
  readonly frame: Frame;
  readonly names: Names;
  readonly say: Translator;
}

export interface Typed {
  /** A Kysely expression. */
  readonly chain: Chain;
  /** Its type in Kysely without null; undefined if unknown. */
  readonly type?: ChainType | undefined;
}

/** The parts of the translation, which call each other. */
export interface Translator {
  /** Translates to a Kysely expression. */
  value(node: Node, place: TranslationContext): Typed;
  /**
   * Translates to what Kysely calls a reference expression: a column's name as a string if
   * possible, or else an expression.
   */
  operand(node: Node, place: TranslationContext): Chain;
  /** Translates a value where Kysely expects a type; undefined if that type is unknown. */
  coerced(node: Node, place: TranslationContext, type: ChainType | undefined): Chain;
  /** Translates to a Kysely expression that is true or false. */
  condition(node: Node, place: TranslationContext): Chain;
  /** Translates to SQL text with typed references. */
  words(node: Node, place: TranslationContext): Words;
  /** Translates a query inside an expression. */
  query(select: SelectStmt, start: QueryStart): Query;
}

export function builder(place: TranslationContext): Chain {
  return name(place.frame.eb);
}

/**
 * Makes a chain an argument: a function of the expression builder if the chain uses the builder.
 */
export function withBuilder(chain: Chain, { frame }: { readonly frame: Frame }): Chain {
  return mentions(chain, frame.eb) ? lambda(frame.eb, chain) : chain;
}

export function frameAt(depth: number, outer: Frame | undefined, seesOuter: boolean): Frame {
  const eb = depth === 0 ? "eb" : `eb${depth + 1}`;
  return { eb, depth, sources: [], outputs: new Set(), outer, seesOuter };
}

/** Context of a query in an expression. It may refer to the tables of the queries around it. */
export function startInside(place: TranslationContext): QueryStart {
  const { frame, names, say } = place;
  const inner = { ...names, start: builder(place) };
  return { names: inner, outer: frame, seesOuter: true, depth: frame.depth + 1, say };
}
