/**
 * The tables of a database as its own catalogs tell of them: what skills are made of. Names are as
 * the database has them; what begins with `sql` is as a statement writes it, quoted where it has to
 * be.
 */
export interface DatabaseModel {
  /** `PostgreSQL 15`. */
  readonly server: string;
  /** What comments say of schemas, by their names. */
  readonly schemaComments: ReadonlyMap<string, string>;
  /** By schema and name. */
  readonly tables: readonly TableModel[];
}

export interface TableModel {
  readonly schema: string;
  readonly name: string;
  /** With its schema where that is not looked through: `billing.invoices`. */
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
  /** Of its values; a domain's are its base type's. */
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /** Why a statement doesn't write it: it is computed from others, or counted. */
  readonly given?: "identity" | "generated" | "sequence";
  readonly sqlDefault?: string;
  /** The table whose key its values are, where it alone makes a foreign key. */
  readonly references?: string;
}

export interface ColumnType {
  /** As the catalogs call it: `int8`, `timestamptz`; of an array, its elements'. */
  readonly name: string;
  readonly sql: string;
  readonly kind: "built-in" | "enum" | "other";
  readonly isArray: boolean;
  /** Most characters. */
  readonly length?: number;
}
