/** Options of a PostgreSQL store. */
export interface PostgresStoreOptions {
  /**
   * URL `postgres://user:password@host:port/database`. `pool_max` in its query sets the maximum
   * number of connections, 10 by default.
   */
  readonly url: string;
  /** Schema of the tables; `skillc_governance` by default. `migrateGovernance` creates them. */
  readonly schema?: string;
  /** Time limit of one operation, in milliseconds; 5000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Quotes a schema's name.
 *
 * @throws TypeError if the name is not valid
 */
export function quotedSchema(schema = "skillc_governance"): string {
  // PostgreSQL truncates longer names, so two names could become the same.
  if (!/^[A-Za-z_]\w{0,62}$/.test(schema))
    throw new TypeError(
      "`schema` must be at most 63 letters, digits and `_`, and must not begin with a digit",
    );
  return `"${schema}"`;
}
