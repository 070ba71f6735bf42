import { loadModule, parseSync } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { touchedBy } from "../../../../src/bindings/sql/analysis/touched.js";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { shopSnapshot } from "./shop-database.js";

let snapshot: Snapshot;
beforeAll(async () => {
  await loadModule();
  snapshot = await shopSnapshot();
}, 60_000);

/** `reads: table(columns)`, a line for each. */
function touched(sql: string): readonly string[] {
  const tree = parseSync(sql).stmts?.[0]?.stmt;
  if (tree === undefined) throw new Error(`no statement: ${sql}`);
  const { reads, writes } = touchedBy(tree, snapshot);
  const line =
    (word: string) =>
    ({ table, columns, behind }: (typeof reads)[number]) =>
      `${word} ${table.replace("public.", "")}(${columns.join()})${behind.length === 0 ? "" : ` behind ${behind.join()}`}`;
  return [...reads.map(line("reads")), ...writes.map(line("writes"))];
}

test.each<[sql: string, ...lines: string[]]>([
  ["TRUNCATE orders, items", "writes items()", "writes orders()"],
  ["SELECT count(*) FROM orders", "reads orders()"],
  [
    "SELECT o.note, c.name FROM orders o JOIN customers c ON c.id = o.customer_id",
    "reads customers(id,name)",
    "reads orders(customer_id,note)",
  ],
  ["SELECT * FROM items", "reads items(order_id,sku,qty,price,at)"],
  ["SELECT i.* FROM items i, notes", "reads items(order_id,sku,qty,price,at)", "reads notes()"],
  ["SELECT to_jsonb(i) FROM items i", "reads items(order_id,sku,qty,price,at)"],
  [
    "SELECT 1 FROM items WHERE EXISTS (SELECT 1 FROM notes WHERE notes.rank = items.qty) ORDER BY sku",
    "reads items(sku,qty)",
    "reads notes(rank)",
  ],
  ["SELECT id FROM customers JOIN notes USING (id)", "reads customers(id)", "reads notes(id)"],
  ["WITH items AS (SELECT id FROM notes) SELECT * FROM items", "reads notes(id)"],
  ["WITH x AS (SELECT body FROM notes) SELECT 1", "reads notes(body)"],
  ["SELECT x.n FROM (SELECT note AS n, total FROM orders) x", "reads orders(total,note)"],
  ["SELECT json_object('a': body), xmlforest(mark) FROM notes", "reads notes(body,mark)"],
  ["INSERT INTO notes (customer_id, body) VALUES (1, 'x')", "writes notes(customer_id,body)"],
  [
    "INSERT INTO items SELECT id, status, 1, 2 FROM orders RETURNING price",
    "reads items(price)",
    "reads orders(id,status)",
    "writes items(order_id,sku,qty,price)",
  ],
  [
    "INSERT INTO notes (id, customer_id) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET body = excluded.mark",
    "reads notes(id,mark)",
    "writes notes(id,customer_id,body)",
  ],
  [
    "UPDATE notes SET body = c.name FROM customers c WHERE c.id = customer_id",
    "reads customers(id,name)",
    "reads notes(customer_id)",
    "writes notes(body)",
  ],
  ["DELETE FROM notes", "writes notes()"],
  [
    "DELETE FROM notes USING orders o WHERE o.id = rank",
    "reads notes(rank)",
    "reads orders(id)",
    "writes notes()",
  ],
  [
    "MERGE INTO notes n USING orders o ON o.id = n.id WHEN MATCHED THEN UPDATE SET rank = o.id WHEN NOT MATCHED THEN INSERT (customer_id) VALUES (o.customer_id)",
    "reads notes(id)",
    "reads orders(id,customer_id)",
    "writes notes(customer_id,rank)",
  ],
  [
    "WITH d AS (DELETE FROM notes RETURNING body) SELECT * FROM d",
    "reads notes(body)",
    "writes notes()",
  ],
  [
    "SELECT size FROM loud_names",
    "reads customer_names(id,loud) behind public.loud_names",
    "reads customers(id,name,mail) behind public.loud_names",
    "reads loud_names(size)",
  ],
  ["SELECT g.id FROM gold g, customers", "reads customers(id,name,tier,born)", "reads gold(id)"],
  [
    "UPDATE gold SET name = 'x'",
    "reads customers(id,name,tier,born) behind public.gold",
    "writes customers() behind public.gold",
    "writes gold(name)",
  ],
  ["SELECT * FROM no_such"],
])("lists the tables and columns that a statement reads and writes: %s", (sql, ...lines) => {
  expect(touched(sql)).toEqual(lines);
});
