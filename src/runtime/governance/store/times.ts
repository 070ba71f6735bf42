/*
 * Times that every store uses, in milliseconds. A released PostgreSQL migration contains them too,
 * so changing one needs another migration.
 */

/** Time for which a holder stays in the line for a lease after it last asked. */
export const lineMs = 2000;

/** Time for which a store remembers what a call took from its budgets. */
export const takenMs = 5 * 60_000;
