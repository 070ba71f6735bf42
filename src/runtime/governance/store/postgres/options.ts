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

/** Default schema of the tables. */
export const usualSchema = "skillc_governance";
