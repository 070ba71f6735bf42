/**
 * The tables of a database from its catalogs, for imports. Names are those of the database; keys
 * that begin with `sql` are quoted for statements if necessary.
 */
export interface DatabaseModel {
  /** `PostgreSQL 15`. */
  readonly server: string;
  /** Comments of schemas, by name. */
  readonly schemaComments: ReadonlyMap<string, string>;
  /** Tables, by schema and name. */
  readonly tables: readonly TableModel[];
}

export interface TableModel {
  readonly schema: string;
  readonly name: string;
  /** Includes the schema if it isn't in the search path: `billing.invoices`. */
  readonly sql: string;
  readonly kind: "table" | "view" | "materialized view" | "foreign table";
  readonly comment?: string;
  /** The table whose partition it is. */
  readonly partitionOf?: string;
  /** The extension that brought it. */
  readonly extension?: string;
  readonly takesRows: boolean;
  readonly columns: readonly ColumnModel[];
  /** Columns that no two rows share, the primary key's first. */
  readonly keys: readonly KeyModel[];
  /** Names of unique indexes on expressions, or on some rows alone. */
  readonly partialKeys: readonly string[];
  /** Columns that an index begins with. */
  readonly indexed: readonly string[];
}

export interface KeyModel {
  readonly name: string;
  /** Names of columns, in the order of the key. */
  readonly columns: readonly string[];
}

export interface ColumnModel {
  readonly name: string;
  readonly sql: string;
  readonly comment?: string;
  /** Type of its values; for a domain, the base type. */
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /** Why a statement doesn't write it: it is computed from others, or counted. */
  readonly given?: "identity" | "generated" | "sequence";
  readonly sqlDefault?: string;
  /** The table that a single-column foreign key refers to. */
  readonly references?: string;
}

export interface ColumnType {
  /** Name in the catalogs: `int8`, `timestamptz`; for an array, that of its elements. */
  readonly name: string;
  readonly sql: string;
  readonly kind: "built-in" | "enum" | "other";
  readonly isArray: boolean;
  /** Most characters. */
  readonly length?: number;
}
