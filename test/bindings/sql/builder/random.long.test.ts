import fc from "fast-check";
import { loadModule } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { build, printed } from "./built.js";
import { randomStatement } from "./random-statement.js";
import { shop } from "./shop.js";
import { typeErrors } from "./typecheck.js";
import { runs } from "../../../support/runs.js";

beforeAll(loadModule);

/** SELECTs over the shop, of every shape that these rules can give. */
const { query } = fc.letrec<Record<string, string>>((tie) => ({
  column: fc.constantFrom(
    "o.id",
    "o.total",
    "o.note",
    "o.paid",
    "note",
    "total",
    "c.name",
    "c.active",
    "name",
  ),
  constant: fc.constantFrom(
    "1",
    "-1",
    "0",
    "1.50",
    "'a''b'",
    "NULL",
    "true",
    ":p",
    ":q",
    ":p::text",
  ),
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("column"),
    tie("constant"),
    build2(
      tie("value"),
      fc.constantFrom("+", "-", "*", "||", "->", "->>", "%", "<->"),
      tie("value"),
    ),
    tie("value").map((each) => `(${each})::int`),
    tie("value").map((each) => `- (${each})`),
    fc
      .tuple(
        fc.constantFrom("lower", "coalesce", "greatest", "f", "nullif"),
        tie("value"),
        tie("value"),
      )
      .map(([f, a, b]) => `${f}(${a}, ${b})`),
    tie("value").map(
      (each) => `sum(${each}) FILTER (WHERE paid) OVER (PARTITION BY o.id ORDER BY ${each} DESC)`,
    ),
    fc
      .tuple(tie("condition"), tie("value"), tie("value"))
      .map(([c, a, b]) => `CASE WHEN ${c} THEN ${a} ELSE ${b} END`),
    fc.tuple(tie("value"), tie("value")).map(([a, b]) => `ARRAY[${a}, ${b}]`),
    tie("inner").map((each) => `(${each})`),
  ),
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("o.paid", "true", "c.active"),
    build2(
      tie("value"),
      fc.constantFrom("=", "<>", "<", ">=", "LIKE", "NOT ILIKE", "IS DISTINCT FROM", "~", "@>"),
      tie("value"),
    ),
    build2(tie("condition"), fc.constantFrom("AND", "OR", "AND"), tie("condition")),
    tie("condition").map((each) => `NOT (${each})`),
    tie("value").map((each) => `(${each}) IS NULL`),
    tie("condition").map((each) => `(${each}) IS NOT TRUE`),
    fc.tuple(tie("value"), tie("value"), tie("value")).map(([a, b, c]) => `(${a}) IN (${b}, ${c})`),
    fc
      .tuple(tie("value"), tie("value"), tie("value"))
      .map(([a, b, c]) => `(${a}) NOT BETWEEN (${b}) AND (${c})`),
    fc.tuple(tie("value"), tie("inner")).map(([a, b]) => `(${a}) NOT IN (${b})`),
    tie("inner").map((each) => `EXISTS (${each})`),
  ),
  inner: fc
    .tuple(tie("value"), tie("condition"))
    .map(([v, c]) => `SELECT ${v} AS v FROM items i WHERE i.order_id = o.id AND (${c})`),
  tail: fc.constantFrom(
    "",
    " ORDER BY 1 DESC NULLS LAST LIMIT 3",
    " GROUP BY o.id, 2 HAVING count(*) > :p",
    " FOR UPDATE OF o",
  ),
  query: fc
    .tuple(
      tie("value"),
      tie("value"),
      fc.constantFrom("JOIN", "LEFT JOIN", "FULL JOIN"),
      tie("condition"),
      tie("condition"),
      tie("tail"),
    )
    .map(
      ([a, b, join, on, where, tail]) =>
        `SELECT ${a} AS a, ${b} FROM orders o ${join} customers c ON ${on} WHERE ${where}${tail}`,
    ),
}));

function build2(a: fc.Arbitrary<string>, operator: fc.Arbitrary<string>, b: fc.Arbitrary<string>) {
  return fc.tuple(a, operator, b).map(([left, word, right]) => `(${left}) ${word} (${right})`);
}

test("every random statement is proved", () => {
  fc.assert(
    fc.property(query ?? fc.constant(""), (sql) => {
      const built = build(sql);
      expect("why" in built ? `${built.why}: ${sql}` : "").toBe("");
    }),
    { numRuns: runs(300) },
  );
});

test("TypeScript accepts the code of every random statement", { timeout: 120_000 }, () => {
  const all = fc.sample(query ?? fc.constant(""), { numRuns: runs(60) });
  const errors = typeErrors(
    all.map((sql) => printed(build(sql).chain)),
    shop,
  );
  const wrong = all.flatMap((sql, index) =>
    errors[index] === undefined ? [] : [`${sql}: ${errors[index]}`],
  );
  expect(wrong).toEqual([]);
});

/** Number of statements of `random-statement.ts`, by the first seeds. */
const RUNS = runs(60);

test(
  "TypeScript accepts nested queries, chains of WITH, lateral queries, and nullable beside required columns",
  {
    timeout: 300_000,
  },
  () => {
    const all = Array.from({ length: RUNS }, (_, seed) => randomStatement(seed));
    const built = all.map((sql) => build(sql));
    const errors = typeErrors(
      built.map(({ chain }) => printed(chain)),
      shop,
    );
    const wrong = all.flatMap((sql, index) =>
      errors[index] === undefined ? [] : [`${sql}: ${errors[index]}`],
    );
    // TypeScript gives up on queries nested so deeply that nobody writes them: those become text.
    expect(wrong.filter((each) => !tooDeep.test(each))).toEqual([]);
    expect(wrong.length).toBeLessThanOrEqual(Math.ceil(RUNS / 50));
    const unproved = built.flatMap((each) => (each.proved ? [] : [each.why]));
    expect(unproved.length).toBeLessThanOrEqual(Math.ceil(RUNS / 20));
  },
);

/** TypeScript has given up on the types around. */
const tooDeep =
  /implicitly has an 'any' type\.$|Untyped function calls may not accept type arguments\.$|excessively deep and possibly infinite\.$/;
