/** Where a store in PostgreSQL is. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with `pool_max` for other than 10 connections. */
  readonly url: string;
  /** Where its tables are; `skillc_governance` when not given. `migrateGovernance` makes them. */
  readonly schema?: string;
  /** How long one operation may take, in milliseconds; 5000 when not given. */
  readonly timeoutMs?: number;
}

/** @throws TypeError */
export function quotedSchema(schema = "skillc_governance"): string {
  // PostgreSQL cuts longer names, and would take two for one.
  if (!/^[A-Za-z_]\w{0,62}$/.test(schema))
    throw new TypeError("`schema` is up to 63 letters, digits and `_`, and begins with no digit");
  return `"${schema}"`;
}
