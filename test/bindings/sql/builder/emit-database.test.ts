import { expect, test } from "vitest";
import prettier from "prettier";
import { emitDatabase } from "../../../../src/bindings/sql/builder/emit-database.js";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { importsOf, printCode } from "../../../../src/core/code.js";
import { column, shop } from "./shop.js";

const format = (snapshot: Snapshot) =>
  prettier.format(printCode(emitDatabase(snapshot)), { parser: "typescript" });

const only = (...names: readonly string[]): Snapshot => ({
  ...shop,
  relations: shop.relations.filter(({ name }) => names.includes(name)),
});

test("tables of the search path have two names, and others have one", async () => {
  expect(await format(only("orders", "events"))).toBe(`export interface Database {
  "audit.events": {
    id: Generated<Pg<"int8">>;
    kind: Pg<"text">;
    customer_id: Pg<"int4"> | null;
  };
  orders: {
    id: Generated<Pg<"int4">>;
    customer_id: Pg<"int4"> | null;
    total: Pg<"numeric">;
    status: Generated<"open" | "closed">;
    note: Pg<"text"> | null;
    paid: Generated<boolean>;
    tags: (Pg<"text"> | null)[] | null;
    data: Pg<"jsonb"> | null;
    created_at: Generated<Pg<"timestamptz">>;
  };
  "public.orders": Database["orders"];
}
`);
});

test("sequences and PostgreSQL's own tables are omitted", () => {
  const text = printCode(emitDatabase(only("counters", "pg_class")));
  expect(text).toBe("export interface Database {\n}\n");
});

test("the order of the snapshot does not matter", () => {
  const turned = { ...shop, relations: shop.relations.toReversed() };
  expect(printCode(emitDatabase(turned))).toBe(printCode(emitDatabase(shop)));
});

test("domains have the type of their base, and array elements may be null", async () => {
  const [table] = only("select").relations;
  const columns = [
    { ...column("mail", "text", "!"), type: 90_002 },
    { ...column("all", "text", ""), type: 90_003 },
  ];
  const relations = table === undefined ? [] : [{ ...table, columns }];
  expect(await format({ ...shop, relations })).toContain(
    '    mail: Pg<"text">;\n    all: (Pg<"jsonb"> | null)[] | null;\n',
  );
});

test("names of tables and columns may contain any character", async () => {
  const names = ["`", "${x}", "a.b", "__proto__", "it's", 'say "x"', "*/", "\u2028", "ü"];
  const [table] = only("select").relations;
  const columns = names.map((each) => column(each, "int4", "!"));
  const relations = table === undefined ? [] : [{ ...table, name: "we`ird", columns }];
  const text = printCode(emitDatabase({ ...shop, relations }));
  const read = text
    .split("\n")
    .flatMap((line) => /^("(?:[^"\\]|\\.)*"): Pg<"int4">;$/.exec(line)?.[1] ?? []);
  expect(read.map((each): unknown => JSON.parse(each))).toEqual(names);
});

test("types of columns are imported from the runtime", () => {
  const imports = importsOf(emitDatabase(shop)).map(
    ({ module, name, typeOnly }) => `${module} ${name} ${typeOnly}`,
  );
  expect(new Set(imports)).toEqual(
    new Set(["@skillc/runtime/v1/sql Generated true", "@skillc/runtime/v1/sql Pg true"]),
  );
});
