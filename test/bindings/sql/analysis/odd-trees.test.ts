/** Trees that no parser gives: nothing throws, and nothing is proven of what is not understood. */
import type { Node } from "@pgsql/types";
import fc from "fast-check";
import { loadModule, parseSync } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { effectOf } from "../../../../src/bindings/sql/analysis/effect/effect.js";
import { nullabilityOf } from "../../../../src/bindings/sql/analysis/nullability/nullability.js";
import { touchedBy } from "../../../../src/bindings/sql/analysis/touched.js";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { shopSnapshot } from "./shop-database.js";
import { STATEMENTS } from "./statements.js";
import { runs } from "../../../support/runs.js";

let snapshot: Snapshot;
beforeAll(async () => {
  await loadModule();
  snapshot = await shopSnapshot();
}, 60_000);

function lookAt(tree: Node): void {
  nullabilityOf(tree, snapshot);
  effectOf(tree, snapshot);
  touchedBy(tree, snapshot);
}

/** A tree with one of its parts left out, by how far into it the part is. */
function without(tree: unknown, part: number): unknown {
  let left = part;
  const copy = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(copy);
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => (left-- === 0 ? [] : [[key, copy(inner)]])),
    );
  };
  return copy(tree);
}

test("analysis never throws for a tree with parts missing", () => {
  const property = fc.property(fc.constantFrom(...STATEMENTS), fc.nat(400), (sql, part) => {
    const tree = parseSync(sql).stmts?.[0]?.stmt;
    // What is left is no tree of the types any more: that is the point.
    lookAt(without(tree, part) as Node);
  });
  expect(() => fc.assert(property, { numRuns: runs(1500), seed: 7 })).not.toThrow();
});

test("analysis never throws for values where nodes should stand", () => {
  // Not trees at all.
  for (const tree of [
    {},
    { Odd: { x: 1 } },
    { SelectStmt: {} },
    { MergeStmt: {} },
    { RawStmt: { stmt: {} } },
  ] as unknown as Node[])
    expect(() => lookAt(tree)).not.toThrow();
  expect(effectOf({ Odd: {} } as unknown as Node, snapshot).effect).toBe("write");
});

test("analysis ends for trees of any depth and size", () => {
  const deep = `SELECT ${"(SELECT ".repeat(60)}1${")".repeat(60)} AS a, ${"abs(".repeat(150)}1${")".repeat(150)} AS b`;
  const wide = `SELECT ${Array.from({ length: 3000 }, (_, n) => `coalesce(id, ${n}) + ${n}`).join()} FROM orders`;
  const nested = Array.from({ length: 8 }).reduce<string>(
    (inner, _, n) =>
      `WITH RECURSIVE r${n} (a, b, c) AS (SELECT 1, 1, 1 UNION ALL SELECT b, c, NULL FROM (${inner}) x, r${n}) SELECT a, b, c FROM r${n}`,
    "SELECT 1 AS a, 2 AS b, 3 AS c",
  );
  for (const sql of [deep, wide, nested]) {
    const tree = parseSync(sql).stmts?.[0]?.stmt;
    expect(() => lookAt(tree ?? ({} as Node))).not.toThrow();
  }
});
