import type { Reach } from "../../../runtime/executor.js";
import type { SqlTables } from "../contract.js";

export interface SqlReach extends Reach {
  readonly kind: "sql";
  /** `${NAME}`, or server and database. */
  readonly connection: string;
  /** As `tableText` writes them. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/**
 * Each table is a capability. A statement that touches none takes the connection alone, and so does
 * a write that names no table it changes: what functions write is not known.
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
 * Server and database of a connection's value, or the folder of an embedded one; empty when it is
 * no URL.
 */
export function withoutLogin(connection: string): string {
  if (!URL.canParse(connection)) return "";
  const { protocol, host, pathname } = new URL(connection);
  return `${protocol}//${host}${pathname}`;
}

/** A table as PostgreSQL names it: `public.orders`, `sales."Order lines"`. */
export function tableText(schema: string, name: string): string {
  return [schema, name].map(identifier).join(".");
}

function identifier(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
