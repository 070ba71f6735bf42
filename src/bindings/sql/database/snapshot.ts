/**
 * Contents of PostgreSQL's system catalogs, as plain data. OIDs are those of the engine that was
 * read.
 */
export interface Snapshot {
  /** Schemas searched for unqualified names, in order, including `pg_catalog`. */
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
  /** Element type of an array. */
  readonly element?: number;
  /** Labels of an enum, in order. */
  readonly labels?: readonly string[];
  /** Base type of a domain. */
  readonly base?: number;
  /** Length or precision of a domain, encoded as in `Column`; absent if it has none. */
  readonly modifier?: number;
  /** True if the domain itself is NOT NULL. */
  readonly notNull?: boolean;
  /**
   * Expressions of a domain's own checks, in which `VALUE` is the value. PostgreSQL evaluates them
   * whenever it converts a value to the domain.
   */
  readonly checks?: readonly string[];
  /**
   * OIDs of functions that PostgreSQL calls implicitly to read, print or order values. Functions in
   * C and PostgreSQL's own are left out.
   */
  readonly behind?: readonly number[];
  /** Type of a range's bounds. */
  readonly bounds?: number;
  /** Fields of a composite type. */
  readonly fields?: readonly { readonly name: string; readonly type: number }[];
  /** True if the type is in `pg_catalog`. */
  readonly builtIn: boolean;
}

export interface Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "partitioned" | "view" | "materialized" | "foreign" | "sequence";
  readonly columns: readonly Column[];
  /** Query of a view, as PostgreSQL prints it. */
  readonly definition?: string;
  /**
   * Expressions that PostgreSQL evaluates when a statement reads rows: policies of row level
   * security, and generated columns that are not stored.
   */
  readonly evaluated?: readonly string[];
  /**
   * Expressions of indexes, statistics, partition keys and checks, including those of children.
   * PostgreSQL computes their constant parts while it plans a statement.
   */
  readonly planned?: readonly string[];
  /**
   * OIDs of functions that order values for indexes and partitions, including those of children.
   * Functions in C and PostgreSQL's own are left out.
   */
  readonly behind?: readonly number[];
  /** Present on a foreign table if reading it runs a program on the server. */
  readonly program?: true;
  /**
   * Says if row triggers or rules may change the rows that a statement writes or returns. Triggers
   * of a partition or child count too. Absent if unknown: RETURNING is then judged by the columns.
   */
  readonly intercepted?: "never" | "by triggers" | "by rules";
  /**
   * True if a trigger (BEFORE or INSTEAD OF, for each row) or a rule may fill columns that an
   * INSERT leaves out. Absent if unknown.
   */
  readonly fillsRows?: boolean;
}

export interface Column {
  readonly name: string;
  readonly type: number;
  /** Type modifier, as PostgreSQL stores it; -1 if there is none. For `varchar(n)` it is n + 4. */
  readonly modifier: number;
  /**
   * True if no row of the table, a partition or a child can hold NULL. `attnotnull` is weaker:
   * since PostgreSQL 18 it is also set for a NOT VALID or NO INHERIT constraint, and before, a
   * child could drop the constraint. Always false for a foreign table, where it isn't enforced.
   */
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  /**
   * True for `GENERATED ALWAYS AS (…) STORED` and `GENERATED ALWAYS AS IDENTITY`, which are never
   * written.
   */
  readonly generated: boolean;
}

export interface PgFunction {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: "function" | "procedure" | "aggregate" | "window";
  readonly arguments: readonly number[];
  readonly variadic: boolean;
  /** Number of arguments, from the last, that have defaults. */
  readonly defaults: number;
  /** The defaults, separated by commas; absent for PostgreSQL's own functions. */
  readonly defaultValues?: string;
  readonly returns: number;
  /** Columns of a function with OUT, INOUT or TABLE arguments, in order. */
  readonly outputs?: readonly { readonly name: string; readonly type: number }[];
  readonly returnsSet: boolean;
  readonly volatility: "immutable" | "stable" | "volatile";
  /** True if the result is NULL whenever an argument is NULL. */
  readonly strict: boolean;
  /** Extension to which the function belongs. */
  readonly extension?: string;
}

export interface Operator {
  readonly schema: string;
  readonly name: string;
  /** Type of the left operand; 0 for a prefix operator. */
  readonly left: number;
  readonly right: number;
  readonly result: number;
  /** OID of the operator's function. */
  readonly function: number;
  /** OIDs of user functions of its commutator and its negator, which a plan may use instead. */
  readonly instead?: readonly number[];
}

export interface Cast {
  readonly source: number;
  readonly target: number;
  /** OID of the cast's function; 0 if the representation stays the same. */
  readonly function: number;
  readonly context: "explicit" | "assignment" | "implicit";
}
