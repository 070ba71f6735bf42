/** The part of a search path that is named: PostgreSQL looks into pg_catalog, and before it into the session's own temporary tables, unasked. */
export function namedPath(searchPath: readonly string[]): readonly string[] {
  const named = searchPath.filter((each) => !each.startsWith("pg_temp"));
  return named[0] === "pg_catalog" ? named.slice(1) : named;
}
