/*
 * Times that every store keeps, in milliseconds. A migration of PostgreSQL holds them, too: once it
 * is released, a change of them needs another migration.
 */

/** How long a holder that has asked for a lease stays in line for it. */
export const lineMs = 2000;

/** How long a store remembers what a call took of its budgets. */
export const takenMs = 5 * 60_000;
