import { describe, expect, test } from "vitest";
import { ask, askWrite, text } from "./ask.js";

const short = { type: "string", maxLength: 10 };

describe("a text for a column of limited length", () => {
  const tooLong = (name: string, most: string) =>
    `error sql/parameter-type at :${name}: \`${name}\` may have 30 characters, and the column is \`${most}\``;
  const long = { type: "string", maxLength: 30 };

  test.each([
    ["INSERT INTO people (name) VALUES (:x)", "varchar(20)"],
    ["INSERT INTO people (name, nick) VALUES ('a', 'b'), (:x, 'c')", "varchar(20)"],
    ["INSERT INTO people (name) SELECT :x FROM pets", "varchar(20)"],
    [
      "INSERT INTO people (name) VALUES ('a') ON CONFLICT (id) DO UPDATE SET nick = :x",
      "varchar(10)",
    ],
    ["UPDATE people SET nick = :x", "varchar(10)"],
    ["UPDATE people SET (age, nick) = (3, :x)", "varchar(10)"],
    ["UPDATE people SET code = :x", "bpchar(3)"],
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
  ])("%s", async (query, most) => {
    const [line, ...others] = await askWrite({ query, parameters: { x: long } });
    expect(line).toContain(tooLong("x", most));
    expect(others).toEqual([]);
  });

  test("is an uncertainty where the schema does not limit it, and fine where it does", async () => {
    const query = "UPDATE people SET nick = :x";
    expect(await askWrite({ query, parameters: { x: text } })).toEqual([
      "warning sql/parameter-may-not-fit at :x: `x` may be longer than `varchar(10)` holds (add `maxLength: 10`)",
    ]);
    expect(await askWrite({ query, parameters: { x: short } })).toEqual([]);
    expect(
      await askWrite({
        query: "UPDATE people SET nick = :x::varchar(10)",
        parameters: { x: text },
      }),
    ).toEqual([]);
  });

  test("counts the items of an array", async () => {
    const query = "UPDATE people SET aliases = :x";
    const [line] = await askWrite({
      query,
      parameters: { x: { type: "array", items: { type: "string", maxLength: 6 } } },
    });
    expect(line).toContain("has items of which each may have 6 characters");
  });

  test.each(["nick = :x", "p.nick = :x", ":x = nick", "nick IN ('a', :x)"])(
    "is never found by %s when it is longer, and said to be allowed to",
    async (where) => {
      const query = `SELECT id FROM people p WHERE ${where}`;
      expect(await ask({ query, parameters: { x: long } })).toEqual([
        "warning sql/parameter-may-not-fit at :x: `x` may have 30 characters, and `people.nick` holds 10: a longer one is never found (write `maxLength: 10`)",
      ]);
      expect(await ask({ query, parameters: { x: text } })).toEqual([]);
    },
  );

  test("is left alone where a name may mean another column", async () => {
    const query =
      "WITH people AS (SELECT note AS nick FROM pets) SELECT nick FROM people WHERE nick = :x";
    expect(await ask({ query, parameters: { x: long } })).toEqual([]);
  });
});

describe("a parameter that may be absent", () => {
  const fault = (help: string) => `error sql/null-not-stored at :x: \`x\` ${help}`;

  test.each([
    "INSERT INTO people (name) VALUES (:x)",
    "INSERT INTO people (name) SELECT :x::text",
    "UPDATE people SET name = :x",
  ])("is no value for a column that takes no NULL: %s", async (query) => {
    const absent = await askWrite({ query, parameters: { "x?": short } });
    expect(absent).toContain(
      fault(
        "may be absent, and `people.name` takes no NULL (make it required, or write `coalesce(:x, …)`)",
      ),
    );
    const nullable = { type: ["string", "null"], maxLength: 10 };
    expect(await askWrite({ query, parameters: { x: nullable } })).toContain(
      fault(
        "may be null, and `people.name` takes no NULL (make it required and not null, or write `coalesce(:x, …)`)",
      ),
    );
  });

  test.each([
    "UPDATE people SET nick = :x",
    "UPDATE people SET name = coalesce(:x, name)",
    "INSERT INTO people (name, nick) VALUES ('a', :x)",
  ])("is fine elsewhere: %s", async (query) => {
    expect(await askWrite({ query, parameters: { "x?": short } })).toEqual([]);
  });

  test("with a default is never absent", async () => {
    const query = "UPDATE people SET name = :x";
    expect(await askWrite({ query, parameters: { "x?": { ...short, default: "a" } } })).toEqual([]);
  });
});

describe("types", () => {
  test("are those of each place, when one name has several", async () => {
    const digits = { type: "string", pattern: "^[0-9]{1,9}$" };
    const query = "SELECT id FROM people WHERE note = :x OR id = :x OR age = :x";
    expect(await ask({ query, parameters: { x: digits } })).toEqual([
      "error sql/parameter-type at :x: `x` may be text, and `int2` takes an integer",
    ]);
    expect(
      await ask({ query: query.replace(" OR age = :x", ""), parameters: { x: digits } }),
    ).toEqual([]);
  });

  test.each([
    ["age = :x", { type: "integer", minimum: 0, maximum: 40_000 }, "error"],
    ["age = :x", { type: "integer" }, "warning"],
    ["age = :x", { type: "integer", minimum: 0, maximum: 150 }, undefined],
    ["id = :x", { type: "integer" }, undefined],
    ["mood = :x", { type: "string", enum: ["good", "so-so"] }, "error"],
    ["mood = :x", text, "warning"],
    ["mood = :x", { type: "string", enum: ["bad"] }, undefined],
    ["mood::text = :x", text, undefined],
    ["born = :x", { type: "string", format: "date" }, undefined],
    ["born = :x", { type: "number" }, "error"],
    ["mood = ANY (:x)", { type: "array", items: { enum: ["good", "sad"] } }, "error"],
    ["id = ANY (:x)", { type: "array", items: { type: "integer" } }, undefined],
  ])("%s with %j", async (where, x, severity) => {
    const found = await ask({ query: `SELECT id FROM people WHERE ${where}`, parameters: { x } });
    expect(found.map((line) => line.split(" ")[0])).toEqual(
      severity === undefined ? [] : [severity],
    );
  });

  test("of a limit are checked like any other", async () => {
    const found = await ask({
      query: "SELECT id FROM people LIMIT :most",
      parameters: { most: { type: "number" } },
    });
    expect(found[0]).toMatch(
      /^error sql\/parameter-type at :most: .* \(make it `type: integer`\)$/,
    );
  });
});
