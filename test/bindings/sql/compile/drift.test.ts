/**
 * Columns and labels against which the runtime checks an answer, in the words of the tool's own
 * result.
 */
import { expect, test } from "vitest";
import { compileUntyped } from "../../../compiler/whole/compile-untyped.js";
import { type StatementTool, filesFor, rowsOf, text } from "./ask.js";

async function toldOf(asked: StatementTool): Promise<string> {
  const { files } = await compileUntyped(filesFor(asked));
  const tool = files.find(({ path }) => path === "people/ask.ts")?.text ?? "";
  return /columns: [\s\S]*?(?=\s+(?:searchPath|rows):)/.exec(tool)?.[0].replace(/\s+/g, " ") ?? "";
}

test.each<[what: string, asked: StatementTool, told: string]>([
  [
    "columns that are never NULL are marked, and other columns are not",
    { query: "SELECT id, name, note FROM people" },
    'columns: { id: "int8!", name: "text!", note: "text" },',
  ],
  [
    "a column that its author marks as never NULL is marked",
    { query: 'SELECT note AS "note!", name AS "name?" FROM people' },
    'columns: { note: "text!", name: "text" },',
  ],
  [
    "labels are listed for an enum, and for an array of it",
    { query: "SELECT mood, ARRAY[mood] AS moods FROM people" },
    'columns: { mood: "text!", moods: "text[]!" }, labels: { mood: ["good", "bad"], moods: ["good", "bad"] },',
  ],
  [
    "the listed labels are the labels of `returns`",
    {
      query: "SELECT mood FROM people",
      returns: rowsOf({ mood: { enum: ["good", "bad", "sad"] } }),
    },
    'columns: { mood: "text!" }, labels: { mood: ["good", "bad", "sad"] },',
  ],
  [
    "the labels of an array's elements come from `returns`",
    {
      query: "SELECT ARRAY[mood] AS moods FROM people",
      returns: rowsOf({ moods: { type: "array", items: { enum: ["good", "bad", null] } } }),
    },
    'columns: { moods: "text[]!" }, labels: { moods: ["good", "bad"] },',
  ],
  [
    "an enum has no listed labels if `returns` allows any text",
    { query: "SELECT mood FROM people", returns: rowsOf({ mood: text }) },
    'columns: { mood: "text!" },',
  ],
  [
    "a column is not marked if `returns` allows null",
    { query: "SELECT name FROM people", returns: rowsOf({ name: { type: ["string", "null"] } }) },
    'columns: { name: "text" },',
  ],
  [
    "a column is not marked if an open `returns` does not name it",
    { query: "SELECT mood FROM people", returns: { type: "array", items: { type: "object" } } },
    'columns: { mood: "text" },',
  ],
])("%s", async (_, asked, told) => {
  expect(await toldOf(asked)).toBe(told);
});
