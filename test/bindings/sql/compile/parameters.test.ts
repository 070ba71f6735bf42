import { describe, expect, test } from "vitest";
import { ask, askWrite, text } from "./ask.js";

const short = { type: "string", maxLength: 10 };

describe("text for a column of limited length", () => {
  const tooLong = (name: string, most: string) =>
    `warning sql/parameter-may-not-fit at :${name}: \`${name}\` may have 30 characters, and the column is \`${most}\``;
  const long = { type: "string", maxLength: 30 };

  test.each([
    ["INSERT INTO people (name) VALUES (:x)", "varchar(20)"],
    ["INSERT INTO people (name, nick) VALUES ('a', 'b'), (:x, 'c')", "varchar(20)"],
    ["INSERT INTO people (name) SELECT :x FROM pets", "varchar(20)"],
    [
      "INSERT INTO people (name) VALUES ('a') ON CONFLICT (id) DO UPDATE SET nick = :x",
      "varchar(10)",
    ],
    ["UPDATE people SET nick = :x WHERE id = 1", "varchar(10)"],
    ["UPDATE people SET (age, nick) = (3, :x) WHERE id = 1", "varchar(10)"],
    ["UPDATE people SET code = :x WHERE id = 1", "bpchar(3)"],
    [
      "MERGE INTO people p USING pets t ON t.owner = p.id WHEN MATCHED THEN UPDATE SET nick = :x",
      "varchar(10)",
    ],
    [
      "MERGE INTO people p USING pets t ON t.owner = p.id WHEN NOT MATCHED THEN INSERT (name) VALUES (:x)",
      "varchar(20)",
    ],
    [
      "WITH i AS (INSERT INTO people (name) VALUES (:x) RETURNING id) SELECT id FROM i",
      "varchar(20)",
    ],
  ])("the parameter must not exceed the column's length: %s", async (query, most) => {
    const [line, ...others] = await askWrite({ query, parameters: { x: long } });
    expect(line).toContain(tooLong("x", most));
    expect(others).toEqual([]);
  });

  test("warns if the schema has no limit, and accepts a limit that fits", async () => {
    const query = "UPDATE people SET nick = :x WHERE id = 1";
    expect(await askWrite({ query, parameters: { x: text } })).toEqual([
      "warning sql/parameter-may-not-fit at :x: `x` may be longer, and the column is `varchar(10)` (add `maxLength: 10`)",
    ]);
    expect(await askWrite({ query, parameters: { x: short } })).toEqual([]);
    expect(
      await askWrite({
        query: "UPDATE people SET nick = :x::varchar(10) WHERE id = 1",
        parameters: { x: text },
      }),
    ).toEqual([]);
  });

  test("reports an error if the schema allows only longer texts", async () => {
    const query = "UPDATE people SET nick = :x WHERE id = 1";
    expect(await askWrite({ query, parameters: { x: { ...long, minLength: 11 } } })).toEqual([
      "error sql/parameter-type at :x: `x` has at least 11 characters, and the column is `varchar(10)`",
    ]);
  });

  test("checks the items of an array", async () => {
    const query = "UPDATE people SET aliases = :x WHERE id = 1";
    const [line] = await askWrite({
      query,
      parameters: { x: { type: "array", items: { type: "string", maxLength: 6 } } },
    });
    expect(line).toContain("has items of which each may have 6 characters");
  });

  test.each(["nick = :x", "p.nick = :x", ":x = nick", "nick IN ('a', :x)"])(
    "warns that a longer text is never found by %s",
    async (where) => {
      const query = `SELECT id FROM people p WHERE ${where}`;
      expect(await ask({ query, parameters: { x: long } })).toEqual([
        "warning sql/parameter-may-not-fit at :x: `x` may have 30 characters, and `people.nick` holds 10: a longer value is never found (write `maxLength: 10`)",
      ]);
      expect(await ask({ query, parameters: { x: text } })).toEqual([]);
    },
  );

  test("does not warn if the name may mean another column", async () => {
    const query =
      "WITH people AS (SELECT note AS nick FROM pets) SELECT nick FROM people WHERE nick = :x";
    expect(await ask({ query, parameters: { x: long } })).toEqual([]);
  });
});

describe("parameter that may be absent", () => {
  const fault = (help: string) => `error sql/null-not-stored at :x: \`x\` ${help}`;

  test.each([
    "INSERT INTO people (name) VALUES (:x)",
    "INSERT INTO people (name) SELECT :x::text",
    "UPDATE people SET name = :x WHERE id = 1",
  ])("reports a column that takes no NULL: %s", async (query) => {
    const absent = await askWrite({ query, parameters: { "x?": short } });
    expect(absent).toContain(
      fault(
        "may be absent, but `people.name` rejects NULL (make it required, or write `coalesce(:x, …)`)",
      ),
    );
    const nullable = { type: ["string", "null"], maxLength: 10 };
    expect(await askWrite({ query, parameters: { x: nullable } })).toContain(
      fault(
        "may be null, but `people.name` rejects NULL (make it required and not null, or write `coalesce(:x, …)`)",
      ),
    );
  });

  test.each([
    "UPDATE people SET nick = :x WHERE id = 1",
    "UPDATE people SET name = coalesce(:x, name) WHERE id = 1",
    "INSERT INTO people (name, nick) VALUES ('a', :x)",
  ])("accepts %s", async (query) => {
    expect(await askWrite({ query, parameters: { "x?": short } })).toEqual([]);
  });

  test("accepts a parameter with a default as always present", async () => {
    const query = "UPDATE people SET name = :x WHERE id = 1";
    expect(await askWrite({ query, parameters: { "x?": { ...short, default: "a" } } })).toEqual([]);
  });
});

test.each([{}, { type: "array" }, { type: ["array", "object"] }])(
  "a parameter with the schema %j does not prevent builder code",
  async (x) => {
    const query = "INSERT INTO people (name, note) VALUES ('a', to_jsonb(:x::jsonb)::text)";
    const found = await askWrite({ query, parameters: { x } });
    expect(found.filter((line) => line.includes("sql/not-translated"))).toEqual([]);
    const plain = await askWrite({
      query: "INSERT INTO people (name) VALUES (:x)",
      parameters: { x },
    });
    expect(plain.filter((line) => line.includes("sql/not-translated"))).toEqual([]);
  },
);

describe("types of placeholders", () => {
  test("a parameter is checked at each of its places", async () => {
    const digits = { type: "string", pattern: "^[0-9]{1,9}$" };
    const query = "SELECT id FROM people WHERE note = :x OR id = :x OR age = :x";
    expect(await ask({ query, parameters: { x: digits } })).toEqual([
      "error sql/parameter-type at :x: `x` may be a string, and `int2` takes an integer (make it `type: integer`)",
    ]);
    expect(
      await ask({ query: query.replace(" OR age = :x", ""), parameters: { x: digits } }),
    ).toEqual([]);
  });

  test.each([
    ["age = :x", { type: "integer", minimum: 0, maximum: 40_000 }, "warning"],
    ["age = :x", { type: "integer", minimum: 40_000 }, "error"],
    ["age = :x", { type: "integer", maximum: -40_000 }, "error"],
    ["age = :x", { enum: [40_000, 50_000] }, "error"],
    ["age = :x", { enum: [4, 50_000] }, "warning"],
    ["age = :x", { type: "number" }, "warning"],
    ["age = :x", { type: "number", minimum: 0.1, maximum: 0.9 }, "error"],
    ["age = :x", { type: ["string", "integer"], minimum: 0, maximum: 9 }, "warning"],
    ["age = :x", { type: ["string", "boolean"] }, "error"],
    ["age = :x", { type: ["string", "integer"], minimum: 40_000 }, "error"],
    ["age = :x", { type: "integer" }, "warning"],
    ["age = :x", { type: "integer", minimum: 0, maximum: 150 }, undefined],
    ["id = :x", { type: "integer" }, "warning"],
    ["id = :x", { type: "integer", minimum: 1, maximum: 9_007_199_254_740_991 }, undefined],
    ["id = :x", { type: "string", pattern: "^[0-9]{1,18}$" }, undefined],
    ["mood = :x", { type: "string", enum: ["good", "so-so"] }, "warning"],
    ["mood = :x", { type: "string", enum: ["dull", "so-so"] }, "error"],
    ["mood = :x", { type: "string", pattern: "^[0-9]+$" }, "error"],
    ["note = :x", { type: ["string", "integer"] }, "warning"],
    ["note IS NOT DISTINCT FROM :x", true, "warning"],
    ["mood = :x", text, "warning"],
    ["mood = :x", { type: "string", enum: ["bad"] }, undefined],
    ["mood::text = :x", text, undefined],
    ["born = :x", { type: "string", format: "date" }, undefined],
    ["born = :x", { type: "number" }, "error"],
    ["mood = ANY (:x)", { type: "array", items: { enum: ["good", "sad"] } }, "warning"],
    ["mood = ANY (:x)", { type: "array", items: { enum: ["dull", "sad"] } }, "error"],
    ["id = ANY (:x)", { type: "array", items: { type: "integer" } }, "warning"],
    ["id = ANY (:x)", { type: "array", items: { type: "string", pattern: "^[0-9]+$" } }, undefined],
  ])("the schema of the parameter must fit the type: %s with %j", async (where, x, severity) => {
    const found = await ask({ query: `SELECT id FROM people WHERE ${where}`, parameters: { x } });
    expect(found.map((line) => line.split(" ")[0])).toEqual(
      severity === undefined ? [] : [severity],
    );
  });

  test("a placeholder of LIMIT is checked like any other", async () => {
    const found = await ask({
      query: "SELECT id FROM people LIMIT :most",
      parameters: { most: { type: "number" } },
    });
    expect(found[0]).toMatch(
      /^warning sql\/parameter-may-not-fit at :most: .* \(make it `type: integer`\)$/,
    );
  });
});

describe("array in the place of one value", () => {
  const list = { type: "array", items: { type: "integer", minimum: 1, maximum: 9 } };

  test.each([
    ["id IN (:x)", "= ANY (:x)"],
    ["id = :x", "= ANY (:x)"],
    ["id NOT IN (:x)", "<> ALL (:x)"],
    ["id <> :x", "<> ALL (:x)"],
  ])("the error suggests ANY or ALL: %s", async (where, instead) => {
    const query = `SELECT id FROM people WHERE ${where}`;
    expect(await ask({ query, parameters: { x: list } })).toEqual([
      `error sql/parameter-type at :x: \`x\` may be an array, and \`int8\` takes digits or an integer (to compare with each item of a list, write \`${instead}\`)`,
    ]);
    expect(
      await ask({
        query: `SELECT id FROM people WHERE id ${instead}`,
        parameters: { x: list },
      }),
    ).toEqual([]);
  });

  test("each place has its own error", async () => {
    const query = "SELECT id FROM people WHERE id IN (:x, 1)";
    expect(await ask({ query, parameters: { x: list } })).toEqual([
      "error sql/parameter-type at :x: `x` may be an array, and `int8` takes digits or an integer (make it `type: integer`)",
    ]);
  });
});

test.each(["ORDER BY :x", "ORDER BY id, :x::text DESC NULLS LAST", 'ORDER BY :x COLLATE "C"'])(
  "a placeholder in ORDER BY is an error: %s",
  async (order) => {
    expect(await ask({ query: `SELECT id FROM people ${order}`, parameters: { x: text } })).toEqual(
      [
        "warning sql/constant-order at :x: `:x` is one value for all rows, so it doesn't sort them (a placeholder is never the name of a column: write `CASE :x WHEN 'name' THEN name … END`)",
      ],
    );
  },
);

test("a placeholder inside an expression of ORDER BY is accepted", async () => {
  const query = "SELECT id FROM people ORDER BY CASE :x WHEN 'name' THEN name ELSE note END";
  expect(await ask({ query, parameters: { x: text } })).toEqual([]);
});

describe("listed values that PostgreSQL has to read", () => {
  /** Values below that PostgreSQL takes: a list with one of them fits for some. */
  const taken = new Set([
    "7",
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    "now",
    "10.0.0.1",
    "P1Y",
    "a",
  ]);
  const told = (x: object) =>
    "enum" in x && Array.isArray(x.enum) && x.enum.some((each) => taken.has(String(each)))
      ? /^warning sql\/parameter-may-not-fit at :x: `x` may be /
      : /^error sql\/parameter-type at :x: `x` may be /;

  test.each<[column: string, schema: object, refused: string]>([
    ["number", { enum: ["sad", "7"] }, "`sad`, which is not a `int8`"],
    ["number", { enum: ["99999999999999999999"] }, "`99999999999999999999`, which is not a `int8`"],
    ["amount", { enum: ["sad", "zzz"] }, "`sad` or `zzz`, which is not a `numeric`"],
    [
      "key",
      { enum: ["x'y", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"] },
      "`x'y`, which is not a `uuid`",
    ],
    ["day", { const: "abc" }, "`abc`, which is not a `date`"],
    ["day", { enum: ["2026-02-30"] }, "`2026-02-30`, which is not a `date`"],
    ["at", { enum: ["\\'; DROP TABLE sums; --", "now"] }, "which is not a `timestamptz`"],
    ["host", { enum: ["10.0.0.1", "10.0.0.256"] }, "`10.0.0.256`, which is not a `inet`"],
    ["lasts", { enum: ["P1Y", "long\u0000"] }, "which is not a `interval`"],
  ])("reports values that PostgreSQL can't read: %s = %j", async (column, x, refused) => {
    const [line, ...others] = await ask({
      query: `SELECT number FROM sums WHERE ${column} = :x`,
      parameters: { x },
    });
    expect(others).toEqual([]);
    expect(line).toMatch(told(x));
    expect(line).toContain(refused);
  });

  test.each<[what: string, query: string, x: object, refused: string]>([
    ["half of a character", "note = :x", { enum: ["a", "\ud83d"] }, "which is not a `text`"],
    ["a NUL", "name = :x", { enum: ["a", "b\0"] }, "which is not a `text`"],
    [
      "a NUL in an array",
      "note = ANY (:x)",
      { type: "array", items: { enum: ["b\0"] } },
      "which is not a `text[]`",
    ],
    [
      "a NUL in a default",
      "note = :x",
      { type: "string", default: "b\0" },
      "which is not a `text`",
    ],
    [
      "half of a character in jsonb",
      "to_jsonb(note) = :x",
      { enum: ["\ud83d"] },
      "which is not a `jsonb`",
    ],
    [
      "a default of another type",
      "born = :x",
      { type: "string", format: "date", default: "2026-02-30" },
      "which is not a `date`",
    ],
  ])("reports %s, which can never be sent", async (_, condition, x, refused) => {
    const query = `SELECT id FROM people WHERE ${condition}`;
    const [line, ...others] = await ask({ query, parameters: { x } });
    expect(others).toEqual([]);
    expect(line).toMatch(told(x));
    expect(line).toContain(refused);
  });

  test("checks listed items of arrays", async () => {
    const x = { type: "array", items: { enum: ["08:00:2b:01:02:03", "zz"] } };
    const query = "SELECT number FROM sums WHERE mac && :x";
    expect(await ask({ query, parameters: { x } })).toEqual([
      "warning sql/parameter-may-not-fit at :x: `x` may be `zz`, which is not a `macaddr[]`",
    ]);
    const none = { type: "array", items: { enum: ["zz"] } };
    expect(await ask({ query, parameters: { x: none } })).toEqual([
      "error sql/parameter-type at :x: `x` may be `zz`, which is not a `macaddr[]`",
    ]);
  });

  test.each<[column: string, schema: object]>([
    ["number", { enum: ["7", "-8", null] }],
    ["amount", { enum: ["1.50", "NaN"] }],
    ["day", { enum: ["2026-01-02", "infinity"] }],
    ["at", { enum: ["2026-01-02T03:04:05Z", "2026-01-02"] }],
    ["host", { enum: ["10.0.0.0/8", "::1"] }],
    ["code", { enum: ["any"] }],
  ])("accepts %s IS NOT DISTINCT FROM %j", async (column, x) => {
    const query = `SELECT number FROM sums WHERE ${column} IS NOT DISTINCT FROM :x`;
    expect(await ask({ query, parameters: { x } })).toEqual([]);
  });
});

describe("number for a column of limited digits", () => {
  const never = "error sql/parameter-type";
  const may = "warning sql/parameter-may-not-fit";

  test.each<[column: string, schema: object, told: string, message: string]>([
    [
      "amount",
      { type: "integer", minimum: 100_000 },
      never,
      "is at least 100000, and the column is `numeric(6, 2)`",
    ],
    ["amount", { type: "number", minimum: 0, maximum: 10_000 }, may, "may be 10000, and"],
    ["amount", { enum: ["9999.99", "-10000.00"] }, may, "may be `-10000.00`, and"],
    ["amount", { enum: ["99999.99", "-10000.00"] }, never, "may be `99999.99`, and"],
    [
      "amounts",
      { type: "array", items: { type: "integer", maximum: 10_000 } },
      may,
      "has items of which each may be 10000, and the column is `numeric(4, 0)`",
    ],
  ])(
    "the parameter must not exceed the column's digits: %s: %j",
    async (column, x, told, message) => {
      const [line, ...others] = await askWrite({
        query: `UPDATE sums SET ${column} = :x WHERE number = 1`,
        parameters: { x },
      });
      expect(others).toEqual([]);
      expect(line).toContain(`${told} at :x: \`x\` ${message}`);
    },
  );

  test.each<[column: string, schema: object]>([
    ["amount", { type: "number", minimum: -9999.99, maximum: 9999.99 }],
    ["amount", { type: "number" }],
    ["big", { type: "number", maximum: 1e20 }],
  ])("accepts, for %s, a schema within the limits: %j", async (column, x) => {
    expect(
      await askWrite({
        query: `UPDATE sums SET ${column} = :x WHERE number = 1`,
        parameters: { x },
      }),
    ).toEqual([]);
  });
});

test("a domain limits the length of its column's texts", async () => {
  const long = { type: "string", maxLength: 6 };
  const [line] = await askWrite({
    query: "UPDATE sums SET code = :x WHERE number = 1",
    parameters: { x: long },
  });
  expect(line).toContain("`x` may have 6 characters, and the column is `varchar(5)`");
  const x = { type: "array", items: long };
  const [items] = await askWrite({
    query: "UPDATE sums SET codes = :x WHERE number = 1",
    parameters: { x },
  });
  expect(items).toContain("has items of which each may have 6 characters");
});

test("a parameter that is only null fits every nullable column", async () => {
  const query = "UPDATE people SET nick = :x, age = :x WHERE id = 1";
  expect(await askWrite({ query, parameters: { x: { type: "null" } } })).toEqual([]);
});
