import { expect, test } from "vitest";
import { headerLine } from "../../../../src/bindings/sql/database/snapshot-header.js";
import { differences, readSnapshotFile } from "../../../../src/bindings/sql/pull/differences.js";
import { withTools } from "../../../../src/bindings/sql/pull/tools-using.js";

const TYPE = "-- enum public.mood\nCREATE TYPE public.mood AS ENUM ('good');\n";

const ITEMS = `-- table public.items
CREATE TABLE public.items (
  id integer NOT NULL,
  name text,
  mood public.mood
);
`;

const OTHERS = "-- table public.others\nCREATE TABLE public.others (\n  id integer\n);\n";

const FUNCTION = `-- function public.f(integer)
CREATE FUNCTION public.f(integer)
  RETURNS integer
  LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN NULL; END';
`;

const SCHEMA = [TYPE, ITEMS, OTHERS, FUNCTION].join("\n");

async function snapshot(body: string) {
  const header = headerLine({ database: "DB", server: 15, searchPath: ["public"] });
  const read = await readSnapshotFile(`${header}\n\n-- settings\nSET a = 1;\n\n${body}`);
  if (read === undefined) throw new Error("the snapshot can't be read");
  return read;
}

/** Descriptions of a change of the schema, each with the statements that it affects. */
async function toldOf(from: string, to: string, queries: readonly string[]) {
  const both = [await snapshot(SCHEMA), await snapshot(SCHEMA.replace(from, to))] as const;
  const tools = queries.map((query) => ({ id: query, query }));
  return withTools(differences(...both), both, tools);
}

const insert = "INSERT INTO items (id) VALUES (1)";
const nested = "WITH new AS (INSERT INTO items (id) VALUES (1) RETURNING id) SELECT id FROM new";
const merge =
  "MERGE INTO items USING others ON false WHEN NOT MATCHED THEN INSERT (id) VALUES (others.id)";

test("a new column affects statements that insert into its table or select all its columns", async () => {
  const whole = "SELECT i FROM items AS i";
  const natural = "SELECT 1 AS one FROM items NATURAL JOIN others";
  const using = [insert, nested, merge, whole, natural, "SELECT * FROM items"];
  const not = ["SELECT id FROM items", "DELETE FROM items WHERE id = 1", "SELECT * FROM others"];
  const what = "table public.items: the column note is new";
  expect(
    await toldOf("mood public", "note text NOT NULL,\n  mood public", [...using, ...not]),
  ).toEqual([{ what, tools: using }]);
});

test("a changed column affects an UPDATE and a DELETE that name it", async () => {
  const using = [
    "UPDATE items SET name = 'x' WHERE id = 1",
    "DELETE FROM items WHERE name = 'x'",
    "UPDATE others SET id = 2 FROM items WHERE items.name = 'x'",
  ];
  const [told] = await toldOf("name text", "name varchar(3)", [
    ...using,
    "UPDATE items SET mood = 'good' WHERE id = 1",
  ]);
  expect(told?.tools).toEqual(using);
});

test("a removed table affects statements that only write to it", async () => {
  const using = [insert, "UPDATE items SET id = 1", "DELETE FROM items", merge];
  const [told] = await toldOf(ITEMS, "", [...using, "DELETE FROM others"]);
  expect(told).toEqual({ what: "table public.items was removed", tools: using });
});

test("a new label affects statements that select the enum's column or name the enum, and no others on the table", async () => {
  const using = [
    "SELECT mood FROM items",
    "SELECT 'good'::mood AS m",
    "SELECT * FROM items",
    insert,
  ];
  expect(await toldOf("'good')", "'good', 'bad')", [...using, "SELECT name FROM items"])).toEqual([
    { what: "enum public.mood: the label bad is new", tools: using },
  ]);
});

test("a changed property of a function is described in words", async () => {
  const using = ["SELECT f(1) AS x"];
  expect(
    await toldOf(
      "integer\n  LANGUAGE plpgsql IMMUTABLE",
      "text\n  LANGUAGE plpgsql STABLE STRICT",
      using,
    ),
  ).toEqual([
    {
      what: "function public.f(integer): the result is `RETURNS text`; it was `RETURNS integer`",
      tools: using,
    },
    {
      what: "function public.f(integer): the volatility is `STABLE`; it was `IMMUTABLE`",
      tools: using,
    },
    {
      what: "function public.f(integer): the answer to NULL is `STRICT`; it was `CALLED ON NULL INPUT`",
      tools: using,
    },
  ]);
});
