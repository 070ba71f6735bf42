/**
 * What is in a database: PostgreSQL's system catalogs, as plain data. OIDs are those of the engine
 * that was asked.
 */
export interface Snapshot {
  /** Schemas looked through for unqualified names, in order, `pg_catalog` included. */
  readonly searchPath: readonly string[];
  readonly types: readonly PgType[];
  readonly relations: readonly Relation[];
  readonly functions: readonly PgFunction[];
  readonly operators: readonly Operator[];
  readonly casts: readonly Cast[];
}

export interface PgType {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind:
    "base" | "enum" | "domain" | "composite" | "range" | "multirange" | "array" | "pseudo";
  /** Of an array: its elements' type. */
  readonly element?: number;
  /** Of an enum, in order. */
  readonly labels?: readonly string[];
  /** Of a domain. */
  readonly base?: number;
  /** Of a domain: its length or precision, as `Column` has it; absent: none. */
  readonly modifier?: number;
  /** Of a domain: its own NOT NULL. */
  readonly notNull?: boolean;
  /**
   * Of a domain: the expressions of its own checks, in which `VALUE` is the value. PostgreSQL
   * evaluates them wherever a value becomes one of the domain's.
   */
  readonly checks?: readonly string[];
  /**
   * OIDs of functions that PostgreSQL calls for its values without being asked: they read, print or
   * order them. Those in C or of PostgreSQL's own are left out.
   */
  readonly behind?: readonly number[];
  /** Of a range: the type of its bounds. */
  readonly bounds?: number;
  /** Of a composite type. */
  readonly fields?: readonly { readonly name: string; readonly type: number }[];
  /** I/O functions and the like do not matter; whether the type takes part in `pg_catalog`. */
  readonly builtIn: boolean;
}

export interface Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "partitioned" | "view" | "materialized" | "foreign" | "sequence";
  readonly columns: readonly Column[];
  /** Of a view: the query, as PostgreSQL prints it. */
  readonly definition?: string;
  /**
   * What PostgreSQL evaluates for a statement that reads its rows: the policies of row-level
   * security, and generated columns that are not stored.
   */
  readonly evaluated?: readonly string[];
  /**
   * The expressions of its indexes, statistics, partition keys and checks, and of its children's:
   * what is constant in them is computed while a statement is planned.
   */
  readonly planned?: readonly string[];
  /**
   * OIDs of functions by which its indexes and partitions order values, and those of its children.
   * Those in C or of PostgreSQL's own are left out.
   */
  readonly behind?: readonly number[];
  /** Of a foreign table: reading it runs a program on the server. */
  readonly program?: true;
  /**
   * Whether row triggers or rules may change what a statement writes or returns, on it or on a
   * partition or child of it. Absent: not known, and what RETURNING gives is taken from the columns
   * alone.
   */
  readonly intercepted?: "never" | "by triggers" | "by rules";
  /**
   * Whether something may fill columns that an INSERT leaves out: a trigger on rows before they are
   * inserted, or instead, or a rule. Absent: not known.
   */
  readonly fillsRows?: boolean;
}

export interface Column {
  readonly name: string;
  readonly type: number;
  /** As PostgreSQL keeps it; -1: none. `varchar(n)` is n + 4. */
  readonly modifier: number;
  /**
   * No row of it, nor of a partition or child, can hold NULL. More than `attnotnull`: since
   * PostgreSQL 18 that is also true of a constraint that is NOT VALID or NO INHERIT, and before, a
   * child could drop it. Always false for a foreign table: nothing enforces it there.
   */
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  /** `GENERATED ALWAYS AS (…) STORED`, or `GENERATED ALWAYS AS IDENTITY`: never written. */
  readonly generated: boolean;
}

export interface PgFunction {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: "function" | "procedure" | "aggregate" | "window";
  readonly arguments: readonly number[];
  readonly variadic: boolean;
  /** How many of the arguments, from the last, have defaults. */
  readonly defaults: number;
  /** These defaults, with commas between them; not given for PostgreSQL's own functions. */
  readonly defaultValues?: string;
  readonly returns: number;
  /** Of a function with OUT, INOUT or TABLE arguments: its columns, in order. */
  readonly outputs?: readonly { readonly name: string; readonly type: number }[];
  readonly returnsSet: boolean;
  readonly volatility: "immutable" | "stable" | "volatile";
  /** Gives NULL whenever an argument is NULL. */
  readonly strict: boolean;
  /** The extension that it came with. */
  readonly extension?: string;
}

export interface Operator {
  readonly schema: string;
  readonly name: string;
  /** 0 for a prefix operator. */
  readonly left: number;
  readonly right: number;
  readonly result: number;
  /** OID of the function behind it. */
  readonly function: number;
  /**
   * OIDs of users' functions behind its commutator and its negator, which a plan may have in its
   * place.
   */
  readonly instead?: readonly number[];
}

export interface Cast {
  readonly source: number;
  readonly target: number;
  /** 0 when the representation is kept. */
  readonly function: number;
  readonly context: "explicit" | "assignment" | "implicit";
}
