import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSql, openPglite } from "../../../../src/bindings/sql/execute.js";
import { scalarTraits } from "../../../../src/bindings/sql/send/formats.js";
import { builtInTypes } from "../../../../src/bindings/sql/types/builtin-types.js";
import {
  formatOf,
  jsonSchemaOf,
  type SqlType,
  sqlTypeOf,
  typeScriptOf,
} from "../../../../src/bindings/sql/types/sql-type.js";
import { renderTypesPage } from "../../../../src/bindings/sql/types/types-page.js";
import { printCode } from "../../../../src/core/code.js";
import { valueOf } from "../send/support.js";

describe("docs/sql/types.md", () => {
  const url = "pglite://:memory:";
  beforeAll(async () => void (await openPglite(url)));
  afterAll(closeSql);
  const database = { url, rows: () => Promise.reject(new Error("not asked")) };
  const lines = builtInTypes.flatMap((type) => {
    // The example is the first name's; `citext` is an extension's.
    return type.names.slice(0, 1).map((name) => ({ name, type }));
  });

  test.each(lines)(
    "the example of $name is the text of PostgreSQL and the value of the runtime",
    async ({ name, type }) => {
      const [printed, json] = type.example;
      const literal = `'${printed.replaceAll("'", "''")}'::${name}`;
      expect(JSON.stringify(await valueOf(database, literal, type.format))).toBe(json);
      expect(await valueOf(database, `(${literal})::text`, "text")).toBe(
        name === "bool" ? "true" : printed,
      );
      // And back again.
      const back = await valueOf(
        database,
        `$1::${name}`,
        type.format,
        [JSON.parse(json)],
        [type.format],
      );
      expect(JSON.stringify(back)).toBe(json);
    },
  );

  test("the table of types matches PostgreSQL's OIDs", async () => {
    const engine = await openPglite(url);
    for (const [name, { oids }] of Object.entries(scalarTraits)) {
      if (oids === undefined) continue;
      const { rows } = await engine.query(
        "SELECT oid::int4, typarray::int4 FROM pg_type WHERE typname = $1 AND typnamespace = 'pg_catalog'::regnamespace",
        [name],
      );
      expect(rows).toEqual([{ oid: oids[0], typarray: oids[1] }]);
    }
  });
});

test("every built-in type has a line in one table of the page", () => {
  const page = renderTypesPage();
  for (const { names } of builtInTypes) expect(page).toContain(`| \`${names[0]}\``);
  const table = page.split("\n").filter((line) => line.startsWith("| "));
  for (const line of table) expect(line.endsWith(" |")).toBe(true);
});

const moods: SqlType = { kind: "enum", name: "mood", labels: ["it's", "*/"] };
const scalar = (name: string): SqlType =>
  sqlTypeOf(() => ({ oid: 1, schema: "pg_catalog", name, kind: "base", builtIn: true }), 1);

test.each([
  [scalar("int8"), "string", "int8"],
  [scalar("float4"), "number", "float4"],
  [scalar("jsonb"), "JsonValue", "jsonb"],
  [scalar("strange"), "string", "text"],
  [moods, `"it's" | "*/"`, "text"],
  [{ kind: "array", name: "_int4", of: scalar("int4") } as SqlType, "(number | null)[]", "int4[]"],
  [{ kind: "array", name: "_mood", of: moods } as SqlType, `("it's" | "*/" | null)[]`, "text[]"],
] as const)(
  "%j has the TypeScript type and the format of its PostgreSQL type",
  (type, typeScript, format) => {
    expect(printCode(typeScriptOf(type))).toBe(typeScript);
    expect(formatOf(type)).toBe(format);
  },
);

test("a user's type with the name of a built-in type is text", () => {
  const type = sqlTypeOf(
    () => ({ oid: 1, schema: "mine", name: "int4", kind: "composite", builtIn: false }),
    1,
  );
  expect(formatOf(type)).toBe("text");
});

test("elements of arrays may be null", () => {
  const type: SqlType = {
    kind: "array",
    name: "_bool",
    of: { kind: "enum", name: "m", labels: ["a"] },
  };
  expect(jsonSchemaOf(type)).toEqual({
    type: "array",
    items: { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
  });
});
