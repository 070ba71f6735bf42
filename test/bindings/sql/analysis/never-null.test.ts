/**
 * The short list behind "not null", held against PostgreSQL: every function, operator and cast of
 * it, with every kind of value we know.
 */
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { castKeepsValues } from "../../../../src/bindings/sql/analysis/value-type.js";
import { pgCatalogOf } from "../../../../src/bindings/sql/database/pg-catalog.js";
import {
  ALWAYS_VALUE,
  isTotal,
  needsOf,
  NOT_MEANT,
  VALUE_FOR_FIRST,
  VALUE_FOR_VALUES,
} from "../../../../src/bindings/sql/analysis/never-null.js";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { readSnapshot } from "./read-snapshot.js";

let db: PGlite;
let snapshot: Snapshot;
beforeAll(async () => {
  db = await PGlite.create();
  await db.exec(
    "CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE SEQUENCE seq; SELECT nextval('seq')",
  );
  // Each value is tried on its own: an error is no NULL.
  await db.exec(`CREATE FUNCTION gives_null(expression text) RETURNS bool LANGUAGE plpgsql AS $$
    DECLARE answer bool; BEGIN EXECUTE 'SELECT (' || expression || ') IS NOT DISTINCT FROM NULL' INTO answer; RETURN answer;
    EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$`);
  snapshot = await readSnapshot(db);
}, 60_000);
afterAll(() => db.close());

/** Values at the edges of their types: empty, infinite, not a number, JSON null. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  bool: ["true", "false"],
  int2: ["0", "-1", "3"],
  int4: ["0", "-1", "3"],
  int8: ["0", "-1", "3"],
  float4: ["0", "NaN", "Infinity", "-1.5"],
  float8: ["0", "NaN", "-Infinity", "0.5"],
  numeric: ["0", "NaN", "Infinity", "2.50"],
  money: ["0", "1.5"],
  text: [
    "",
    "a",
    "a,b",
    "%",
    "2",
    "2020-01-01",
    "YYYY-MM-DD",
    "{}",
    "seq",
    "UTC",
    "day",
    "NFC",
    "hex",
    "UTF8",
    "english",
    "{b}",
  ],
  varchar: ["", "ab"],
  bpchar: ["", "ab"],
  name: ["", "seq"],
  char: ["", "a"],
  bytea: ["", "\\\\x00ff"],
  bit: ["0", "1"],
  varbit: ["", "101"],
  uuid: ["00000000-0000-0000-0000-000000000000"],
  date: ["infinity", "-infinity", "2020-02-29"],
  time: ["00:00", "24:00"],
  timetz: ["00:00Z"],
  timestamp: ["infinity", "-infinity", "2020-02-29 1:00"],
  timestamptz: ["infinity", "-infinity", "2020-02-29 1:00Z"],
  interval: ["0", "infinity", "1 mon -1 day"],
  json: ["null", "{}", "[]", "1", '{"a":null}', '["a"]'],
  jsonb: ["null", "{}", "[]", "1", '{"a":null}', '["a"]', "true", '"a"'],
  jsonpath: ["$.a"],
  int4range: ["empty", "(,)", "[1,2)"],
  int8range: ["empty", "(,3)"],
  numrange: ["empty", "(,)"],
  daterange: ["empty", "(,)"],
  tsrange: ["empty", "(,)"],
  tstzrange: ["empty"],
  int4multirange: ["{}", "{[1,2)}"],
  inet: ["1.2.3.4", "::1/64"],
  cidr: ["10.0.0.0/8"],
  macaddr: ["08:00:2b:01:02:03"],
  macaddr8: ["08:00:2b:01:02:03:04:05"],
  tsvector: ["", "a:1 b"],
  tsquery: ["", "a & b"],
  oid: ["0", "1"],
  regclass: ["seq"],
  regconfig: ["english"],
  xid: ["1"],
  xid8: ["1"],
  pg_lsn: ["0/1"],
  mood: ["sad"],
};
const ARRAYS: readonly string[] = [
  "'{}'::int4[]",
  "'{1,NULL}'::int4[]",
  "'{}'::text[]",
  "'{a,NULL}'::text[]",
  "'{1}'::float8[]",
  "'{0}'::numeric[]",
  "'{sad}'::mood[]",
];
const ANY: readonly string[] = [
  "1",
  "'a'::text",
  "'sad'::mood",
  "'null'::jsonb",
  "ROW(NULL::int)",
  "'{}'::int4[]",
];

function literals(oid: number): readonly string[] {
  const type = snapshot.types.find((each) => each.oid === oid);
  const name = type?.name ?? "";
  if (name === "anyarray" || name === "anycompatiblearray" || name === "_int4" || name === "_text")
    return name.startsWith("_")
      ? ARRAYS.filter((each) => each.endsWith(`${name.slice(1)}[]`))
      : ARRAYS;
  if (name === "anyrange") return ["'empty'::int4range", "'(,)'::int4range"];
  if (name === "anymultirange") return ["'{}'::int4multirange"];
  if (name === "anyenum") return ["'sad'::mood"];
  if (type?.kind === "pseudo") return name === "record" ? ["(SELECT ROW(1, NULL::int))"] : ANY;
  return (VALUES[name] ?? []).map(
    (each) => `'${each.replaceAll("\\\\", "\\")}'::${name === "char" ? '"char"' : name}`,
  );
}

/** Some of all combinations: all of them where there are few. */
function combinations(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const all = lists.reduce<readonly (readonly string[])[]>(
    (before, list) => before.flatMap((row) => list.map((each) => [...row, each])),
    [[]],
  );
  const step = Math.max(1, Math.floor(all.length / 150));
  return all.filter((_, place) => place % step === 0);
}

async function nullsAmong(expressions: readonly string[]): Promise<readonly string[]> {
  const { rows } = await db.query<{ each: string }>(
    "SELECT each FROM unnest($1::text[]) each WHERE gives_null(each)",
    [expressions],
  );
  return rows.map(({ each }) => each);
}

test("the listed functions return a value for every value", async () => {
  const pgCatalog = pgCatalogOf(snapshot);
  const listed = snapshot.functions.filter((each) => needsOf(pgCatalog, each) !== "unproven");
  const calls = listed.flatMap((each) => {
    const types = each.variadic ? each.arguments.slice(0, -1) : each.arguments;
    const optional = needsOf(pgCatalog, each);
    const values = types.map((oid, place) =>
      optional === "nothing" || (optional === "first" && place > 0)
        ? ["NULL", ...literals(oid)]
        : literals(oid),
    );
    const rows = combinations(values).map((row) => `${each.name}(${row.join()})`);
    return each.variadic
      ? [
          ...rows,
          ...rows.map((call) => call.replace(/\)$/, `${types.length === 0 ? "" : ","} NULL, 'x')`)),
        ]
      : rows;
  });
  expect(calls.length).toBeGreaterThan(5000);
  expect(await nullsAmong(calls)).toEqual([]);
}, 120_000);

test("the listed operators return a value for every value", async () => {
  const pgCatalog = pgCatalogOf(snapshot);
  const listed = snapshot.operators.filter((each) => isTotal(pgCatalog, each));
  const expressions = listed.flatMap(({ name, left, right }) =>
    left === 0
      ? literals(right).map((each) => `${name} ${each}`)
      : combinations([literals(left), literals(right)]).map((sides) => sides.join(` ${name} `)),
  );
  expect(expressions.length).toBeGreaterThan(2000);
  expect(await nullsAmong(expressions)).toEqual([]);
}, 120_000);

test("the listed casts keep values", async () => {
  const pgCatalog = pgCatalogOf(snapshot);
  const types = snapshot.types.filter(
    ({ name, schema }) => name in VALUES && (schema === "pg_catalog" || name === "mood"),
  );
  const expressions = types.flatMap((from) =>
    types
      .filter((to) => castKeepsValues(pgCatalog, from.oid, to.oid))
      .flatMap((to) =>
        literals(from.oid).map(
          (each) => `CAST(${each} AS ${to.name === "char" ? '"char"' : to.name})`,
        ),
      ),
  );
  expect(expressions.length).toBeGreaterThan(1000);
  expect(await nullsAmong(expressions)).toEqual([]);
}, 120_000);

describe("lists of functions", () => {
  test("name no function twice", () => {
    const all = [...ALWAYS_VALUE, ...VALUE_FOR_FIRST, ...VALUE_FOR_VALUES];
    expect(all.filter((each, place) => all.indexOf(each) !== place)).toEqual([]);
  });

  test("name only functions that PostgreSQL has", () => {
    const names = new Set(
      snapshot.functions.filter((each) => each.schema === "pg_catalog").map(({ name }) => name),
    );
    const left = [...ALWAYS_VALUE, ...VALUE_FOR_FIRST, ...VALUE_FOR_VALUES].filter(
      (each) => !names.has(each),
    );
    expect(left).toEqual([]);
  });

  test("leave a function out only for a reason", async () => {
    const nulls = [
      "substring('a'::text, 'z'::text)",
      "lower('empty'::int4range)",
      "upper('{}'::int4multirange)",
    ];
    expect(await nullsAmong([...nulls, "substring('a', 'z', '#')"])).toEqual([
      ...nulls,
      "substring('a', 'z', '#')",
    ]);
    expect(NOT_MEANT.size).toBe(6);
  });
});
