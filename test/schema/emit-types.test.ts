/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import { printCode } from "../../src/core/code.js";
import type { JsonValue } from "../../src/core/json.js";
import { emitTypes } from "../../src/schema/emit-types.js";
import type { SchemaForm } from "../../src/schema/form.js";
import { tryAssign } from "./assignability.js";
import { mustRead } from "./read.js";

async function typesOf(schema: JsonValue, form: SchemaForm = "input"): Promise<string> {
  const { declarations } = await emitTypes({ schema: mustRead(schema), name: "Order", form });
  return format(printCode(declarations), { parser: "typescript", printWidth: 100 });
}

describe("types read well", () => {
  test("a tool's parameters", async () => {
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
        [k: string]: unknown;
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
        [k: string]: unknown;
      }
      "
    `);
  });

  test("recursion, allOf and a base", async () => {
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

  test("unions, told apart by a property", async () => {
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
        [k: string]: unknown;
      }

      export interface OrderCardPayment {
        kind: "card";
        card: string;
        [k: string]: unknown;
      }
      "
    `);
  });

  test("tuples, maps and conditions", async () => {
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
              [k: string]: unknown;
            }
          | {
              how: "post" | "pickup";
              address?: never;
              [k: string]: unknown;
            };
      }

      export interface OrderPathItem2 {
        at?: number;
      }
      "
    `);
  });

  test("a schema that gives no type accepts what its keywords don't speak of", async () => {
    expect(await typesOf({ properties: { a: { type: "string" } } })).toMatchInlineSnapshot(`
      "export type Order =
        | string
        | number
        | boolean
        | null
        | unknown[]
        | {
            a?: string;
            [k: string]: unknown;
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

describe("names", () => {
  test("are ASCII, unique, and start with the root's", async () => {
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

test("author text comes back as the same property names and values, and in comments", async () => {
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
  const declarations = printCode(
    (await emitTypes({ schema: mustRead(schema), name: "Root", form: "input" })).declarations,
  );
  const right = Object.fromEntries(hostile.map((text) => [`x${text}`, text]));
  const [result] = tryAssign([{ declarations, values: [right, { ...right, "x-1": "other" }] }]);
  expect(result?.faults).toEqual([]);
  expect(result?.refusals[0]).toBeUndefined();
  expect(result?.refusals[1]).toContain("not assignable");
  expect(declarations.match(/^export /gm)).toHaveLength(1);
});

test("an optional property named like a member of every object may be left out", async () => {
  const schema = {
    type: "object",
    properties: { toString: { type: "string" }, constructor: { type: "number" } },
  };
  const declarations = printCode(
    (await emitTypes({ schema: mustRead(schema), name: "Root", form: "input" })).declarations,
  );
  expect(tryAssign([{ declarations, values: [{}, { toString: "x" }] }])).toEqual([
    { faults: [], refusals: [undefined, undefined] },
  ]);
});
