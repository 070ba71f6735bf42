/**
 * Nullability is tested by running: whatever is typed not-null must not yield NULL, whatever the
 * tables hold.
 */
import type { PGlite } from "@electric-sql/pglite";
import { loadModule, parseSync } from "libpg-query";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  nullabilityOf,
  type ResultColumn,
} from "../../../../src/bindings/sql/analysis/nullability/nullability.js";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { fill } from "./shop.js";
import { openShop } from "./shop-database.js";
import { STATEMENTS } from "./statements.js";

let db: PGlite;
let snapshot: Snapshot;

beforeAll(async () => {
  await loadModule();
  ({ db, snapshot } = await openShop());
}, 60_000);
afterAll(() => db.close());

function analyse(sql: string, valued?: ReadonlySet<number>): readonly ResultColumn[] | undefined {
  const tree = parseSync(sql).stmts?.[0]?.stmt;
  return tree === undefined
    ? undefined
    : nullabilityOf(tree, snapshot, valued === undefined ? {} : { valued });
}

/** JSON null is a value to SQL. */
const JSON_AS_TEXT = { 114: (text: string) => text, 3802: (text: string) => text };

/** The columns proven, by name. */
function proven(sql: string): readonly string[] | undefined {
  return analyse(sql)
    ?.filter((each) => each.proven === "not-null")
    .map(({ name }) => name);
}

async function run(
  sql: string,
): Promise<{ readonly labels: readonly string[]; readonly rows: readonly (readonly unknown[])[] }> {
  await db.exec("BEGIN");
  try {
    const params = sql.includes("$1") ? [null] : [];
    const { fields, rows } = await db.query<unknown[]>(sql, params, {
      rowMode: "array",
      parsers: JSON_AS_TEXT,
    });
    return { labels: fields.map(({ name }) => name), rows };
  } catch (error) {
    throw new Error(sql, { cause: error });
  } finally {
    await db.exec("ROLLBACK");
  }
}

describe("column that is typed not-null", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    "yields no NULL with the data of seed %i",
    async (seed) => {
      await fill(db, seed);
      const wrong: string[] = [];
      for (const sql of STATEMENTS) {
        const columns = analyse(sql);
        const { labels, rows } = await run(sql);
        expect({ sql, labels: columns?.map(({ label }) => label) }).toEqual({ sql, labels });
        for (const [place, column] of (columns ?? []).entries())
          if (!column.nullable && rows.some((row) => row[place] === null))
            wrong.push(`${column.label} (column ${place + 1}): ${sql}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  test("the tests cover enough statements, and know the columns of each", () => {
    expect(STATEMENTS.length).toBeGreaterThan(150);
    expect(STATEMENTS.filter((sql) => analyse(sql) === undefined)).toEqual([]);
  });
});

describe("proofs of nullability", () => {
  test.each<[sql: string, columns: readonly string[]]>([
    ["SELECT * FROM notes", ["id", "customer_id", "rank"]],
    [
      "SELECT o.id, c.name, c.mail FROM orders o JOIN customers c ON c.id = o.customer_id",
      ["id", "name"],
    ],
    ["SELECT o.id, c.name FROM orders o LEFT JOIN customers c ON c.id = o.customer_id", ["id"]],
    [
      "SELECT o.id, c.name FROM orders o LEFT JOIN customers c ON c.id = o.customer_id WHERE c.tier = 'gold'",
      ["id", "name"],
    ],
    [
      "SELECT c.id, o.id AS o, i.sku FROM customers c LEFT JOIN (orders o JOIN items i ON i.order_id = o.id) ON o.customer_id = c.id WHERE i.price > 0",
      ["id", "o", "sku"],
    ],
    [
      "SELECT o.customer_id FROM orders o JOIN customers c ON c.id = o.customer_id",
      ["customer_id"],
    ],
    ["SELECT id FROM customers FULL JOIN notes USING (id)", ["id"]],
    ["SELECT id FROM customers LEFT JOIN notes USING (id)", ["id"]],
    ["SELECT note FROM orders WHERE note = $1 AND total > 0", ["note"]],
    [
      "SELECT note, total FROM orders WHERE note IN ($1, $2) AND total BETWEEN $3 AND $4",
      ["note", "total"],
    ],
    ["SELECT note FROM orders WHERE note LIKE $1", ["note"]],
    ["SELECT note FROM orders WHERE note = ANY ($1)", ["note"]],
    ["SELECT note FROM orders WHERE lower(note) = $1", ["note"]],
    ["SELECT note FROM orders WHERE (note IS NOT NULL AND total = 1) OR note = 'x'", ["note"]],
    ["SELECT count(*) AS a, count(note) AS b, sum(id) AS c FROM orders", ["a", "b"]],
    [
      "SELECT status, sum(id) AS s, max(placed) AS m, array_agg(note) AS g, avg(total) AS v FROM orders GROUP BY status",
      ["status", "s", "m", "g"],
    ],
    [
      "SELECT coalesce(sum(total), 0) AS a, coalesce(note, '') AS b FROM orders GROUP BY note",
      ["a", "b"],
    ],
    [
      "SELECT (SELECT count(*) FROM items) AS a, (SELECT coalesce(sum(qty), 0) FROM items i WHERE i.order_id = o.id) AS b FROM orders o",
      ["a", "b"],
    ],
    [
      "SELECT row_number() OVER (ORDER BY id) AS a, sum(id) OVER (ORDER BY id) AS b, lag(id) OVER () AS c FROM orders",
      ["a", "b"],
    ],
    [
      "SELECT id + 1 AS a, status || '!' AS b, id::text AS c, lower(status) AS d, placed + interval '1 day' AS e, id > 1 AND status = '' AS f FROM orders",
      ["a", "b", "c", "d", "e", "f"],
    ],
    [
      "SELECT date_trunc('day', placed) AS a, placed::date AS b, extract(year from placed) AS c, to_char(placed, 'YYYY') AS d FROM orders",
      ["a", "b", "c"],
    ],
    [
      "SELECT CASE WHEN total > 0 THEN 'a' ELSE 'b' END AS a, CASE WHEN note IS NULL THEN '' ELSE note END AS b FROM orders",
      ["a", "b"],
    ],
    [
      "SELECT greatest(total, 0) AS a, ARRAY[note] AS b, EXISTS (SELECT 1) AS c, note IS NULL AS d, now() AS e FROM orders",
      ["a", "b", "c", "d", "e"],
    ],
    [
      "SELECT to_jsonb(c) AS a, jsonb_build_object('n', c.mail) AS b, json_agg(c.mail) AS d FROM customers c GROUP BY c.id",
      ["a", "b", "d"],
    ],
    ["SELECT * FROM customer_names", ["id", "name", "loud"]],
    ["SELECT * FROM gold", ["id", "name", "born"]],
    ["SELECT * FROM loud_names", ["id", "loud", "size"]],
    ["SELECT * FROM order_totals", ["id", "items", "qty"]],
    ["SELECT * FROM tallies", ["one", "word"]],
    ["SELECT * FROM events", ["id", "kind", "day"]],
    ["SELECT id FROM customers UNION ALL SELECT order_id FROM items", ["id"]],
    ["SELECT customer_id FROM orders INTERSECT SELECT id FROM customers", ["customer_id"]],
    ["SELECT * FROM (VALUES (1, 'a', NULL), (2, 'b', 'c')) v (x, y, z)", ["x", "y"]],
    [
      "WITH RECURSIVE t (n, d) AS (SELECT id, 0 FROM customers UNION ALL SELECT c.id, t.d + 1 FROM customers c JOIN t ON c.parent_id = t.n) SELECT * FROM t",
      ["n", "d"],
    ],
    ["WITH u AS (UPDATE notes SET rank = 2 RETURNING id, body) SELECT * FROM u", ["id"]],
    [
      "INSERT INTO notes (customer_id, body) VALUES (1, 'x') RETURNING *",
      ["id", "customer_id", "body", "rank"],
    ],
    ["INSERT INTO watched VALUES (1, 'x', 'm') RETURNING *", ["id", "must"]],
    ["INSERT INTO ruled VALUES (1, 'm') RETURNING *", []],
    ["UPDATE notes SET body = 'x' WHERE mark = 'y' RETURNING body, mark", ["body", "mark"]],
    ["DELETE FROM notes WHERE body IS NOT NULL RETURNING id, body, mark", ["id", "body"]],
    ["SELECT generate_series AS a FROM generate_series(1, 2)", ["a"]],
    [
      "SELECT l.n FROM customers c CROSS JOIN LATERAL (SELECT count(*) AS n FROM orders o WHERE o.customer_id = c.id) l",
      ["n"],
    ],
  ])("proves exactly these columns never NULL: %s", (sql, columns) => {
    expect(proven(sql)).toEqual(columns);
  });

  test("proves a parameter never NULL if it always has a value", () => {
    expect(analyse("SELECT $1::int AS a, $2::int AS b", new Set([2]))).toMatchObject([
      { name: "a", nullable: true },
      { name: "b", nullable: false },
    ]);
  });
});

describe("marks in aliases", () => {
  test.each<[sql: string, column: Partial<ResultColumn>]>([
    [
      `SELECT note AS "note!" FROM orders`,
      {
        name: "note",
        label: "note!",
        nullable: false,
        proven: "nullable",
        mark: "!",
        contradicted: false,
      },
    ],
    [
      `SELECT id AS "id?" FROM orders`,
      { name: "id", label: "id?", nullable: true, proven: "not-null", mark: "?" },
    ],
    [`SELECT NULL::int AS "n!"`, { name: "n", nullable: true, contradicted: true }],
    [`SELECT CASE WHEN true THEN NULL END AS "n!"`, { nullable: true, contradicted: true }],
    [`SELECT NULL + 1 AS "n!"`, { nullable: true, contradicted: true }],
    [`UPDATE notes SET rank = 1 RETURNING body AS "body!"`, { name: "body", nullable: false }],
    [`SELECT note AS "!" FROM orders`, { name: "!", nullable: true }],
  ])("reads the marks of an alias: %s", (sql, column) => {
    expect(analyse(sql)).toMatchObject([column]);
  });

  test("ignores a `!` or `?` in the name of a table's own column", () => {
    expect(analyse(`SELECT * FROM (SELECT note AS "note!" FROM orders) s`)).toMatchObject([
      { name: "note!", nullable: true },
    ]);
  });

  test("keeps the position of each target", () => {
    expect(analyse(`SELECT 1, NULL AS "n!"`)?.[1]?.location).toBe(10);
  });
});
