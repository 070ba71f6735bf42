import { describe, expect, test } from "vitest";
import { askWrite, filesFor, text } from "./ask.js";
import { compileUntyped, diagnose } from "../../../compiler/whole/compile-untyped.js";

const short = { type: "string", maxLength: 10 };
const id = { type: "integer", minimum: 1, maximum: 1000 };
const name = { name: short };

describe("required column without a default that new rows leave out", () => {
  const leftOut = (table: string, column: string) =>
    `error sql/column-left-out at ${table}: \`${column}\` of \`${table}\` rejects NULL and has no default, but the new rows leave it out (name it among the columns)`;

  test.each([
    "INSERT INTO people (nick) VALUES ('x')",
    "INSERT INTO people (nick) VALUES ('x'), ('y')",
    "INSERT INTO people (nick) SELECT 'x'",
    "INSERT INTO people (nick) SELECT note FROM pets UNION SELECT 'x'",
    "INSERT INTO people DEFAULT VALUES",
    "INSERT INTO people AS p (nick) VALUES ('x') ON CONFLICT DO NOTHING",
    "WITH new AS (INSERT INTO people (nick) VALUES ('x') RETURNING id) SELECT id FROM new",
    "MERGE INTO people USING pets ON people.id = pets.owner WHEN NOT MATCHED THEN INSERT (nick) VALUES (pets.note)",
  ])("reports %s", async (query) => {
    expect(await askWrite({ query })).toContainEqual(leftOut("people", "name"));
  });

  test("finds the column by position if the INSERT names no columns", async () => {
    const query = "INSERT INTO pets VALUES (1, 2)";
    expect(await askWrite({ query })).toEqual([leftOut("pets", "name")]);
    expect(await askWrite({ query: "INSERT INTO pets SELECT 1, 2, 'Rex'" })).toEqual([]);
    // How many there are is for the `*` to say.
    expect(await askWrite({ query: "INSERT INTO pets SELECT * FROM pets" })).toEqual([]);
  });

  test("reports several columns in one diagnostic", async () => {
    expect(await askWrite({ query: "INSERT INTO pets (note) VALUES ('x')" })).toEqual([
      "error sql/column-left-out at pets: `id`, `name` of `pets` reject NULL and have no default, but the new rows leave them out (name them among the columns)",
    ]);
  });

  test("accepts a default, an identity, and a column of a view", async () => {
    expect(
      await askWrite({ query: "INSERT INTO people (name) VALUES (:name)", parameters: name }),
    ).toEqual([]);
    expect(
      await askWrite({ query: "INSERT INTO adults (id) OVERRIDING SYSTEM VALUE VALUES (1)" }),
    ).toEqual([]);
  });

  const trigger = (when: string) => ({
    "db.sql": `CREATE TABLE stamped (id int PRIMARY KEY, at timestamptz NOT NULL);
CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.at := now(); RETURN NEW; END $$;
CREATE TRIGGER stamp ${when} ON stamped FOR EACH ROW EXECUTE FUNCTION stamp();`,
  });
  const query = "INSERT INTO stamped (id) VALUES (:id)";
  const asked = {
    query,
    parameters: { id },
    tool: { risk_level: "high" },
    binding: { read_only: false },
  };

  test("assumes that only a trigger before INSERT may fill the column", async () => {
    const codes = async (when: string) =>
      (await diagnose({ ...filesFor(asked), ...trigger(when) })).diagnostics
        .filter(({ code }) => code.startsWith("sql/"))
        .map(({ code, severity }) => `${severity} ${code}`);
    expect(await codes("BEFORE INSERT OR UPDATE")).toEqual(["warning sql/may-be-left-out"]);
    for (const when of ["AFTER INSERT", "BEFORE UPDATE", "BEFORE DELETE"])
      expect(await codes(when)).toEqual(["error sql/column-left-out"]);
  });
});

describe("literal NULL for a column that takes no NULL", () => {
  const stored = (column: string) =>
    `error sql/null-not-stored at NULL: \`${column}\` rejects NULL (write a value)`;

  test.each([
    "UPDATE people SET name = NULL WHERE id = 1",
    "UPDATE people SET name = NULL::text WHERE id = 1",
    "UPDATE people SET (nick, name) = ('x', NULL) WHERE id = 1",
    "INSERT INTO people (name) VALUES (NULL)",
    "INSERT INTO people (name) VALUES ('a'), (NULL)",
    "INSERT INTO people (name) SELECT NULL",
    "INSERT INTO people (id, name) OVERRIDING SYSTEM VALUE VALUES (1, 'a') ON CONFLICT (id) DO UPDATE SET name = NULL",
  ])("reports the NULL: %s", async (query) => {
    expect(await askWrite({ query })).toEqual([stored("people.name")]);
  });

  test("reports a DEFAULT that is NULL because the column has none", async () => {
    expect(
      await askWrite({ query: "UPDATE people SET name = DEFAULT, born = DEFAULT WHERE id = 1" }),
    ).toEqual([
      "error sql/null-not-stored at DEFAULT: `people.name` has no default, so this is NULL, but the column rejects NULL (write a value)",
    ]);
  });

  test("accepts NULL for a nullable column", async () => {
    expect(
      await askWrite({ query: "UPDATE people SET nick = NULL, mood = DEFAULT WHERE id = 1" }),
    ).toEqual([]);
  });
});

describe("builder code that TypeScript checks for NULL", () => {
  const codeOf = async (query: string) => {
    const files = filesFor({
      query,
      parameters: { "note?": text, name: short, id },
      tool: { risk_level: "high", unused: [] },
      binding: { read_only: false },
    });
    const { diagnostics, files: drafts } = await compileUntyped(files);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return drafts.find(({ path }) => path.endsWith("/ask.ts"))?.text ?? "";
  };

  test("sets values in an object", async () => {
    expect(await codeOf("UPDATE people SET note = :note, nick = :name WHERE id = :id")).toContain(
      ".set({ note: p.note ?? null, nick: p.name })",
    );
  });

  test("keeps the type of the parameter before a cast", async () => {
    expect(
      await codeOf("UPDATE people SET note = :note::text, nick = :name WHERE id = :id"),
    ).toContain("note: sql<string | null>`${p.note ?? null}::text`");
  });

  test("keeps the types of a SELECT's values, and of several rows", async () => {
    const code = await codeOf("INSERT INTO pets (id, name, note) SELECT :id, :name, :note");
    expect(code).toContain('sql.val<Database["pets"]["note"]>(p.note ?? null)');
    expect(code).toContain("fills: { pets: { id: true, name: true, note: true } },");
    const rows = await codeOf(
      "INSERT INTO pets (id, name, note) VALUES (:id, :name, :note), (2, 'b', NULL)",
    );
    expect(rows).toContain('${sql.val<Database["pets"]["note"]>(p.note ?? null)}');
    expect(rows).toContain("fills: { pets: { id: true, name: true, note: true } },");
  });
});
