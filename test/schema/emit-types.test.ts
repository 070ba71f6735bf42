/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import { programFaults } from "../support/program-faults.js";
import { printCode } from "../../src/core/code.js";
import type { JsonValue } from "../../src/core/json.js";
import { emitTypes } from "../../src/schema/emit-types.js";
import type { SchemaForm } from "../../src/schema/form.js";
import { options, tryAssign } from "./assignability.js";
import { mustRead } from "./read.js";

async function typesOf(schema: JsonValue, form: SchemaForm = "input"): Promise<string> {
  const { declarations } = await emitTypes({ schema: mustRead(schema), name: "Order", form });
  return format(printCode(declarations), { parser: "typescript", printWidth: 100 });
}

async function declarationsOf(schema: JsonValue): Promise<string> {
  return printCode(
    (await emitTypes({ schema: mustRead(schema), name: "Root", form: "input" })).declarations,
  );
}

/** What TypeScript has to say of code that uses the type `Root` of a schema. */
async function faultsOf(schema: JsonValue, use: string): Promise<readonly string[]> {
  const text = `${await declarationsOf(schema)}\n${use}`;
  const faults = programFaults(new Map([["/use.ts", text]]), options).get("/use.ts") ?? [];
  return faults.map(({ says }) => says.replace(/^TS\d+: /, ""));
}

describe("the printed types", () => {
  test("prints a tool's parameters as an interface with its comments", async () => {
    const schema = {
      type: "object",
      description: "What a customer orders.",
      additionalProperties: false,
      required: ["customer_id", "lines"],
      properties: {
        customer_id: { type: "string", format: "uuid", description: "Who pays." },
        lines: { type: "array", minItems: 1, items: { $ref: "#/$defs/line" } },
        currency: { enum: ["EUR", "USD"], default: "EUR", description: "ISO 4217." },
        note: { type: ["string", "null"], maxLength: 200 },
      },
      $defs: {
        line: {
          type: "object",
          description: "One article.",
          required: ["sku"],
          properties: {
            sku: { type: "string" },
            quantity: { type: "integer", minimum: 1, default: 1 },
          },
        },
      },
    };
    expect(await typesOf(schema)).toMatchInlineSnapshot(`
      "/** What a customer orders. */
      export interface Order {
        /** Who pays. */
        customer_id: string;
        lines: OrderLine[];
        /**
         * ISO 4217.
         *
         * Default: "EUR"
         */
        currency?: "EUR" | "USD";
        note?: string | null;
      }

      /** One article. */
      export interface OrderLine {
        sku: string;
        /** Default: 1 */
        quantity?: number;
      }
      "
    `);
    expect(await typesOf(schema, "filled")).toMatchInlineSnapshot(`
      "/** What a customer orders. */
      export interface Order {
        /** Who pays. */
        customer_id: string;
        lines: OrderLine[];
        /**
         * ISO 4217.
         *
         * Default: "EUR"
         */
        currency: "EUR" | "USD";
        note?: string | null;
      }

      /** One article. */
      export interface OrderLine {
        sku: string;
        /** Default: 1 */
        quantity: number;
      }
      "
    `);
  });

  test("prints recursion, allOf and a base by names", async () => {
    expect(
      await typesOf({
        $ref: "#/$defs/tree node",
        $defs: {
          base: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
          "tree node": {
            allOf: [{ $ref: "#/$defs/base" }],
            properties: { children: { type: "array", items: { $ref: "#/$defs/tree node" } } },
            unevaluatedProperties: false,
          },
        },
      }),
    ).toMatchInlineSnapshot(`
      "export type Order = OrderTreeNode;

      export interface OrderTreeNode {
        children?: OrderTreeNode[];
        id: string;
      }
      "
    `);
  });

  test("prints a name for anything as unknown, also in a union", async () => {
    const schema = { $ref: "#/$defs/any", $defs: { any: true } };
    expect(await typesOf(schema)).toMatchInlineSnapshot(`
      "export type Order = OrderAny;

      export type OrderAny = unknown;
      "
    `);
  });

  test("narrow a union by its discriminating property", async () => {
    expect(
      await typesOf({
        type: "object",
        required: ["payment"],
        properties: {
          payment: {
            oneOf: [
              {
                type: "object",
                title: "Card payment",
                required: ["kind", "card"],
                properties: { kind: { const: "card" }, card: { type: "string" } },
              },
              {
                type: "object",
                required: ["kind"],
                properties: { kind: { const: "cash" } },
                additionalProperties: false,
              },
            ],
          },
        },
      }),
    ).toMatchInlineSnapshot(`
      "export interface Order {
        payment:
          | OrderCardPayment
          | {
              kind: "cash";
            };
      }

      export interface OrderCardPayment {
        kind: "card";
        card: string;
      }
      "
    `);
  });

  test("contain tuples, maps and conditions in TypeScript's own forms", async () => {
    expect(
      await typesOf({
        type: "object",
        additionalProperties: false,
        properties: {
          point: {
            type: "array",
            prefixItems: [{ type: "number" }, { type: "number" }],
            items: false,
            minItems: 2,
          },
          path: {
            type: "array",
            prefixItems: [
              { type: "string" },
              {
                type: "object",
                properties: { at: { type: "number" } },
                additionalProperties: false,
              },
            ],
          },
          counts: { type: "object", additionalProperties: { type: "integer" } },
          anything: true,
          nothing: { type: "object", additionalProperties: false },
          delivery: {
            type: "object",
            required: ["how"],
            properties: { how: { enum: ["post", "pickup"] }, address: { type: "string" } },
            if: { properties: { how: { const: "post" } } },
            then: { required: ["address"] },
            else: { properties: { address: false } },
          },
        },
      }),
    ).toMatchInlineSnapshot(`
      "export interface Order {
        point?: [number, number];
        path?: [string?, OrderPathItem2?, ...unknown[]];
        counts?: {
          [k: string]: number;
        };
        anything?: unknown;
        nothing?: Record<string, never>;
        delivery?:
          | {
              how: "post";
              address: string;
            }
          | {
              how: "post" | "pickup";
              address?: never;
            };
      }

      export interface OrderPathItem2 {
        at?: number;
      }
      "
    `);
  });

  test("accept values that the keywords of a schema without a type ignore", async () => {
    expect(await typesOf({ properties: { a: { type: "string" } } })).toMatchInlineSnapshot(`
      "export type Order =
        | string
        | number
        | boolean
        | null
        | unknown[]
        | {
            a?: string;
          };
      "
    `);
    expect(await typesOf(true)).toMatchInlineSnapshot(`
      "export type Order = unknown;
      "
    `);
    expect(await typesOf(false)).toMatchInlineSnapshot(`
      "export type Order = never;
      "
    `);
  });
});

describe("undeclared names", () => {
  const declared = { type: "object", properties: { a: { type: "string" } } };

  test.each([
    ["nothing", {}],
    ["that there are none", { additionalProperties: false }],
    ["which there are none of", { patternProperties: { "^_": false } }],
    ["how names look", { propertyNames: { pattern: "^[a-z]+$" } }],
    ["how many there are", { maxProperties: 4 }],
    ["that there are no others than elsewhere", { unevaluatedProperties: false }],
  ])("cause no index signature if the schema defines %s", async (_, more) => {
    expect(await typesOf({ ...declared, ...more })).not.toContain("[k: string]");
  });

  test.each([
    ["that there may be any", { additionalProperties: true }],
    ["what they hold", { additionalProperties: { type: "number" } }],
    ["what some of them hold", { patternProperties: { "^x-": { type: "number" } } }],
    ["that any are left open elsewhere", { unevaluatedProperties: true }],
    ["what those hold that are left open elsewhere", { unevaluatedProperties: { type: "null" } }],
    ["in a part of it that there may be any", { allOf: [{ additionalProperties: true }] }],
  ])("cause an index signature if the schema defines %s", async (_, more) => {
    expect(await typesOf({ ...declared, ...more })).toContain("[k: string]: unknown");
  });

  test("cause an index signature if no other name is declared", async () => {
    expect(await typesOf({ type: "object" })).toContain("[k: string]: unknown");
    expect(await typesOf({ type: "object", additionalProperties: { type: "number" } })).toContain(
      "[k: string]: number",
    );
  });

  test("may appear in a value from elsewhere, but not in a literal", async () => {
    const values = [{ a: "x" }, { a: "x", b: 1 }];
    const [result] = tryAssign([{ declarations: await declarationsOf(declared), values }]);
    expect(result?.refusals).toEqual([undefined, undefined]);
    expect(result?.literalRefusals).toEqual([
      undefined,
      expect.stringContaining("known properties"),
    ]);
  });

  test("cause a type error if they are read", async () => {
    const faults = await faultsOf(
      { ...declared, required: ["list"], properties: { list: { items: declared, type: "array" } } },
      "export const f = (root: Root) => [root.list[0]?.a, root.list[0]?.aa, root.lists];",
    );
    expect(faults).toEqual([
      "Property 'aa' does not exist on type '{ a?: string; }'.",
      "Property 'lists' does not exist on type 'Root'. Did you mean 'list'?",
    ]);
  });
});

describe("unions of objects that ignore other names", () => {
  const card = {
    type: "object",
    required: ["kind", "number"],
    properties: { kind: { const: "card" }, number: { type: "string" } },
  };
  const transfer = {
    type: "object",
    required: ["kind", "iban"],
    properties: { kind: { const: "transfer" }, iban: { type: "string" } },
  };
  const noted = { type: "object", required: ["note"], properties: { note: { type: "string" } } };

  test("narrow by their discriminating property to the names of one branch", async () => {
    const faults = await faultsOf(
      { oneOf: [card, transfer] },
      `export const f = (root: Root): string => (root.kind === "card" ? root.number : root.iban);
      export const wrong = (root: Root): unknown => (root.kind === "card" ? root.iban : "");`,
    );
    expect(faults).toEqual([
      expect.stringMatching("^Property 'iban' does not exist on type '.*kind: \"card\".*'.$"),
    ]);
  });

  test("accept a value that fits several branches, or one branch and parts of another", async () => {
    const values = [
      { kind: "card", number: "1", note: "x" },
      { kind: "card", number: "1", iban: "DE1" },
      { kind: "transfer", number: 5, iban: "DE1" },
      { kind: "card", note: "no number", other: [1, { deep: null }] },
    ];
    const declarations = await declarationsOf({ anyOf: [card, transfer, noted] });
    const [result] = tryAssign([{ declarations, values }]);
    expect(result?.refusals).toEqual(values.map(() => undefined));
  });
});

describe("names", () => {
  test("consist of ASCII, differ, and start with the root's name", async () => {
    const text = await typesOf({
      type: "object",
      properties: Object.fromEntries(
        ["größe", "grosse", "日本", "中国", "1st", "class", "__proto__x", "a`${b}*/"].map(
          (name, index) => [
            `p${index}`,
            { $ref: `#/$defs/${encodeURIComponent(name.replaceAll("/", "~1"))}` },
          ],
        ),
      ),
      $defs: Object.fromEntries(
        ["größe", "grosse", "日本", "中国", "1st", "class", "__proto__x", "a`${b}*/"].map(
          (name) => [name, { type: "object", title: "Same title", properties: {} }],
        ),
      ),
    });
    const names = [...text.matchAll(/export (?:interface|type) (\S+)/g)].map(
      (match) => match[1] ?? "",
    );
    expect(names).toHaveLength(9);
    expect(new Set(names).size).toBe(9);
    for (const name of names) expect(name).toMatch(/^Order[A-Za-z0-9]*$/);
  });
});

const hostile = [
  "`${x}`",
  "*/ alert(1) /*",
  "\u2028\u2029",
  '\\"',
  "__proto__",
  "constructor",
  "\ud800",
  "\\u2028",
  "[k: string]",
  "T0Z",
  "K1Z",
  "D2Z",
  "'; drop",
  "a\nb",
  "\u0000",
  "",
  "// x",
  "<script>",
  "\u202e",
  "export",
  "0",
  "-1",
  "ü",
];

test("author text becomes the same property names and values, and appears in comments", async () => {
  const keys = Object.fromEntries(
    hostile.map((text) => [
      `x${text}`,
      { const: text, description: `${text} */ export const hacked = 1; /*\n@deprecated` },
    ]),
  );
  const schema = {
    type: "object",
    additionalProperties: false,
    required: Object.keys(keys),
    properties: keys,
    description: hostile.join("\n"),
    title: "*/ export const hacked = 1;",
  };
  const declarations = await declarationsOf(schema);
  const right = Object.fromEntries(hostile.map((text) => [`x${text}`, text]));
  const [result] = tryAssign([{ declarations, values: [right, { ...right, "x-1": "other" }] }]);
  expect(result?.faults).toEqual([]);
  expect(result?.refusals[0]).toBeUndefined();
  expect(result?.refusals[1]).toContain("not assignable");
  expect(result?.literalRefusals.map((each) => each === undefined)).toEqual([true, false]);
  expect(declarations.match(/^export /gm)).toHaveLength(1);
});

test("an optional property named like a member of every object may be omitted", async () => {
  const schema = {
    type: "object",
    properties: { toString: { type: "string" }, constructor: { type: "number" } },
  };
  const declarations = await declarationsOf(schema);
  expect(tryAssign([{ declarations, values: [{}, { toString: "x" }] }])).toEqual([
    {
      faults: [],
      literalRefusals: [undefined, undefined],
      refusals: [undefined, undefined],
    },
  ]);
});
