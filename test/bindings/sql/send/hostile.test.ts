/** Whatever a parameter holds, it arrives as itself and does nothing else. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Format } from "../../../../src/bindings/sql/contract.js";
import { attempt, onEachEngine, send } from "./support.js";
import { runs } from "../../../support/runs.js";
import { unicodeText } from "../../../support/unicode-text.js";

const schema = `
  CREATE TABLE kept (id serial PRIMARY KEY, what text, many text[], json jsonb, bytes bytea, digits numeric);
  CREATE TABLE bystander AS SELECT 'untouched' AS it;
`;

const injections = [
  "'; DROP TABLE bystander; --",
  "$1",
  "$$; DELETE FROM bystander; $$",
  "\\'; DROP TABLE bystander; --",
  "{a,b}",
  'NULL","x',
  "*/ DROP TABLE bystander /*",
  ":name",
  "\\x00",
  "%s",
  "\u2028'",
];

const text = fc
  .oneof(fc.constantFrom(...injections), unicodeText(), fc.string())
  .filter((each) => !each.includes("\0"));
const json = fc
  .jsonValue({ maxDepth: 3 })
  .filter((each) => each !== null && !JSON.stringify(each).includes("\\u0000"));
const row = fc.record({
  what: text,
  many: fc.array(fc.option(text), { maxLength: 5 }),
  json,
  bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64")),
  digits: fc.bigInt().map(String),
});
const formats = {
  what: "text",
  many: "text[]",
  json: "jsonb",
  bytes: "bytea",
  digits: "numeric",
} as const satisfies Record<string, Format>;

onEachEngine(schema, (database) => {
  test("every parameter arrives unchanged, in a write and in a read", async () => {
    await fc.assert(
      fc.asyncProperty(row, async (given) => {
        const as = attempt(database().url);
        const values = Object.values(given);
        const parameters = Object.keys(given).map((name) => formats[name as keyof typeof given]);
        const written = await send(
          {
            text: "INSERT INTO kept (what, many, json, bytes, digits) VALUES ($1, $2, $3, $4, $5) RETURNING what, many, json, bytes, digits",
            values,
            parameters,
            columns: formats,
            rows: "one",
            effect: "write",
          },
          as,
        );
        expect(written.result).toEqual({ status: "success", data: asStored(given) });
        const found = await send(
          {
            text: "SELECT count(*)::int4 > 0 AS it FROM kept WHERE what = $1 AND many = $2::text[] AND json = $3::jsonb AND bytes = $4::bytea AND digits = $5::numeric",
            values,
            parameters,
            columns: { it: "bool" },
            rows: "one",
          },
          as,
        );
        expect(found.result.data).toEqual({ it: true });
      }),
      { numRuns: runs(200) },
    );
    expect(await database().rows("SELECT it FROM bystander")).toEqual([{ it: "untouched" }]);
    const tables = "SELECT count(*)::int4 AS n FROM pg_tables WHERE schemaname = 'public'";
    expect(await database().rows(tables)).toEqual([{ n: 2 }]);
  });
});

/** jsonb has one zero. */
function asStored(given: { readonly json: unknown }): unknown {
  const json: unknown = JSON.parse(JSON.stringify(given.json));
  return { ...given, json };
}
