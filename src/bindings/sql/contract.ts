import type { CompiledQuery, Insertable, Kysely, QueryExecutorProvider } from "kysely";
import type { BoundCaller, CallerField } from "../../runtime/caller.js";
import type { JsonValue } from "../../runtime/json/json.js";

/** Contract between the generated module of a SQL tool and the executor. */
export type SqlContract<Database, Arguments, Row = unknown> = SqlStatement<
  Database,
  Arguments,
  Row
> &
  SqlRows;

/**
 * @typeParam Row row that Kysely's types must at least give; `unknown` if they don't know the rows
 */
export interface SqlStatement<Database, Arguments, Row = unknown> {
  /** Name of the credential that holds the connection's URL. */
  readonly connection: string;
  /**
   * A read runs in a read-only transaction that is always rolled back. A write is committed before
   * its result is returned.
   */
  readonly effect: "read" | "write";
  /** Builds the statement without sending it. Every argument becomes a parameter. */
  readonly build: (
    db: Kysely<Database>,
    args: Arguments,
    caller: BoundCaller,
  ) => unknown extends Row ? Buildable : BuildableRows<Row>;
  /** Settings of the call's transaction, made of text and caller fields. Default: none. */
  readonly setConfig?: readonly SettingTemplate[];
  /** Tables that the statement reads and writes, as far as the compiler knows. Default: none. */
  readonly tables?: SqlTables;
  /** Formats of the values of `$1`, `$2`…, in the order of the compiled statement. */
  readonly parameters: readonly Format[];
  /**
   * True if the statement calls functions that may leave a setting or a lock in the session. The
   * session is then cleaned before the next call uses it. Default: false.
   */
  readonly marksSession?: boolean;
  /**
   * Schemas in which unqualified names are looked up: those that the statement was compiled with.
   * Default: `public`.
   */
  readonly searchPath?: readonly string[];
  /**
   * Columns that each INSERT fills, for `tsc` only. Kysely can't see a missing column if an INSERT
   * gives its values by position. If a migration adds a required column, this field no longer
   * compiles.
   */
  readonly fills?: { readonly [Table in keyof Database]?: Filled<Insertable<Database[Table]>> };
  /** Formats of exactly the columns that the statement returns; empty if it returns no rows. */
  readonly columns: { readonly [name: string]: ColumnFormat };
  /**
   * Labels that the tool's result allows, for columns of enum types and arrays of them. Any other
   * label makes the result unsuccessful. A column is absent if its result may be any text.
   */
  readonly labels?: { readonly [column: string]: readonly string[] };
}

/** The name of a setting, and the texts and caller fields that are joined to make its value. */
export type SettingTemplate = readonly [
  name: string,
  ...parts: (string | { readonly caller: CallerField })[],
];

/** Names of tables, qualified and quoted if needed: `public.orders`, `sales."Order lines"`. */
export interface SqlTables {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

type Filled<Row> = { readonly [Column in keyof Row]: true };

/**
 * Number of rows: any number, exactly one, at most one; `none` returns a count of the affected rows
 * instead.
 */
export type SqlRows =
  | {
      readonly rows: "many";
      /**
       * Largest number of rows in the result. The executor asks for one more, to know whether the
       * result is truncated. PostgreSQL doesn't use parallel workers for a statement whose rows are
       * limited.
       */
      readonly maxRows: number;
    }
  | { readonly rows: "one" | "optional" | "none" };

/** The part of a query that Kysely's builders and its `sql` template share. */
export interface Buildable {
  compile(db: QueryExecutorProvider): CompiledQuery;
}

/** A Kysely builder that selects these columns. Only the type of `execute` tells `tsc` which. */
export interface BuildableRows<Row> extends Buildable {
  execute(): Promise<readonly Row[]>;
}

/**
 * Format of a value between JSON and PostgreSQL's text form, named after the built-in type. `text`
 * passes a value of any type as PostgreSQL prints and reads it. `box` is text too, but its arrays
 * are separated by semicolons.
 */
export type ScalarFormat =
  | "text"
  | "bool"
  | "int2"
  | "int4"
  | "int8"
  | "oid"
  | "float4"
  | "float8"
  | "numeric"
  | "uuid"
  | "bytea"
  | "json"
  | "jsonb"
  | "date"
  | "time"
  | "timetz"
  | "timestamp"
  | "timestamptz"
  | "interval"
  | "box";

/**
 * JSON value of a PostgreSQL type, marked for `tsc` with the name of that type. For example, an
 * `int8` and a `numeric` are both strings. If a column was `int8` when a tool was generated and is
 * `numeric` now, `tsc` reports an error.
 */
export type Pg<Type extends Exclude<ScalarFormat, "bool">> = Travelling[Type] & {
  readonly [postgresType]?: Type;
};

declare const postgresType: unique symbol;

type Travelling = {
  readonly [Type in ScalarFormat]: Type extends "int2" | "int4" | "oid" | "float4" | "float8"
    ? number
    : Type extends "json" | "jsonb"
      ? JsonValue
      : string;
};

/** Nesting of arrays. PostgreSQL's array types don't state their depth; the tool's schema does. */
export type Dimensions = "" | "[]" | "[][]" | "[][][]" | "[][][][]";

/**
 * Format of a parameter or column. `domain` marks an array whose elements are of a domain over that
 * type; PostgreSQL doesn't report the base type of such an array.
 */
export type Format =
  `${ScalarFormat}${Dimensions}` | `domain ${ScalarFormat}${Exclude<Dimensions, "">}`;

/**
 * Format of a result column. `!` marks a column that must not be NULL: a NULL makes the result
 * unsuccessful.
 */
export type ColumnFormat = Format | `${Format}!`;

/** Record of a statement in shadow mode: the SQL that would be sent, with its parameters apart. */
export interface SqlRecord {
  /** Name of the connection, as `${NAME}`. */
  readonly connection: string;
  /** SQL text, with `$1`, `$2`… for its parameters. */
  readonly sql: string;
  /** Values of `$1`, `$2`… as JSON. */
  readonly parameters: readonly JsonValue[];
  /** Settings of the transaction; absent if the project configures none. */
  readonly settings?: { readonly [name: string]: string };
}

/** Statuses of a write that a constraint of the database rejected. */
export type Refusal = "conflict" | "invalid_reference" | "check_failed" | "missing_value";

/** Body of an unsuccessful result. It names objects of the schema, and never contains row data. */
export interface SqlFault {
  /** Schema objects that PostgreSQL names in its error. */
  readonly error: SqlFaultNames;
}

/** Schema objects that a rejected write names. Empty for `not_found`. */
export interface SqlFaultNames {
  /** The violated constraint. */
  readonly constraint?: string;
  /** The table that PostgreSQL names. */
  readonly table?: string;
  /** The column that must not be null. */
  readonly column?: string;
  /** The domain that rejects the value. */
  readonly domain?: string;
}

/** Result of a tool that returns any number of rows. */
export interface ManyRows<Rows> {
  readonly status: "success";
  /** The rows, at most `max_rows` of the binding. */
  readonly data: Rows;
  /** True if there are more rows than `data` contains. */
  readonly truncated: boolean;
}
