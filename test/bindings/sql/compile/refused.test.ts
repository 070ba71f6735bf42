import { describe, expect, test } from "vitest";
import { diagnose } from "../../../compiler/whole/compile-untyped.js";
import { sharedSqlBinding, speechlessSqlBinding } from "../../../support/shared-sql.js";
import { ask, askWrite, filesFor, text } from "./ask.js";

async function context(
  query: string,
  parameters = {},
  sql = sharedSqlBinding,
): Promise<readonly string[]> {
  return ask({ query, parameters }, sql);
}

/** Diagnostics must not depend on the language of the server's messages. */
const languages = [
  ["in English", sharedSqlBinding],
  ["in no language at all", speechlessSqlBinding],
] as const;

function only(name: string): string {
  return `write \`:${name}\`: SQL accepts only \`:name\`, and only for values`;
}

describe.each(languages)("statement that PostgreSQL rejects, %s", (_, sql) => {
  test.each([
    ["SELECT p.nam FROM people p", "p.nam", "42703", "did you mean `p.name`?"],
    ["SELECT id FROM poeple", "poeple", "42P01", "did you mean `people`?"],
    ["SELECT id FROM adult", "adult", "42P01", "did you mean `adults`?"],
    ["SELECT people.id FROM people p", "people.id", "42P01", undefined],
    ["SELECT poeple.id FROM people", "poeple.id", "42P01", "did you mean `people`?"],
    ["SELECT id FROM people WHERE mood = 'god'", "'god'", "22P02", "did you mean `good`?"],
    [
      "SELECT id FROM people WHERE mood = 'so-so'",
      "'so-so'",
      "22P02",
      "its values are `good`, `bad`",
    ],
    ["SELECT uper(name) AS n FROM people", "uper", "42883", "did you mean `upper`?"],
    ["SELECT id FROM people WHERE note = 3", "=", "42883", undefined],
    ["SELECT id FROM people p JOIN pets t ON true", "id", "42702", undefined],
    ["SELECT note, count(*) AS n FROM people", "note", "42803", undefined],
    ["SELECT id FROM invoices", "invoices", "42P01", "did you mean `billing.invoices`?"],
    ["SELECT id FROM invoicse", "invoicse", "42P01", "did you mean `billing.invoices`?"],
    [
      "SELECT id FROM bilings.invoices",
      "bilings.invoices",
      "42P01",
      "did you mean `billing.invoices`?",
    ],
    ["SELECT 'EUR'::currency AS c", "currency", "42704", "did you mean `billing.currency`?"],
    ["SELECT taxed(1) AS t", "taxed", "42883", "did you mean `billing.taxed`?"],
    ["SELECT billing.taxd(1) AS t", "billing.taxd", "42883", "did you mean `billing.taxed`?"],
    ["SELECT poeple.id FROM people p", "poeple.id", "42P01", "did you mean `p`?"],
    ["SELECT people.id FROM people p", "people.id", "42P01", "did you mean `p`?"],
    ["SELECT inv.id FROM billing.invoices i", "inv.id", "42P01", "FROM has `i`"],
    ["SELECT p.id FROM people p JOIN pets t USING (nme)", "nme", "42703", "did you mean `name`?"],
    [
      "SELECT p.id FROM people p JOIN pets t USING (owner)",
      "owner",
      "42703",
      "tables have in common `id`, `name`, `note`; or write `ON …`",
    ],
    [
      "SELECT id FROM people WHERE age = note",
      "=",
      "42883",
      "give both sides one type: cast the other to `int2`, `…::int2`",
    ],
    [
      "SELECT id FROM people WHERE length(name) = note",
      "=",
      "42883",
      "give both sides one type: cast one of them, `…::type`",
    ],
    ["SELECT id FROM people WHERE nicc = 'a'", "nicc", "42703", "did you mean `people.nick`?"],
    [
      "WITH c AS (SELECT name AS title FROM pets) SELECT titel FROM c",
      "titel",
      "42703",
      "did you mean `c.title`?",
    ],
    [
      "SELECT x.labl FROM (SELECT name AS label FROM pets) x",
      "x.labl",
      "42703",
      "did you mean `x.label`?",
    ],
    [
      "SELECT id FROM people p WHERE EXISTS (SELECT 1 FROM pets t WHERE t.owner = p.idd)",
      "p.idd",
      "42703",
      "did you mean `p.id`?",
    ],
    [
      "SELECT id FROM people WHERE mood IN ('good', 'bat')",
      "'bat'",
      "22P02",
      "did you mean `bad`?",
    ],
    ["SELECT 'god'::mood AS m", "'god'", "22P02", "did you mean `good`?"],
    ["SELECT id FROM people FOR UPDATE OF peple", "peple", "42P01", "did you mean `people`?"],
    ["SELECT id FROM people WHERE nick = @nick_name", "nick_name", "42703", only("nick_name")],
    ["SELECT id FROM people WHERE nick = @nick", "@", "42883", only("nick")],
    [
      "SELECT id, 99999999999::int AS x, 88888888888::int AS y FROM people",
      "99999999999",
      "22003",
      undefined,
    ],
    ["SELECT id FROM people WHERE age = 1 / 0 OR age = 10 / 5", "/", "22012", undefined],
  ])(
    "reports the rejection at its position, with a suggestion: %s",
    async (query, place, state, help) => {
      const [line, ...others] = await context(query, {}, sql);
      expect(others).toEqual([]);
      expect(line).toContain(`error sql/refused at ${place}: `);
      expect(line).toContain(`(SQLSTATE ${state})`);
      expect(line).toContain(help === undefined ? "" : `(${help})`);
    },
  );

  test.each([
    ["at > now() - :x", ">", "-", "interval"],
    ["day > CURRENT_DATE - :x", ">", "-", "int4"],
    ["at < :x + interval '1 day'", "<", "+", "timestamptz"],
  ])("explains a placeholder in a sum of times: %s", async (condition, place, sign, type) => {
    const query = `SELECT key FROM sums WHERE ${condition}`;
    const [line, ...others] = await context(query, { x: {} }, sql);
    expect(others).toEqual([]);
    expect(line).toContain(`error sql/refused at ${place}: `);
    expect(line).toContain(
      `(SQLSTATE 42883) (beside \`${sign}\`, PostgreSQL gives \`:x\` the type of the other side: write \`:x::${type}\`)`,
    );
  });

  test("names an unknown column that is written to", async () => {
    const values = "(nam, born) VALUES ('a', 'today')";
    expect(await askWrite({ query: `INSERT INTO people ${values}` }, sql)).toEqual([
      'error sql/refused at nam: column "nam" of relation "people" does not exist (SQLSTATE 42703) (did you mean `name`?)',
    ]);
    expect(await askWrite({ query: "UPDATE people SET mod = 'good'" }, sql)).toEqual([
      'error sql/refused at mod: column "mod" of relation "people" does not exist (SQLSTATE 42703) (did you mean `mood`?)',
    ]);
  });

  test.each([
    ["UPDATE people SET age = '3'::text", "'3'", "42804", "cast the value: `…::int2`"],
    [
      "INSERT INTO people (name, age) VALUES ('a', '3'::text)",
      "'3'",
      "42804",
      "cast the value: `…::int2`",
    ],
    [
      "INSERT INTO people (name, age) SELECT name, note FROM pets",
      "note",
      "42804",
      "cast the value: `…::int2`",
    ],
    ["UPDATE people SET mood = 'god'", "'god'", "22P02", "did you mean `good`?"],
    [
      "INSERT INTO people (name, mood) VALUES ('a', 'god')",
      "'god'",
      "22P02",
      "did you mean `good`?",
    ],
    ["UPDATE people SET age = agee + 1", "agee", "42703", "did you mean `people.age`?"],
    [
      "DELETE FROM pets t USING people p WHERE p.id = t.ownr",
      "t.ownr",
      "42703",
      "did you mean `t.owner`?",
    ],
    [
      "INSERT INTO people (name) VALUES ('a') RETURNING naem",
      "naem",
      "42703",
      "did you mean `people.name`?",
    ],
  ])("reports the rejection at its position: %s", async (query, place, state, help) => {
    const [line] = await askWrite({ query }, sql);
    expect(line).toContain(`error sql/refused at ${place}: `);
    expect(line).toContain(`(SQLSTATE ${state}) (${help})`);
  });

  test("checks a table of TRUNCATE, though PostgreSQL neither describes nor plans the statement", async () => {
    expect(await askWrite({ query: "TRUNCATE people, poeple" }, sql)).toEqual([
      'error sql/refused at poeple: relation "poeple" does not exist (SQLSTATE 42P01) (did you mean `people`?)',
    ]);
    expect(await askWrite({ query: "TRUNCATE TABLE /* ü */ public.nix CASCADE" }, sql)).toEqual([
      'error sql/refused at public.nix: relation "public.nix" does not exist (SQLSTATE 42P01)',
    ]);
    expect(await askWrite({ query: "TRUNCATE adults" }, sql)).toEqual([
      'error sql/refused at adults: "adults" is not a table (SQLSTATE 42809)',
    ]);
  });

  test("points at the statement if the error has no position", async () => {
    const query = "INSERT INTO people (name) VALUES ('a') ON CONFLICT (nick) DO NOTHING";
    expect((await askWrite({ query }, sql))[0]).toContain("error sql/refused at ON CONFLICT: ");
    const named = "INSERT INTO people (name) VALUES ('a') ON CONFLICT ON CONSTRAINT nix DO NOTHING";
    expect((await askWrite({ query: named }, sql))[0]).toContain("error sql/refused at nix: ");
  });
});

describe.each(languages)("placeholder of unknown type, %s", (_, sql) => {
  test.each([
    ["SELECT id FROM people WHERE :x IS NULL OR born > :x", "date"],
    ["SELECT id FROM people WHERE born > :x OR :x IS NULL", "date"],
    ["SELECT id FROM people WHERE :x IS NULL OR mood = ANY (:x)", "mood[]"],
    ["SELECT id FROM people WHERE :x IS NULL", "text"],
  ])("the error suggests a cast: %s", async (query, type) => {
    expect(await context(query, { "x?": text }, sql)).toContain(
      `error sql/refused at :x: could not determine data type of parameter :x (SQLSTATE 42P18) (PostgreSQL can't infer the type here: write \`:x::${type}\`)`,
    );
  });

  test("the error points at the untyped place, not at the first one", async () => {
    const query =
      "SELECT id, ':x' AS x FROM people WHERE born > :since AND (note = :x OR :x IS NULL)";
    expect(await placeOf(query, "could not determine")).toBe(query.lastIndexOf(":x"));
  });
});

/** Offset of the diagnostic in the query. */
async function placeOf(query: string, message: string): Promise<number> {
  const files = filesFor({
    query,
    parameters: { since: { type: "string", format: "date" }, "x?": text },
  });
  const { diagnostics } = await diagnose(files);
  const found = diagnostics.find((each) => each.message.startsWith(message));
  const start = (files["skills/people/metadata.json"] ?? "").indexOf(query);
  return (found?.span.start ?? -1) - start;
}

test("names in a rejected statement are still compared with the parameters", async () => {
  const found = await ask({
    query: "SELECT nam FROM people WHERE note = :nte",
    parameters: { note: text },
    binding: { parameter_mapping: { nick: ":note" } },
  });
  expect(found.map((line) => line.split(":")[0])).toEqual([
    "error sql/refused at nam",
    "error sql/unknown-parameter at ",
    'error sql/unused-mapping at "nick"',
  ]);
});

test("parser messages show the author's placeholder names", async () => {
  expect(await context("SELECT id FROM people :x", { x: text })).toEqual([
    'error sql/syntax at :x: syntax error at or near ":x" (SQL accepts only `:name`, and only for values)',
  ]);
});

describe("notation that is not a placeholder", () => {
  const values = "SQL accepts only `:name`, and only for values";

  test.each([
    ["SELECT id FROM :x", ":x", values],
    ["SELECT id FROM people AS :x", ":x", values],
    ["SELECT id FROM people WHERE id IN :x", ":x", "for a list write `= ANY (:x)`"],
    ["SELECT id FROM ${TENANT}.people", "$", values],
    ["SELECT id FROM people WHERE id = ?", "?", values],
    ["SELECT id FROM people WHERE id = %s", "%", values],
    ["SELECT id FROM people WHERE id = %(x)s", "%", `write \`:x\`: ${values}`],
    ["SELECT id FROM people WHERE id = {{ x }}", "{", "write `:x`: SQL is not a template"],
  ])("the error suggests a replacement for %s", async (query, place, help) => {
    const [line, ...others] = await context(query);
    expect(others).toEqual([]);
    expect(line).toContain(`error sql/syntax at ${place}: syntax error at`);
    expect(line).toContain(`(${help})`);
  });

  test("the error explains a placeholder in the place of a keyword", async () => {
    expect(await context("SELECT id FROM people ORDER BY id :x", { x: text })).toEqual([
      `error sql/refused at :x: syntax error at or near ":x" (SQLSTATE 42601) (${values})`,
    ]);
  });

  test("an unclosed quote is reported with the author's text", async () => {
    expect(await context("SELECT id FROM people WHERE note = 'a AND id = :x")).toEqual([
      "error sql/syntax at 'a AND id = :x: unterminated quoted string (close what starts here at its intended end)",
    ]);
  });
});

describe("statement that nests too deeply", () => {
  const help =
    "a long chain of one operator or of UNION counts as nesting: group it with parentheses, `(a || b) || (c || d)`";

  test.each([
    ["a row of ||", `SELECT 'a'${" || 'a'".repeat(250)} AS a`, "||"],
    ["a row of UNION", `SELECT 1 AS a${" UNION SELECT 1".repeat(250)}`, "1"],
    ["calls", `SELECT ${"abs(".repeat(250)}1${")".repeat(250)} AS a`, "abs"],
  ])("reports %s", async (_, query, place) => {
    expect(await context(query)).toEqual([
      `error sql/too-large at ${place}: the statement is nested too deeply: this part is more than 200 levels deep (${help})`,
    ]);
  });

  test("reports a statement whose words show that it may nest too deeply", async () => {
    expect((await context(`SELECT ${"f(".repeat(3000)}${")".repeat(3000)}`))[0]).toContain(
      "the statement may be nested too deeply: more than 4,000 words follow each other without a comma (pass a long list",
    );
  });
});

test("a parameter may have the name of the connection", async () => {
  const found = await ask({
    query: "SELECT id FROM people WHERE note = :DB",
    parameters: { DB: text },
  });
  expect(found).toEqual([]);
});
