import { expect, test } from "vitest";
import { readHeader } from "../../../../src/bindings/sql/database/snapshot-header.js";
import { differences, readSnapshotFile } from "../../../../src/bindings/sql/pull/differences.js";
import { printSnapshot } from "../../../../src/bindings/sql/pull/snapshot-file.js";
import type { SchemaObject } from "../../../../src/bindings/sql/pull/schema-objects.js";

const header = { database: "DB", server: 15, searchPath: ["public"] };
const table = (name: string, sql: string): SchemaObject => ({
  kind: "table",
  label: `table public.${name}`,
  sql,
});
const a = table(
  "a",
  "CREATE TABLE public.a (\n  id integer NOT NULL,\n  \"x, y\" text DEFAULT '\n-- table public.b\n'::text\n)",
);

async function told(before: string, now: string): Promise<readonly string[] | undefined> {
  const [old, own] = [await readSnapshotFile(before), await readSnapshotFile(now)];
  return old && own && differences(old, own).map(({ what }) => what);
}

test("a file has no differences from itself, even with line breaks of Windows", async () => {
  const text = printSnapshot(header, [a], []);
  expect(await told(text, text)).toEqual([]);
  expect(await told(text.replaceAll("\n", "\r\n"), text)).toEqual([]);
});

test("reports an edit by hand that changes no object", async () => {
  const text = printSnapshot(header, [a], []);
  expect(await told(`${text}-- mine\n`, text)).toEqual([
    "somebody edited the file, or another version of skillc wrote it",
  ]);
  expect(await told(`${text}CREATE TABLE public.a (id int;\n`, text)).toBeUndefined();
  expect(await readSnapshotFile("CREATE TABLE a (id int);\n")).toBeUndefined();
});

test("reports another server and another search path", async () => {
  const other = { ...header, server: 16, searchPath: ['odd "\n', "public"] };
  const [before, now] = [printSnapshot(header, [a], []), printSnapshot(other, [a], [])];
  expect(await told(before, now)).toEqual([
    "the server is PostgreSQL 16; it was 15",
    'the search path is odd "\n, public; it was public',
  ]);
  expect(readHeader(now)).toEqual(other);
});

test("compares columns one by one, whatever their names and defaults contain", async () => {
  const other = table("a", a.sql.replace("id integer", "id bigint").replace("::text", "::varchar"));
  expect(await told(printSnapshot(header, [a], []), printSnapshot(header, [other], []))).toEqual([
    "table public.a: the column id is `id bigint NOT NULL`; it was `id integer NOT NULL`",
    expect.stringMatching(
      /^table public\.a: the column x, y is `"x, y" text DEFAULT '\n-- table public\.b\n'::varchar`; it was /,
    ),
  ]);
});

test("compares objects that the file had to leave out, too", async () => {
  const index = {
    kind: "index",
    label: "index public.a: odd\\u{a}x",
    sql: "CREATE INDEX odd\nON public.a USING hnsw (id)",
  };
  const why = "access method does not exist\n-- left out: table public.a";
  const [without, withIt] = [
    printSnapshot(header, [a], []),
    printSnapshot(header, [a], [{ object: index, why }]),
  ];
  expect(await told(without, withIt)).toEqual([`${index.label} is new`]);
  expect(await told(withIt, without)).toEqual([`${index.label} was removed`]);
  const changed = { object: { ...index, sql: `${index.sql} WHERE id > 1` }, why };
  expect(await told(withIt, printSnapshot(header, [a], [changed]))).toEqual([
    `${index.label} has changed`,
  ]);
});
