/** Tables for the statements of these tests, and small random rows for them. */
import type { PGlite } from "@electric-sql/pglite";
import fc from "fast-check";

export const SCHEMA = `
CREATE TYPE tier AS ENUM ('basic', 'plus', 'gold');
CREATE DOMAIN email AS text CHECK (VALUE LIKE '%@%');
CREATE DOMAIN code AS text NOT NULL;
CREATE TYPE address AS (street text, city text);
CREATE TABLE customers (
  id int PRIMARY KEY, name text NOT NULL, mail email, parent_id int REFERENCES customers, tags text[], labels text[] NOT NULL DEFAULT '{}',
  meta jsonb, prefs jsonb NOT NULL DEFAULT '{}', tier tier NOT NULL DEFAULT 'basic', born date, home address, active bool
);
CREATE TABLE orders (
  id int PRIMARY KEY, customer_id int REFERENCES customers, status text NOT NULL, total numeric, placed timestamptz NOT NULL, shipped timestamp,
  note varchar(40), span int4range NOT NULL DEFAULT 'empty', weight float8, twice int GENERATED ALWAYS AS (id * 2) STORED
);
CREATE TABLE items (order_id int NOT NULL REFERENCES orders, sku text NOT NULL, qty int, price numeric NOT NULL, at interval NOT NULL DEFAULT '1 day', PRIMARY KEY (order_id, sku));
CREATE TABLE notes (id serial PRIMARY KEY, customer_id int NOT NULL, body text, rank int NOT NULL DEFAULT 0, mark text DEFAULT 'x');
CREATE TABLE events (id int NOT NULL, kind text NOT NULL, payload jsonb, day date NOT NULL) PARTITION BY LIST (kind);
CREATE TABLE events_a PARTITION OF events FOR VALUES IN ('a');
CREATE TABLE events_b PARTITION OF events DEFAULT;
CREATE TABLE watched (id int PRIMARY KEY, val text, must text NOT NULL);
CREATE FUNCTION blank() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.val := NULL; RETURN NEW; END $$;
CREATE TRIGGER blank BEFORE INSERT OR UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION blank();
CREATE TABLE ruled (id int PRIMARY KEY, must text NOT NULL);
CREATE RULE ruled_insert AS ON INSERT TO ruled DO INSTEAD INSERT INTO notes (customer_id) VALUES (1) RETURNING NULL::int, NULL::text;
CREATE TABLE base (id int NOT NULL, own text);
CREATE TABLE child () INHERITS (base);
CREATE VIEW customer_names AS SELECT id, name, mail, upper(name) AS loud FROM customers;
CREATE VIEW gold AS SELECT id, name, born FROM customers WHERE tier = 'gold' AND born IS NOT NULL;
CREATE VIEW order_totals AS
  SELECT o.id, c.name AS customer, count(i.*) AS items, sum(i.price) AS price, coalesce(sum(i.qty), 0) AS qty
  FROM orders o LEFT JOIN customers c ON c.id = o.customer_id LEFT JOIN items i ON i.order_id = o.id GROUP BY o.id, c.name;
CREATE VIEW loud_names AS SELECT id, loud, length(loud) AS size FROM customer_names;
CREATE MATERIALIZED VIEW tallies AS SELECT id, name, 1 AS one, 'x'::text AS word FROM customers;
CREATE FUNCTION nothing(int) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT NULL::int';
CREATE FUNCTION pairs(int, OUT a int, OUT b text) RETURNS SETOF record LANGUAGE sql AS 'SELECT 1, NULL::text';
CREATE FUNCTION found(int) RETURNS TABLE (id int, name text) LANGUAGE sql STABLE AS 'SELECT id, name FROM customers WHERE id = $1';
CREATE FUNCTION some_customers() RETURNS SETOF customers LANGUAGE sql STABLE AS 'SELECT * FROM customers UNION ALL SELECT null, null, null, null, null, null, null, null, null, null, null, null';
CREATE FUNCTION spread(VARIADIC text[]) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1[1]';
CREATE SEQUENCE counter;
`;

const NAME = fc.constantFrom("ada", "bo", "", "Cy", "ümit");
const MAYBE = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { freq: 2 });
const JSON_VALUE = fc.constantFrom('{"a":1,"b":null,"c":[1,null]}', "{}", "[]", "null", "1", '"x"');
const OBJECT = fc.constantFrom('{"a":1,"b":null}', "{}", '{"a":null}');
const ARRAY = fc.constantFrom("{}", "{a,NULL}", "{b}");

const CUSTOMER = fc.tuple(
  NAME,
  MAYBE(fc.constant("a@b")),
  MAYBE(fc.integer({ min: 1, max: 3 })),
  MAYBE(ARRAY),
  ARRAY,
  MAYBE(JSON_VALUE),
  OBJECT,
  fc.constantFrom("basic", "gold"),
  MAYBE(fc.constantFrom("2000-02-29", "1970-01-01", "infinity")),
  MAYBE(fc.constantFrom("(a,b)", "(,)")),
  MAYBE(fc.boolean()),
);
const ORDER = fc.tuple(
  MAYBE(fc.integer({ min: 1, max: 3 })),
  fc.constantFrom("new", "", "done"),
  MAYBE(fc.constantFrom("1.50", "NaN", "0", "Infinity")),
  fc.constantFrom("2024-05-05Z", "infinity", "-infinity"),
  MAYBE(fc.constantFrom("2024-01-01", "infinity")),
  MAYBE(fc.constantFrom("", "note")),
  fc.constantFrom("empty", "[1,5)", "(,3)"),
  MAYBE(fc.constantFrom(0, -1.5, "NaN")),
);
const ITEM = fc.tuple(
  fc.constantFrom("s1", "s2"),
  MAYBE(fc.integer({ min: 0, max: 3 })),
  fc.constantFrom("0", "9.99", "NaN"),
);
const NOTE = fc.tuple(fc.integer({ min: 1, max: 4 }), MAYBE(NAME));

/** Replaces all rows with the random rows of a seed. */
export async function fill(db: PGlite, seed: number): Promise<void> {
  const sample = <T>(rows: fc.Arbitrary<T>, max: number): readonly T[] =>
    fc.sample(fc.array(rows, { maxLength: max }), { seed, numRuns: 3 }).at(-1) ?? [];
  await db.exec("TRUNCATE customers, orders, items, notes, events, watched, ruled, base");
  const insert = (sql: string, rows: readonly (readonly unknown[])[]) =>
    rows.reduce<Promise<unknown>>(
      (before, row, place) => before.then(() => db.query(sql, [place + 1, ...row])),
      Promise.resolve(),
    );
  const customers = sample(CUSTOMER, 6);
  await db.exec("SET session_replication_role = replica");
  await insert(
    "INSERT INTO customers VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    customers,
  );
  const orders = sample(ORDER, 8);
  await insert("INSERT INTO orders VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)", orders);
  await insert(
    "INSERT INTO items VALUES (1 + $1 % 3, $2, $3, $4) ON CONFLICT DO NOTHING",
    sample(ITEM, 6),
  );
  await insert("INSERT INTO notes VALUES ($1, $2, $3)", sample(NOTE, 5));
  await db.exec(`INSERT INTO events VALUES (1, 'a', NULL, 'infinity'), (2, 'z', '{"a":null}', '2024-01-01');
    INSERT INTO watched VALUES (1, 'v', 'm'), (2, NULL, 'm'); INSERT INTO base VALUES (1, NULL); INSERT INTO child VALUES (2, 'c');
    SET session_replication_role = origin; REFRESH MATERIALIZED VIEW tallies; SELECT setval('notes_id_seq', 100)`);
}
