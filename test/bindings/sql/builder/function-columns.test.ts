import { loadModule } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import type {
  PgFunction,
  PgType,
  Snapshot,
} from "../../../../src/bindings/sql/database/snapshot.js";
import { build, printed } from "./built.js";
import { shop } from "./shop.js";
import { typeErrors } from "./typecheck.js";

beforeAll(loadModule);

const made: Omit<PgFunction, "name" | "returns"> = {
  oid: 0,
  schema: "public",
  kind: "function",
  arguments: [23],
  variadic: false,
  defaults: 0,
  returnsSet: true,
  volatility: "stable",
  strict: false,
};

const pseudo = (oid: number, name: string): PgType => ({
  oid,
  schema: "pg_catalog",
  name,
  kind: "pseudo",
  builtIn: true,
});

const withFunctions: Snapshot = {
  ...shop,
  types: [...shop.types, pseudo(2249, "record"), pseudo(2283, "anyelement")],
  functions: [
    { ...made, name: "numbers", returns: 23 },
    {
      ...made,
      name: "best",
      returns: 2249,
      outputs: [
        { name: "sku", type: 25 },
        { name: "n", type: 20 },
      ],
    },
    { ...made, name: "values_of", returns: 3802, outputs: [{ name: "value", type: 3802 }] },
    { ...made, name: "anything", returns: 2249 },
    { ...made, name: "elements", returns: 2283 },
  ],
};

const statements: readonly (readonly [sql: string, seen: number, all: number])[] = [
  ["SELECT n FROM numbers(1) n", 1, 1],
  ["SELECT numbers FROM numbers(1)", 1, 1],
  ["SELECT x.numbers FROM (SELECT * FROM numbers(1)) x", 1, 1],
  ["SELECT b.sku, b.n FROM best(1) b", 2, 2],
  ["WITH b AS (SELECT * FROM best(1)) SELECT b.sku FROM b JOIN orders o ON o.id = b.n", 5, 5],
  ["SELECT x.sku, x.ordinality FROM (SELECT * FROM best(1) WITH ORDINALITY) x", 2, 2],
  ["SELECT x.a, x.n FROM (SELECT * FROM best(1) AS b (a)) x", 2, 2],
  ["SELECT e.value FROM values_of(1) AS e", 1, 1],
  ["SELECT x.value FROM (SELECT * FROM values_of(1) AS e) x", 1, 1],
  ["SELECT x.a FROM (SELECT * FROM anything(1) AS f (a int, b text)) x", 1, 1],
  // What these give depends on more than their names: their columns are named without a check.
  ["SELECT x.street FROM (SELECT * FROM elements(1)) x", 0, 1],
  ["SELECT x.street FROM (SELECT * FROM elements(1) e LIMIT 1) x WHERE x.zip > 1", 0, 2],
  [
    "WITH x AS (SELECT * FROM unknown(1)) SELECT x.a, o.note FROM x JOIN orders o ON o.id = x.b",
    3,
    6,
  ],
  ["WITH x AS (SELECT * FROM pg_class) SELECT x.relname FROM x JOIN x AS y USING (relname)", 0, 4],
];

test.each(statements)("checks the columns that a function names itself: %s", (sql, seen, all) => {
  const built = build(sql, { snapshot: withFunctions });
  expect("why" in built ? built.why : "proved").toBe("proved");
  expect(built.references).toEqual({ seen, all });
});

test(
  "TypeScript accepts the code of every statement with a function in FROM",
  { timeout: 120_000 },
  () => {
    const code = statements.map(([sql]) => printed(build(sql, { snapshot: withFunctions }).chain));
    expect(typeErrors(code, shop)).toEqual(statements.map(() => undefined));
  },
);
