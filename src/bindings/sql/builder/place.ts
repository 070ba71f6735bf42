import type { Node, SelectStmt } from "@pgsql/types";
import type { Snapshot } from "../database/snapshot.js";
import { type Chain, type ChainType, lambda, mentions, name, type Words } from "./chain.js";
import type { Columns, Frame } from "./scope.js";

/**
 * What is known beyond the statement's own text. Without it the code is the same SQL, with looser
 * types.
 */
export interface BuildFacts {
  /**
   * What is in the database: tells tables from what is none, and which columns have which types.
   */
  readonly snapshot?: Snapshot;
  /**
   * The TypeScript type that a parameter's value has in the tool, null included; undefined when it
   * is not known.
   */
  readonly argumentType?: (placeholder: string) => ChainType | undefined;
  /** Whether a call can leave a parameter without a value. */
  readonly mayBeNull?: (placeholder: string) => boolean;
}

/** What queries and parameters are called, and where a query may begin. */
export interface Names {
  readonly facts: BuildFacts;
  /** Tables that the statement's columns name with their schema: `audit.events`. */
  readonly qualified: ReadonlySet<string>;
  /** Names of `$1`, `$2`… */
  readonly parameters: readonly string[];
  /**
   * The columns that parameters go to where Kysely doesn't look, by the places of the parameters.
   */
  readonly stored: ReadonlyMap<number, StoredColumn>;
  /** Common table expressions in scope, and what is known of their columns. */
  readonly ctes: ReadonlyMap<string, Cte>;
  /** Names of those that Kysely's types know at `db`. */
  readonly dbKnows: ReadonlySet<string>;
  /** Names of those that Kysely's types know at `start`. */
  readonly startKnows: ReadonlySet<string>;
  /** What `.selectFrom` is called on: `db`, or an expression builder. */
  readonly start: Chain;
}

/** A column of the Database interface. */
export interface StoredColumn {
  readonly is: ChainType;
  /** Of its values, null included where it takes NULL. */
  readonly type: ChainType;
}

export interface Cte {
  readonly columns?: Columns | undefined;
  /** Inside its own query, without a list of columns: Kysely takes any name for a column. */
  readonly open: boolean;
}

/** Where a query stands. */
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
  /** Its output columns, in order; undefined where they can't be known. */
  readonly columns?: Columns | undefined;
}

/** Where an expression stands. */
export interface TranslationContext {
  readonly frame: Frame;
  readonly names: Names;
  readonly say: Translator;
}

export interface Typed {
  /** A Kysely expression. */
  readonly chain: Chain;
  /** The type that Kysely gives it, null aside; undefined where that is not known. */
  readonly type?: ChainType | undefined;
}

/** The parts of the translation that need each other. */
export interface Translator {
  /** A Kysely expression. */
  value(node: Node, place: TranslationContext): Typed;
  /**
   * What Kysely calls a reference expression: a column's name as a string where it can be, or an
   * expression.
   */
  operand(node: Node, place: TranslationContext): Chain;
  /** A value where Kysely wants one of that type; undefined: of a type that is not known. */
  coerced(node: Node, place: TranslationContext, type: ChainType | undefined): Chain;
  /** A Kysely expression that is true or false. */
  condition(node: Node, place: TranslationContext): Chain;
  /** SQL text with typed references. */
  words(node: Node, place: TranslationContext): Words;
  /** A query inside an expression. */
  query(select: SelectStmt, start: QueryStart): Query;
}

export function builder(place: TranslationContext): Chain {
  return name(place.frame.eb);
}

/** The chain as an argument: a function of the expression builder when it needs one. */
export function withBuilder(chain: Chain, { frame }: { readonly frame: Frame }): Chain {
  return mentions(chain, frame.eb) ? lambda(frame.eb, chain) : chain;
}

export function frameAt(depth: number, outer: Frame | undefined, seesOuter: boolean): Frame {
  const eb = depth === 0 ? "eb" : `eb${depth + 1}`;
  return { eb, depth, sources: [], outputs: new Set(), outer, seesOuter };
}

/** A query in an expression: it may refer to the tables of the queries around it. */
export function startInside(place: TranslationContext): QueryStart {
  const { frame, names, say } = place;
  const inner = { ...names, start: builder(place) };
  return { names: inner, outer: frame, seesOuter: true, depth: frame.depth + 1, say };
}
