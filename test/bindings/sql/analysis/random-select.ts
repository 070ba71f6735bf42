/**
 * Random SELECTs over the shop's tables: nested joins, conditions, expressions, grouping. Tests
 * skip those that PostgreSQL rejects.
 */
import fc from "fast-check";

const TABLES: Readonly<Record<string, readonly string[]>> = {
  customers: ["id", "parent_id"],
  orders: ["id", "customer_id", "twice"],
  items: ["order_id", "qty"],
  notes: ["id", "customer_id", "rank"],
  "(SELECT id, born IS NULL AS flag, nullif(id, 2) AS odd FROM gold)": ["id", "odd"],
  "(SELECT customer_id AS c, count(*) AS n, sum(qty) AS q FROM orders JOIN items ON order_id = id GROUP BY customer_id)":
    ["c", "n", "q"],
  "(SELECT id, parent_id FROM customers UNION ALL SELECT order_id, qty FROM items)": [
    "id",
    "parent_id",
  ],
  "(VALUES (1, NULL), (2, 2))": ["column1", "column2"],
};

interface Source {
  readonly sql: string;
  /** Columns with numbers, by qualified name. */
  readonly columns: readonly string[];
}

const JOIN = fc.constantFrom("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT JOIN");

function numberOf(columns: readonly string[], depth: number): fc.Arbitrary<string> {
  const column = fc.constantFrom(...columns);
  if (depth === 0)
    return fc.oneof({ weight: 4, arbitrary: column }, fc.constantFrom("1", "NULL::int", "2"));
  const part = numberOf(columns, depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: column },
    fc.tuple(part, fc.constantFrom("+", "-", "*"), part).map((each) => `(${each.join(" ")})`),
    fc.tuple(part, part).map(([one, other]) => `coalesce(${one}, ${other})`),
    fc.tuple(part, part).map(([one, other]) => `nullif(${one}, ${other})`),
    fc.tuple(part, part).map(([one, other]) => `greatest(${one}, ${other})`),
    part.map((each) => `abs(${each})`),
    part.map((each) => `(${each})::text::int`),
    fc
      .tuple(conditionOf(columns, depth - 1), part, part)
      .map(([when, one, other]) => `CASE WHEN ${when} THEN ${one} ELSE ${other} END`),
    fc
      .tuple(conditionOf(columns, depth - 1), part)
      .map(([when, one]) => `CASE WHEN ${when} THEN ${one} END`),
    part.map((each) => `(SELECT max(x.id) FROM orders x WHERE x.id = ${each})`),
    part.map((each) => `(SELECT coalesce(sum(x.qty), ${each}) FROM items x)`),
    part.map((each) => `(SELECT ${each})`),
  );
}

function conditionOf(columns: readonly string[], depth: number): fc.Arbitrary<string> {
  const number = numberOf(columns, Math.max(0, depth - 1));
  const test = fc.oneof(
    fc.tuple(number, fc.constantFrom("=", "<>", "<", ">="), number).map((each) => each.join(" ")),
    number.map((each) => `${each} IS NOT NULL`),
    number.map((each) => `${each} IS NULL`),
    fc.tuple(number, number).map(([one, other]) => `${one} IS DISTINCT FROM ${other}`),
    fc.tuple(number, number).map(([one, other]) => `${one} IS NOT DISTINCT FROM ${other}`),
    fc
      .tuple(number, fc.constantFrom("IN", "NOT IN"), number)
      .map(([one, word, other]) => `${one} ${word} (${other}, 1)`),
    fc
      .tuple(
        number,
        fc.constantFrom("BETWEEN", "NOT BETWEEN", "BETWEEN SYMMETRIC", "NOT BETWEEN SYMMETRIC"),
        number,
        number,
      )
      .map(([one, word, low, high]) => `${one} ${word} ${low} AND ${high}`),
    fc
      .tuple(number, fc.constantFrom("= ANY", "<> ALL", "= ALL", "<> ANY"), number)
      .map(([one, word, other]) => `${one} ${word} (ARRAY[${other}, 1])`),
    fc
      .tuple(
        number,
        fc.constantFrom("= ANY", "<> ALL", "= ALL", "< ANY"),
        fc.constantFrom("SELECT qty FROM items", "SELECT 1 WHERE false"),
      )
      .map(([one, word, query]) => `${one} ${word} (${query})`),
    fc
      .tuple(number, number, fc.constantFrom("=", "<>", "<"), number)
      .map(([one, two, op, three]) => `(${one}, ${two}) ${op} (${three}, 1)`),
  );
  if (depth === 0) return test;
  const part = conditionOf(columns, depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: test },
    fc.tuple(part, fc.constantFrom("AND", "OR"), part).map((each) => `(${each.join(" ")})`),
    part.map((each) => `NOT (${each})`),
    fc
      .tuple(
        part,
        fc.constantFrom(
          "IS TRUE",
          "IS NOT TRUE",
          "IS FALSE",
          "IS NOT FALSE",
          "IS UNKNOWN",
          "IS NOT UNKNOWN",
        ),
      )
      .map(([one, word]) => `(${one}) ${word}`),
  );
}

function sourceOf(names: readonly string[]): fc.Arbitrary<Source> {
  const [name = "t", ...others] = names;
  const table = fc.constantFrom(...Object.keys(TABLES)).map((sql) => ({
    sql: `${sql} ${name}`,
    columns: (TABLES[sql] ?? []).map((each) => `${name}.${each}`),
  }));
  if (others.length === 0) return table;
  const half = Math.ceil(names.length / 2);
  return fc
    .tuple(fc.boolean(), sourceOf(names.slice(0, half)), sourceOf(names.slice(half)), JOIN)
    .chain(([swap, one, other, join]) => {
      const [left, right] = swap ? [other, one] : [one, other];
      const columns = [...left.columns, ...right.columns];
      // PostgreSQL allows a full join only on a condition that it can merge.
      const equal = fc
        .tuple(fc.constantFrom(...left.columns), fc.constantFrom(...right.columns))
        .map(([a, b]) => `${a} = ${b}`);
      const more = fc.tuple(equal, conditionOf(columns, 1)).map(([a, b]) => `${a} AND ${b}`);
      const on = join === "FULL JOIN" ? equal : fc.oneof(equal, more, conditionOf(columns, 1));
      return on.map((on) => ({ sql: `(${left.sql} ${join} ${right.sql} ON ${on})`, columns }));
    });
}

const PLAIN = fc
  .integer({ min: 1, max: 4 })
  .chain((count) =>
    sourceOf(["a", "b", "c", "d"].slice(0, count)).chain(({ sql, columns }) =>
      fc
        .tuple(
          fc.array(numberOf(columns, 2), { minLength: 1, maxLength: 4 }),
          fc.option(conditionOf(columns, 2)),
          fc.boolean(),
        )
        .map(
          ([targets, where, star]) =>
            `SELECT ${star ? "*, " : ""}${[...targets, ...columns].join(", ")} FROM ${sql}${where === null ? "" : ` WHERE ${where}`}`,
        ),
    ),
  );

const GROUPED = sourceOf(["a", "b"]).chain(({ sql, columns }) =>
  fc
    .tuple(
      numberOf(columns, 1),
      numberOf(columns, 1),
      fc.option(conditionOf(columns, 1)),
      fc.constantFrom(
        "GROUP BY a1",
        "GROUP BY ROLLUP (a1)",
        "GROUP BY GROUPING SETS ((a1), ())",
        "GROUP BY a1 HAVING a1 > 0",
        "GROUP BY a1 HAVING sum(b1) > 0",
        "GROUP BY ()",
      ),
    )
    .map(
      ([key, value, where, group]) =>
        `SELECT ${group === "GROUP BY ()" ? "1" : "a1"}, sum(b1), count(b1), max(b1) FILTER (WHERE b1 > 1), array_agg(b1), coalesce(min(b1), 0) FROM (SELECT ${key} AS a1, ${value} AS b1 FROM ${sql}${where === null ? "" : ` WHERE ${where}`}) s ${group}`,
    ),
);

export const RANDOM_SELECT: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: PLAIN },
  GROUPED,
);
