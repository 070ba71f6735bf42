import type { SchemaFile } from "./schema-files.js";

/** The header line of a file that `skillc db pull` writes. */
export interface SnapshotHeader {
  /** Name of the connection. */
  readonly database: string;
  /** PostgreSQL's major version. */
  readonly server: number;
  /**
   * Schemas searched for unqualified names, in order. `pg_catalog` is listed only if it isn't the
   * first.
   */
  readonly searchPath: readonly string[];
}

const begins = "-- Schema snapshot: ";

/** Makes the header line. JSON escapes line breaks, which names may contain. */
export function headerLine({ database, searchPath, server }: SnapshotHeader): string {
  return begins + JSON.stringify({ database, server, search_path: searchPath });
}

/** Reads the header; undefined for a file that `skillc db pull` did not write. */
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
 * True if `skillc db pull` wrote the file. Such a file has no lines for psql or migration tools.
 */
export function isSnapshot({ text }: SchemaFile): boolean {
  return readHeader(text) !== undefined;
}

/** Search path of the last snapshot among the files; undefined if there is no snapshot. */
export function searchPathOf(files: readonly SchemaFile[]): readonly string[] | undefined {
  return files.flatMap(({ text }) => readHeader(text) ?? []).at(-1)?.searchPath;
}
