/** Nullability of random statements, tested by running them. */
import type { PGlite } from "@electric-sql/pglite";
import fc from "fast-check";
import { loadModule, parseSync } from "libpg-query";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nullabilityOf } from "../../../../src/bindings/sql/analysis/nullability/nullability.js";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { RANDOM_SELECT } from "./random-select.js";
import { fill } from "./shop.js";
import { openShop } from "./shop-database.js";
import { runs } from "../../../support/runs.js";

const RUNS = runs(300);
const SEED = Number(process.env["RANDOM_SEED"] ?? 11);

let db: PGlite;
let snapshot: Snapshot;
beforeAll(async () => {
  await loadModule();
  ({ db, snapshot } = await openShop());
}, 60_000);
afterAll(() => db.close());

test("no column typed not-null yields NULL", async () => {
  const statements = fc.sample(RANDOM_SELECT, { seed: SEED, numRuns: RUNS });
  const wrong = new Set<string>();
  const count = { run: 0, proven: 0, neverNull: 0 };
  for (const seed of [3, 4, 8]) {
    await fill(db, seed);
    for (const sql of statements) {
      const rows = await db.query<unknown[]>(sql, [], { rowMode: "array" }).catch(() => undefined);
      if (rows === undefined) continue;
      count.run++;
      const tree = parseSync(sql).stmts?.[0]?.stmt;
      const columns = tree === undefined ? undefined : nullabilityOf(tree, snapshot);
      expect(columns?.length).toBe(rows.fields.length);
      for (const [place, column] of (columns ?? []).entries()) {
        const isNull = rows.rows.some((row) => row[place] === null);
        if (column.proven === "not-null") count.proven++;
        if (column.proven === "not-null" && isNull)
          wrong.add(`${column.label} (column ${place + 1}): ${sql}`);
      }
    }
  }
  expect([...wrong]).toEqual([]);
  expect(count.run).toBeGreaterThan(RUNS * 2);
  expect(count.proven).toBeGreaterThan(RUNS);
}, 120_000);
