import { loadModule } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { selected } from "./selected.js";

beforeAll(loadModule);

const text = 'Pg<"text">';
const int4 = 'Pg<"int4">';

test.each<[sql: string, row: Readonly<Record<string, string>>]>([
  ["SELECT name, country FROM customers", { name: text, country: `${text} | null` }],
  ["SELECT c.name AS who, 1 AS one FROM customers c", { who: text, one: "?" }],
  ["SELECT name || '!' AS loud, (name) AS plain FROM customers", { loud: "?", plain: text }],
  ["SELECT e.kind FROM audit.events e", { kind: text }],
  ["SELECT audit.events.kind FROM audit.events", { kind: text }],
  ["SELECT * FROM categories", { id: int4, name: `${text} | null`, parent_id: `${int4} | null` }],
  [
    "SELECT c.* FROM customers c JOIN items i ON i.id = c.id",
    { id: int4, email: text, name: text, country: `${text} | null`, active: "boolean" },
  ],
  // Two tables have it: Kysely's type is that of either.
  ["SELECT id, kind FROM items JOIN audit.events USING (id)", { id: "?", kind: text }],
])("a selected column has the type that the Database interface gives it: %s", (sql, row) => {
  expect(selected(sql)).toEqual(row);
});

test.each<[sql: string, row: Readonly<Record<string, string>>]>([
  ["LEFT JOIN", { o: int4, c: `${text} | null` }],
  ["RIGHT JOIN", { o: `${int4} | null`, c: text }],
  ["FULL JOIN", { o: `${int4} | null`, c: `${text} | null` }],
  ["JOIN", { o: int4, c: text }],
])("columns of the outer side of a %s may be null", (join, row) => {
  const sql = `SELECT o.id AS o, c.name AS c FROM orders o ${join} customers c ON c.id = o.customer_id`;
  expect(selected(sql)).toEqual(row);
});

test.each<[sql: string, row: Readonly<Record<string, string>>]>([
  ["WITH a AS (SELECT name, 1 AS one FROM customers) SELECT * FROM a", { name: text, one: "?" }],
  ["WITH a AS MATERIALIZED (SELECT name FROM customers) SELECT a.name FROM a", { name: text }],
  ["SELECT x.who FROM (SELECT name AS who FROM customers) x", { who: text }],
  [
    "SELECT x.qty FROM orders o LEFT JOIN LATERAL (SELECT i.qty FROM items i WHERE i.order_id = o.id) x ON true",
    { qty: `${int4} | null` },
  ],
  ["SELECT (SELECT name FROM customers LIMIT 1) AS first FROM orders", { first: `${text} | null` }],
  // A query that has the name of a table.
  ["WITH items AS (SELECT name FROM customers) SELECT name FROM items", { name: "?" }],
  ["SELECT name FROM customers UNION SELECT name FROM products", { name: text }],
  [
    "WITH RECURSIVE up (id) AS (SELECT id FROM categories UNION SELECT c.parent_id FROM categories c JOIN up ON up.id = c.id) SELECT id FROM up",
    { id: int4 },
  ],
])("a column of a subquery has the type of the selected expression: %s", (sql, row) => {
  expect(selected(sql)).toMatchObject(row);
});

test.each<[sql: string, row: Readonly<Record<string, string>>]>([
  [
    "INSERT INTO categories (name) VALUES (:name) RETURNING id, name",
    { id: int4, name: `${text} | null` },
  ],
  [
    "UPDATE customers SET name = :name RETURNING *",
    { id: int4, email: text, name: text, country: `${text} | null`, active: "boolean" },
  ],
  [
    "DELETE FROM customers USING orders o WHERE o.customer_id = customers.id RETURNING email, o.note",
    { email: text, note: `${text} | null` },
  ],
  [
    "UPDATE orders SET paid = true FROM customers c WHERE c.id = orders.customer_id RETURNING orders.paid, c.name",
    { paid: "boolean", name: text },
  ],
  ["UPDATE orders SET paid = true", {}],
])("a RETURNING column has the type that the Database interface gives it: %s", (sql, row) => {
  expect(selected(sql)).toEqual(row);
});
