import { describe, expect, test } from "vitest";
import { compileUntyped } from "../../../compiler/whole/compile-untyped.js";
import { ask, askWrite, filesFor, text } from "./ask.js";

async function refusal(query: string, parameters = {}): Promise<readonly string[]> {
  return ask({ query, parameters });
}

describe("what PostgreSQL refuses is told at its place, with what was meant", () => {
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
  ])("%s", async (query, place, state, help) => {
    const [line, ...others] = await refusal(query);
    expect(others).toEqual([]);
    expect(line).toContain(`error sql/refused at ${place}: `);
    expect(line).toContain(`(SQLSTATE ${state})`);
    expect(line).toContain(help === undefined ? "" : `(${help})`);
  });

  test("where it names no place, a word of the message does", async () => {
    const query = "INSERT INTO people (name) VALUES ('a') ON CONFLICT (nick) DO NOTHING";
    expect((await askWrite({ query }))[0]).toContain(
      "error sql/refused at ON CONFLICT: there is no unique",
    );
    const named = "INSERT INTO people (name) VALUES ('a') ON CONFLICT ON CONSTRAINT nix DO NOTHING";
    expect((await askWrite({ query: named }))[0]).toContain(
      'error sql/refused at nix: constraint "nix"',
    );
  });
});

describe("a placeholder of which nothing tells the type", () => {
  test.each([
    ["SELECT id FROM people WHERE :x IS NULL OR born > :x", "date"],
    ["SELECT id FROM people WHERE born > :x OR :x IS NULL", "date"],
    ["SELECT id FROM people WHERE :x IS NULL OR mood = ANY (:x)", "mood[]"],
    ["SELECT id FROM people WHERE :x IS NULL", "text"],
  ])("%s", async (query, type) => {
    expect(await refusal(query, { "x?": text })).toContain(
      `error sql/refused at :x: could not determine data type of parameter :x (SQLSTATE 42P18) (nothing here says what type it has: write \`:x::${type}\`)`,
    );
  });

  test("is found where it stands alone, not where it stands first", async () => {
    const query =
      "SELECT id, ':x' AS x FROM people WHERE born > :since AND (note = :x OR :x IS NULL)";
    expect(await placeOf(query, "could not determine")).toBe(query.lastIndexOf(":x"));
  });
});

/** Where the diagnostic stands in the query. */
async function placeOf(query: string, message: string): Promise<number> {
  const files = filesFor({
    query,
    parameters: { since: { type: "string", format: "date" }, "x?": text },
  });
  const { diagnostics } = await compileUntyped(files);
  const found = diagnostics.find((each) => each.message.startsWith(message));
  const start = (files["skills/people/metadata.json"] ?? "").indexOf(query);
  return (found?.span.start ?? -1) - start;
}

test("names of a refused statement are compared with the parameters all the same", async () => {
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

test("the parser's words have the author's names", async () => {
  expect(await refusal("SELECT id FROM people :x", { x: text })).toEqual([
    'error sql/syntax at :x: syntax error at or near ":x"',
  ]);
});

test("a connection of a parameter's name is a connection", async () => {
  const found = await ask({
    query: "SELECT id FROM people WHERE note = :DB",
    parameters: { DB: text },
  });
  expect(found).toEqual([]);
});
