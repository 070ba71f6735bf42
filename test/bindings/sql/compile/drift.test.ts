/** What the runtime is told to hold an answer against: the words of the tool's own result. */
import { expect, test } from "vitest";
import { compileUntyped } from "../../../compiler/whole/compile-untyped.js";
import { type Asked, filesFor, rowsOf, text } from "./ask.js";

async function toldOf(asked: Asked): Promise<string> {
  const { files } = await compileUntyped(filesFor(asked));
  const tool = files.find(({ path }) => path === "people/ask.ts")?.text ?? "";
  return /columns: [\s\S]*?(?=\s+(?:searchPath|rows):)/.exec(tool)?.[0].replace(/\s+/g, " ") ?? "";
}

test.each<[what: string, asked: Asked, told: string]>([
  [
    "columns that are never NULL are marked, and those that may be are not",
    { query: "SELECT id, name, note FROM people" },
    'columns: { id: "int8!", name: "text!", note: "text" },',
  ],
  [
    "a column that its author says is never NULL is marked",
    { query: 'SELECT note AS "note!", name AS "name?" FROM people' },
    'columns: { note: "text!", name: "text" },',
  ],
  [
    "the labels of an enum stand beside it, and those of an array of it",
    { query: "SELECT mood, ARRAY[mood] AS moods FROM people" },
    'columns: { mood: "text!", moods: "text[]!" }, labels: { mood: ["good", "bad"], moods: ["good", "bad"] },',
  ],
  [
    "what `returns` lists is what may come",
    {
      query: "SELECT mood FROM people",
      returns: rowsOf({ mood: { enum: ["good", "bad", "sad"] } }),
    },
    'columns: { mood: "text!" }, labels: { mood: ["good", "bad", "sad"] },',
  ],
  [
    "`returns` lists what may stand in an array",
    {
      query: "SELECT ARRAY[mood] AS moods FROM people",
      returns: rowsOf({ moods: { type: "array", items: { enum: ["good", "bad", null] } } }),
    },
    'columns: { moods: "text[]!" }, labels: { moods: ["good", "bad"] },',
  ],
  [
    "an enum that `returns` calls any text may be any",
    { query: "SELECT mood FROM people", returns: rowsOf({ mood: text }) },
    'columns: { mood: "text!" },',
  ],
  [
    "a column where `returns` takes null may be NULL one day",
    { query: "SELECT name FROM people", returns: rowsOf({ name: { type: ["string", "null"] } }) },
    'columns: { name: "text" },',
  ],
  [
    "a column that an open `returns` doesn't name may hold anything",
    { query: "SELECT mood FROM people", returns: { type: "array", items: { type: "object" } } },
    'columns: { mood: "text" },',
  ],
])("%s", async (_, asked, told) => {
  expect(await toldOf(asked)).toBe(told);
});
