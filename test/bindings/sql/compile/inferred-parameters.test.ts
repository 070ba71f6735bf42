import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../../src/bindings/registry.js";
import { isJsonObject } from "../../../../src/core/json.js";
import { compileUntyped, diagnose } from "../../../compiler/whole/compile-untyped.js";
import { catalogIn } from "../../../support/catalog.js";
import { sharedSqlBinding } from "../../../support/shared-sql.js";
import { ask, askWrite, type StatementTool, filesFor, text } from "./ask.js";

/** Parameter schemas that a model gets for a tool without diagnostics. */
async function offered(asked: StatementTool): Promise<unknown> {
  const files = filesFor(asked);
  const compilation = await compileUntyped(files, createRegistry([sharedSqlBinding]));
  const faults = compilation.diagnostics.filter(({ code }) => !code.startsWith("skill/"));
  expect(faults.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  const [tool] = catalogIn(compilation.files).skills[0]?.tools ?? [];
  const schema = tool?.["input_schema"];
  return isJsonObject(schema) ? schema["properties"] : undefined;
}

const rollback = { strategy: "none", reason: "nobody needs one here" };
const write = { tool: { risk_level: "high", rollback }, binding: { read_only: false } };
const digits = { type: "string", pattern: "^-?[0-9]+$" };
const small = { type: "integer", minimum: -32768, maximum: 32767 };

describe("parameter without a type", () => {
  test.each<readonly [string, object]>([
    ["id = :x", digits],
    ["age >= :x", small],
    ["mood = :x", { type: "string", enum: ["good", "bad"] }],
    ["born < :x", { type: "string", format: "date" }],
    ["age IN (:x)", small],
    ["id = ANY (:x)", { type: "array", items: digits }],
    ["mood <> ALL (:x)", { type: "array", items: { type: "string", enum: ["good", "bad"] } }],
    ["age BETWEEN :x AND 9", small],
    ["length(name) = :x", { type: "integer", minimum: -2147483648, maximum: 2147483647 }],
    ["name LIKE '%' || :x || '%'", text],
    ["age + 1 = :x::int", { type: "integer", minimum: -2147483648, maximum: 2147483647 }],
    ["(age > 1) = :x", { type: "boolean" }],
    ["id::float8 > :x", { type: "number" }],
    ["note IS NOT DISTINCT FROM :x", text],
    ["(:x::mood IS NULL OR mood = :x)", { type: "string", enum: ["good", "bad"] }],
  ])("gets the type that PostgreSQL expects: %s", async (condition, schema) => {
    const query = `SELECT id FROM people WHERE ${condition}`;
    expect(await offered({ query, parameters: { x: {} } })).toEqual({ x: schema });
  });

  test.each<readonly [string, object]>([
    ["key = :x", { type: "string", format: "uuid" }],
    ["amount > :x", { type: "string", pattern: "^-?[0-9]+(?:\\.[0-9]+)?$" }],
    ["at < :x", { type: "string", format: "date-time" }],
    ["host = :x", text],
    ["code = :x", text],
    ["mac = :x", { type: "array", items: text }],
  ])("gets the form of any type: %s", async (condition, schema) => {
    const query = `SELECT key FROM sums WHERE ${condition}`;
    expect(await offered({ query, parameters: { x: {} } })).toEqual({ x: schema });
  });

  test("gets the length of the column that it is written to, and any length for a comparison", async () => {
    const query =
      "UPDATE people SET nick = :nick, aliases = :aliases, note = :note WHERE name = :name AND code = :code";
    const parameters = { nick: {}, aliases: {}, note: {}, name: {}, code: {} };
    expect(await offered({ ...write, query, parameters })).toEqual({
      nick: { type: "string", maxLength: 10 },
      aliases: { type: "array", items: { type: "string", maxLength: 5 } },
      note: text,
      name: text,
      code: text,
    });
  });

  test("gets the length of the shortest column that it is written to, through domains", async () => {
    const query = "INSERT INTO sums (code) VALUES (:x)";
    expect(await offered({ ...write, query, parameters: { x: {} } })).toEqual({
      x: { type: "string", maxLength: 5 },
    });
    const both = "UPDATE people SET nick = :x, name = :x WHERE id = 1";
    expect(await offered({ ...write, query: both, parameters: { x: {} } })).toEqual({
      x: { type: "string", maxLength: 10 },
    });
  });

  test("gets a minimum of 0 for LIMIT and OFFSET", async () => {
    const query = "SELECT id FROM people LIMIT :most OFFSET :first::int";
    expect(await offered({ query, parameters: { most: {}, first: {} } })).toEqual({
      most: { type: "integer", minimum: 0, maximum: 9007199254740991 },
      first: { type: "integer", minimum: 0, maximum: 2147483647 },
    });
  });

  test("gets a minimum of 0 inside `coalesce` for LIMIT and OFFSET", async () => {
    const query = "SELECT id FROM people LIMIT coalesce(:most, 20) OFFSET coalesce((:first), 0)";
    const integer = { type: "integer", minimum: 0, maximum: 2147483647 };
    expect(await offered({ query, parameters: { "most?": {}, "first?": {} } })).toEqual({
      most: integer,
      first: integer,
    });
  });

  test("gets the values that all of its places accept", async () => {
    const query = "SELECT id FROM people WHERE id = :x OR age = :x";
    expect(await offered({ query, parameters: { x: {} } })).toEqual({ x: small });
  });

  test("gets its type through the mapping", async () => {
    const asked = {
      query: "SELECT id FROM people WHERE age = :a",
      parameters: { years: {} },
      binding: { parameter_mapping: { a: "years" } },
    };
    expect(await offered(asked)).toEqual({ years: small });
  });

  test("keeps the keywords of its author", async () => {
    const query =
      "SELECT id FROM people WHERE age >= :least AND id = :id AND name = :name LIMIT :most";
    const parameters = {
      least: { description: "Years.", minimum: 0 },
      id: { pattern: "^[1-9][0-9]{0,17}$" },
      "name?": { maxLength: 20, default: "Ann" },
      "most?": { maximum: 100, default: 10 },
    };
    expect(await offered({ query, parameters })).toEqual({
      least: { type: "integer", minimum: 0, maximum: 32767, description: "Years." },
      id: { type: "string", pattern: "^[1-9][0-9]{0,17}$" },
      name: { type: "string", maxLength: 20, default: "Ann" },
      most: { type: "integer", minimum: 0, maximum: 100, default: 10 },
    });
  });

  test("gets a number for int8 or numeric if its author uses keywords of numbers", async () => {
    const query = "SELECT key FROM sums WHERE number = :n AND big < :b AND number > ANY (:all)";
    const parameters = { n: { minimum: 1 }, b: { exclusiveMinimum: 0 }, all: {} };
    expect(await offered({ query, parameters })).toEqual({
      n: { type: "integer", minimum: 1, maximum: 9007199254740991 },
      b: { type: "number", exclusiveMinimum: 0 },
      all: { type: "array", items: digits },
    });
  });

  test("gets every type but null for json", async () => {
    const query = "SELECT id FROM people WHERE to_jsonb(age) = :x";
    const type = ["object", "array", "string", "number", "boolean"];
    expect(await offered({ query, parameters: { x: {} } })).toEqual({ x: { type } });
  });

  test("keeps a schema that has a type or values", async () => {
    const query = "SELECT id FROM people WHERE note = :x OR note = :y OR mood = :z";
    const parameters = { x: { type: ["string", "null"] }, y: { enum: ["a"] }, z: { const: "bad" } };
    expect(await offered({ query, parameters })).toEqual(parameters);
  });
});

describe("keywords beside an inferred type", () => {
  const query = "SELECT id FROM people WHERE age = :x";

  test.each<readonly [object, string]>([
    [
      { minimum: 3_000_000 },
      "error sql/parameter-type at :x: `x` is at least 3000000, and `int2` holds -32768 to 32767",
    ],
    [
      { maximum: 40_000 },
      "warning sql/parameter-may-not-fit at :x: `x` may be 40000, and `int2` holds -32768 to 32767",
    ],
  ])("reports values that the type can't have: %j", async (x, line) => {
    expect(await ask({ query, parameters: { x } })).toEqual([line]);
  });

  test.each([
    ["name = :x", { minimum: 1 }, "text", "`minimum` is for numbers"],
    ["age = :x", { maxLength: 3 }, "int2", "`maxLength` is for texts"],
    ["id = ANY (:x)", { pattern: "^1" }, "int8[]", "`pattern` is for texts"],
    ["mood = :x", { minItems: 1 }, "mood", "`minItems` is for lists"],
  ])("warns of a limit for another type: %s with %j", async (condition, x, type, why) => {
    expect(
      await ask({ query: `SELECT id FROM people WHERE ${condition}`, parameters: { x } }),
    ).toEqual([
      `warning sql/parameter-may-not-fit at :x: \`x\` is \`${type}\` here, but ${why} (remove it, or write the type that you mean)`,
    ]);
  });

  test("rejects a format of another type", async () => {
    const query = "SELECT key FROM sums WHERE key = :k";
    expect(await ask({ query, parameters: { k: { format: "date" } } })).toEqual([
      expect.stringMatching(/^error sql\/parameter-type at :k: `k` has the format `date`/),
    ]);
  });

  test("warns of a length beyond the column's", async () => {
    const query = "UPDATE people SET nick = :x WHERE id = 1";
    expect(await askWrite({ query, parameters: { x: { maxLength: 11 } } })).toEqual([
      "warning sql/parameter-may-not-fit at :x: `x` may have 11 characters, and the column is `varchar(10)` (add `maxLength: 10`)",
    ]);
  });

  test.each([
    ["age = :x", "old", "the default must be an integer, not a string"],
    ["age = :x", 40_000, "the default must be <= 32767"],
    ["mood = :x", "dull", "the default must be equal to one of the allowed values"],
    ["note = :x", null, "the default must be a string, not null"],
  ])("rejects a default that does not fit: %s with %j", async (condition, value, message) => {
    const files = filesFor({
      query: `SELECT id FROM people WHERE ${condition}`,
      parameters: { "x?": { default: value } },
    });
    const { diagnostics } = await diagnose(files, createRegistry([sharedSqlBinding]));
    const found = diagnostics.filter(({ severity }) => severity === "error");
    expect(found.map((each) => `${each.code}: ${each.message}`)).toEqual([
      `schema/invalid-default: ${message}`,
    ]);
  });

  test("checks a default that only PostgreSQL can read", async () => {
    const query = "SELECT key FROM sums WHERE host = :x";
    expect(await ask({ query, parameters: { "x?": { default: "nowhere" } } })).toEqual([
      "error sql/parameter-type at :x: `x` may be `nowhere`, which is not a `inet`",
    ]);
  });
});

describe("null in an inferred type", () => {
  test("a nullable column does not make its parameter nullable", async () => {
    const query = "UPDATE people SET note = :note WHERE id = :id";
    const files = { ...write, query, parameters: { note: {}, id: {} } };
    expect(await offered(files)).toEqual({ note: text, id: digits });
  });

  test("an optional parameter may be absent, and is checked as NULL", async () => {
    const stored = "UPDATE people SET name = :x WHERE id = 1";
    expect(await askWrite({ query: stored, parameters: { "x?": {} } })).toEqual([
      expect.stringContaining("sql/null-not-stored at :x: `x` may be absent"),
    ]);
    const compared = "SELECT id FROM people WHERE note = :x";
    expect(await ask({ query: compared, parameters: { "x?": {} } })).toEqual([
      expect.stringContaining("sql/never-true at :x: `x` may be absent"),
    ]);
  });
});

describe("parameter whose type can't be inferred", () => {
  test.each([
    "SELECT :q AS q",
    "SELECT id, :q AS q FROM people",
    "SELECT v.q FROM (VALUES (:q)) v (q)",
    "WITH w AS (SELECT :q AS q) SELECT q FROM w",
  ])("reports an error at the placeholder: %s", async (query) => {
    expect(await ask({ query, parameters: { q: {} } })).toEqual([
      "error sql/untyped-parameter at :q: skillc can't infer the type of `q`: PostgreSQL accepts any value here (give the parameter a type, `q: string`, or cast it here, `:q::text`)",
    ]);
  });

  test("reports an error in RETURNING, too", async () => {
    const query = "DELETE FROM people WHERE id = 1 RETURNING id, :q AS q";
    expect(await askWrite({ query, parameters: { q: {} } })).toEqual([
      expect.stringMatching(/^error sql\/untyped-parameter at :q:/),
    ]);
  });

  test.each<readonly [string, object]>([
    ["SELECT :q::int AS q", { type: "integer", minimum: -2147483648, maximum: 2147483647 }],
    ["SELECT id, :q AS q FROM people WHERE mood = :q", { type: "string", enum: ["good", "bad"] }],
    ["SELECT age FROM people UNION SELECT :q", small],
    [
      "SELECT column1 AS n FROM (VALUES (1), (:q)) v",
      { type: "integer", minimum: -2147483648, maximum: 2147483647 },
    ],
  ])(
    "infers the type from another place, or from an expression beside it: %s",
    async (query, schema) => {
      expect(await offered({ query, parameters: { q: {} } })).toEqual({ q: schema });
    },
  );

  test("infers the type from the columns of an INSERT", async () => {
    const query = "INSERT INTO people (name, age) SELECT :name, :age FROM pets";
    const parameters = { name: {}, age: {} };
    expect(await offered({ ...write, query, parameters })).toEqual({
      name: { type: "string", maxLength: 20 },
      age: small,
    });
  });

  test("reports only PostgreSQL's own error if the server rejects the statement for it", async () => {
    const query = "SELECT id FROM people WHERE :x IS NULL OR age = :x";
    expect(await ask({ query, parameters: { "x?": {} } })).toEqual([
      "error sql/refused at :x: could not determine data type of parameter :x (SQLSTATE 42P18) (PostgreSQL can't infer the type here: write `:x::int2`)",
    ]);
  });

  test("reports an error for a parameter without a placeholder", async () => {
    const query = "SELECT id FROM people";
    expect(await ask({ query, parameters: { x: {} } })).toEqual([
      expect.stringMatching(/^error sql\/unused-parameter at \{\}: `x` has no effect/),
    ]);
    const asked = { parameters: { x: {} }, tool: { unused: ["x"] } };
    expect(await ask({ query, ...asked })).toEqual([
      "error sql/untyped-parameter at {}: skillc can't infer the type of `x`: the statement doesn't use it (give the parameter a type: `x: string`)",
    ]);
    // Of what is refused nobody knows what would stand in it.
    expect(await ask({ query: "SELECT idd FROM people", ...asked })).toEqual([
      expect.stringMatching(/^error sql\/refused at idd:/),
    ]);
  });
});

test("a parameter that is untyped text in one place and another type elsewhere is an error that suggests a cast", async () => {
  const line = (type: string) =>
    `error sql/parameter-types-apart at :x: \`x\` is \`text\` here by default and \`${type}\` in another place, but no value is both (cast it here: \`:x::${type}\`)`;
  const shown = "SELECT :x AS x, id FROM people WHERE age = :x";
  expect(await ask({ query: shown, parameters: { x: {} } })).toEqual([line("int2")]);
  const returned = "DELETE FROM pets WHERE id = :x RETURNING :x AS x";
  expect(await askWrite({ query: returned, parameters: { x: {} } })).toEqual([line("int4")]);
  expect(await offered({ query: shown.replace(":x", ":x::int2"), parameters: { x: {} } })).toEqual({
    x: small,
  });
});

test("a parameter of types without a common value is an error at the second place", async () => {
  const query = "SELECT id FROM people WHERE note = :x AND name = :x AND age = :x";
  expect(await ask({ query, parameters: { x: {} } })).toEqual([
    "error sql/parameter-types-apart at :x: `x` is `int2` here and `text` in another place, but no value is both (use two parameters, or convert it here: `(:x::text)::int2`)",
  ]);
});

describe("type that is too wide", () => {
  test("the warning first suggests to leave the type out", async () => {
    const query = "SELECT id FROM people WHERE age = :x";
    expect(await ask({ query, parameters: { x: { type: "integer" } } })).toEqual([
      "warning sql/parameter-may-not-fit at :x: `x` may be any integer, and `int2` holds -32768 to 32767 (remove the type: the parameter then gets the type that PostgreSQL expects here; or limit it: `minimum: -32768, maximum: 32767`)",
    ]);
  });

  test("the warning does not suggest that for a nullable parameter", async () => {
    const query = "UPDATE people SET age = :x WHERE id = 1";
    expect(await askWrite({ query, parameters: { x: { type: ["integer", "null"] } } })).toEqual([
      "warning sql/parameter-may-not-fit at :x: `x` may be any integer, and `int2` holds -32768 to 32767 (limit it: `minimum: -32768, maximum: 32767`)",
    ]);
  });

  test("the warning suggests to leave out type and format if PostgreSQL would drop a part of the value", async () => {
    const query = "SELECT id FROM people WHERE born = :x";
    expect(
      await ask({ query, parameters: { x: { type: "string", format: "date-time" } } }),
    ).toEqual([
      "warning sql/parameter-may-not-fit at :x: `x` is a date-time, but `date` drops its time of day (remove type and format: the parameter then gets the type that PostgreSQL expects here)",
    ]);
  });
});
