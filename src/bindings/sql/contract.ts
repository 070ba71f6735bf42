import type { CompiledQuery, Insertable, Kysely, QueryExecutorProvider } from "kysely";
import type { BoundCaller, CallerField } from "../../runtime/caller.js";
import type { JsonValue } from "../../runtime/json/json.js";

/** What the generated module of a SQL tool hands to the executor. */
export type SqlContract<Database, Arguments, Row = unknown> = SqlStatement<
  Database,
  Arguments,
  Row
> &
  SqlRows;

/**
 * @typeParam Row what Kysely's types must say of a row at least; `unknown` for a statement of whose
 * rows they say nothing
 */
export interface SqlStatement<Database, Arguments, Row = unknown> {
  /** Name of the credential that holds the connection's URL. */
  readonly connection: string;
  /**
   * Reads run in a transaction that can't write and is always rolled back; writes are committed
   * before they are reported.
   */
  readonly effect: "read" | "write";
  /** Builds the statement. Pure: nothing is sent, and every argument becomes a parameter. */
  readonly build: (
    db: Kysely<Database>,
    args: Arguments,
    caller: BoundCaller,
  ) => unknown extends Row ? Buildable : BuildableRows<Row>;
  /**
   * Settings that its transaction has, made of text and of what the caller gives; none when not
   * given.
   */
  readonly setConfig?: readonly SettingTemplate[];
  /** What it reads and writes, as far as the statement says: left out, no table. */
  readonly tables?: SqlTables;
  /** How the values of `$1`, `$2`… travel, in the order of the compiled statement. */
  readonly parameters: readonly Format[];
  /**
   * Calls functions that may leave something in the session, a setting or a lock: it is cleaned
   * before the next call has it. False when not given.
   */
  readonly marksSession?: boolean;
  /**
   * Schemas in which names without one are looked up: those that the statement was compiled with.
   * `public` when not given.
   */
  readonly searchPath?: readonly string[];
  /**
   * For `tsc` alone: the columns that an INSERT fills by their places, where Kysely does not see
   * whether one is missing. So a column that rows must have since is an error here.
   */
  readonly fills?: { readonly [Table in keyof Database]?: Filled<Insertable<Database[Table]>> };
  /**
   * How the columns of a row travel. Exactly the columns that the statement gives; none when it
   * gives no rows.
   */
  readonly columns: { readonly [name: string]: ColumnFormat };
  /**
   * Of columns of enum types, and of their arrays: every label that the tool's result has room for.
   * Another one is no success. Left out: the columns whose result is any text.
   */
  readonly labels?: { readonly [column: string]: readonly string[] };
}

/** The name of a setting, and what it is made of: text, and fields of the caller. */
export type SettingTemplate = readonly [
  name: string,
  ...parts: (string | { readonly caller: CallerField })[],
];

/** `public.orders`, `sales."Order lines"`. */
export interface SqlTables {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

type Filled<Row> = { readonly [Column in keyof Row]: true };

/**
 * How many rows there are: any number, exactly one, at most one, or a count of the affected rows
 * instead.
 */
export type SqlRows =
  | {
      readonly rows: "many";
      /**
       * One more is asked for, to know whether there are more. PostgreSQL runs a statement whose
       * rows are limited without parallel workers.
       */
      readonly maxRows: number;
    }
  | { readonly rows: "one" | "optional" | "none" };

/** What a Kysely builder and Kysely's `sql` template have in common. */
export interface Buildable {
  compile(db: QueryExecutorProvider): CompiledQuery;
}

/** A Kysely builder that selects these columns: nothing but the type of `execute` tells which. */
export interface BuildableRows<Row> extends Buildable {
  execute(): Promise<readonly Row[]>;
}

/**
 * How a value travels between JSON and PostgreSQL's text form, named after the built-in type.
 * `text`: as PostgreSQL prints it and reads it, whatever the type. `box` is text too; its arrays
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
 * A value of a PostgreSQL type as it travels: a string, a number or JSON like any other, which
 * `tsc` alone tells from the values of other PostgreSQL types. So a column that is no longer the
 * `int8` that it was when a tool was generated does not pass for one, though both are strings.
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

/**
 * How deep arrays nest. PostgreSQL's array types don't say; a tool that expects nested ones does.
 */
export type Dimensions = "" | "[]" | "[][]" | "[][][]" | "[][][][]";

/**
 * `domain`: an array whose elements' type is a domain on that type. PostgreSQL doesn't say of such
 * an array what it is based on.
 */
export type Format =
  `${ScalarFormat}${Dimensions}` | `domain ${ScalarFormat}${Exclude<Dimensions, "">}`;

/** `!`: never NULL as far as the tool's result knows. A NULL is no success then. */
export type ColumnFormat = Format | `${Format}!`;

/** What shadow mode records: the statement as it would be sent, parameters apart. */
export interface SqlRecord {
  /** `${NAME}`. */
  readonly connection: string;
  readonly sql: string;
  /** `$1`, `$2`… as JSON. */
  readonly parameters: readonly JsonValue[];
  /** Settings that its transaction has, where the project names some. */
  readonly settings?: { readonly [name: string]: string };
}

/** Statuses of a write that the database's constraints refused. */
export type Refusal = "conflict" | "invalid_reference" | "check_failed" | "missing_value";

/** What an answer other than success carries: names of the schema, never data of a row. */
export interface SqlFault {
  readonly error: SqlFaultNames;
}

/** Empty for `not_found`. */
export interface SqlFaultNames {
  /** The constraint that was violated. */
  readonly constraint?: string;
  readonly table?: string;
  /** The column that may not be null. */
  readonly column?: string;
  /** The domain that refuses the value. */
  readonly domain?: string;
}

/** Any number of rows. */
export interface ManyRows<Rows> {
  readonly status: "success";
  readonly data: Rows;
  /** Whether there are more rows than `data` has. */
  readonly truncated: boolean;
}
