import type { SchemaFile } from "./schema-files.js";

/** What a file of `skillc db pull` says of itself before its first statement. */
export interface SnapshotHeader {
  /** The connection. */
  readonly database: string;
  /** PostgreSQL's major version. */
  readonly server: number;
  /**
   * Schemas looked through for unqualified names, in order; `pg_catalog` only where it isn't the
   * first.
   */
  readonly searchPath: readonly string[];
}

const begins = "-- Schema snapshot: ";

/** The header's line, without a line break: names may hold any. */
export function headerLine({ database, searchPath, server }: SnapshotHeader): string {
  return begins + JSON.stringify({ database, server, search_path: searchPath });
}

/** Undefined for a file that `skillc db pull` did not write. */
export function readHeader(text: string): SnapshotHeader | undefined {
  if (!text.startsWith(begins)) return undefined;
  const line = /^.*/.exec(text.slice(begins.length))?.[0] ?? "";
  try {
    const header: unknown = JSON.parse(line);
    const database = field(header, "database");
    const server = field(header, "server");
    const path = field(header, "search_path");
    if (typeof database !== "string" || typeof server !== "number" || !Array.isArray(path))
      return undefined;
    const searchPath = path.filter((each) => typeof each === "string");
    return { database, server, searchPath };
  } catch {
    return undefined;
  }
}

function field(header: unknown, name: string): unknown {
  return typeof header === "object" && header !== null ? Reflect.get(header, name) : undefined;
}

/**
 * Whether it was written by `skillc db pull`: then it has nothing that only psql or a migration
 * tool understands.
 */
export function isSnapshot({ text }: SchemaFile): boolean {
  return readHeader(text) !== undefined;
}

/**
 * The search path that the last snapshot among the files was made with; undefined when none is one.
 */
export function searchPathOf(files: readonly SchemaFile[]): readonly string[] | undefined {
  return files.flatMap(({ text }) => readHeader(text) ?? []).at(-1)?.searchPath;
}
