import type { Reach } from "../../../runtime/executor.js";
import type { SqlTables } from "../contract.js";

export interface SqlReach extends Reach {
  readonly kind: "sql";
  /** `${NAME}`, or server and database. */
  readonly connection: string;
  /** Tables, as `tableText` writes them. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/**
 * Lists the capabilities of a call: one for each table. A read without tables needs the whole
 * connection. So does a write that names no table it changes, because its functions may write
 * anywhere.
 */
export function sqlReach(
  connection: string,
  effect: "read" | "write",
  { reads = [], writes = [] }: SqlTables,
): SqlReach {
  const tables = [
    ...reads.map((table) => `sql:read ${connection} ${table}`),
    ...writes.map((table) => `sql:write ${connection} ${table}`),
  ];
  const namesAll = effect === "read" ? tables.length > 0 : writes.length > 0;
  const capabilities = namesAll ? tables : [...tables, `sql:${effect} ${connection}`];
  return { kind: "sql", capabilities, connection, reads, writes };
}

/**
 * Server and database of a connection URL, or the folder of an embedded database. Leaves out the
 * login. Empty if the text is no URL.
 */
export function withoutLogin(connection: string): string {
  if (!URL.canParse(connection)) return "";
  const { protocol, host, pathname } = new URL(connection);
  return `${protocol}//${host}${pathname}`;
}

/** Name of a table as PostgreSQL prints it: `public.orders`, `sales."Order lines"`. */
export function tableText(schema: string, name: string): string {
  return [schema, name].map(identifier).join(".");
}

function identifier(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
