/** The shop's tables in an embedded PostgreSQL, and a snapshot of them. */
import { PGlite } from "@electric-sql/pglite";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { readSnapshot } from "./read-snapshot.js";
import { SCHEMA } from "./shop.js";

let snapshot: Promise<Snapshot> | undefined;

/**
 * Returns the shop's snapshot. Test files of one process share it, because starting PostgreSQL and
 * reading its catalogs takes a second.
 */
export async function shopSnapshot(): Promise<Snapshot> {
  if (snapshot !== undefined) return snapshot;
  const shop = await openShop();
  await shop.db.close();
  return shop.snapshot;
}

/** Creates a database for one test file. */
export async function openShop(): Promise<{ readonly db: PGlite; readonly snapshot: Snapshot }> {
  const db = await PGlite.create();
  await db.exec(SCHEMA);
  // Each new database gives its objects the same numbers.
  snapshot ??= readSnapshot(db);
  return { db, snapshot: await snapshot };
}
