/** Hostile text in every parameter of every tool of skills/warehouse stays a value. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalog, tools } from "../../generated/index.js";
import { dispatchTool, isToolError } from "../../src/runtime/index.js";
import { type Desk, onEachEngine } from "./warehouse-database.js";
import { runs } from "../support/runs.js";
import { unicodeText } from "../support/unicode-text.js";

const hostile = [
  "'; DROP TABLE stock; --",
  "' OR '1'='1",
  "1; DELETE FROM orders",
  "'); DELETE FROM movements; COMMIT; --",
  "\\'; TRUNCATE products CASCADE; --",
  "$1; $2",
  "${WAREHOUSE_URL}",
  "{sku}",
  ":sku",
  "$tag$ x $tag$",
  "/* */ -- \n SELECT pg_sleep(10)",
  "%",
  '{"a": 1}',
  '{NULL,"\'"}',
  "\u0000",
  "\ud800",
  "x".repeat(5000),
  "' UNION SELECT current_user --",
];

const text = fc.oneof(
  fc.constantFrom(...hostile),
  unicodeText({ maxLength: 20 }),
  fc.tuple(fc.constantFrom(...hostile), fc.string()).map(([a, b]) => a + b),
);
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.array(text, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.constant(null), fc.constant(2 ** 53)) },
);

const warehouse = catalog.skills.find(({ name }) => name === "warehouse")?.tools ?? [];
const withParameters = warehouse.filter(
  ({ input_schema }) => parametersOf(input_schema).length > 0,
);

/** Parameter names of a tool, and values that its schema takes. */
const fine: Readonly<Record<string, unknown>> = {
  sku: "MUG-BLUE",
  location: "A-01",
  quantity: 5,
  reason: "count",
  attribute: "colour",
  value: "blue",
  category_id: 2,
  below: 3,
  since: "2026-01-01T00:00:00Z",
  from: "2026-01-01T00:00:00Z",
  to: "2026-12-31T00:00:00Z",
  order_id: "999",
};

function parametersOf(schema: unknown): readonly string[] {
  const { properties = {} } = schema as { readonly properties?: object };
  return Object.keys(properties);
}

/** What the call came to: an answer's status, or the code of its `ToolError`. Anything else that is thrown fails the test. */
async function callWith(desk: Desk, tool: string, params: object): Promise<string> {
  try {
    const result = await dispatchTool(tools, tool, params, desk.as);
    return String((result as { readonly status: string }).status);
  } catch (error) {
    if (!isToolError(error)) throw error;
    return error.failure.code;
  }
}

/** Writes that hostile text may bring about, when it is a good value after all: a note is any text. */
const mayWrite = new Set(["note"]);
const orderly = [
  "success",
  "not_found",
  "invalid_reference",
  "check_failed",
  "SCHEMA.VALIDATION_FAILED",
];

await onEachEngine((desk) => {
  describe.each(withParameters)("$name", (tool) => {
    const names = parametersOf(tool.input_schema);

    test("changes nothing that it should not", async () => {
      const before = await desk().everything();
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...names), value, async (name, hostileValue) => {
          const known = names.flatMap((each) => (each in fine ? [[each, fine[each]]] : []));
          const params = { ...Object.fromEntries(known), [name]: hostileValue };
          const status = await callWith(desk(), tool.model_name, params);
          expect(orderly).toContain(status);
          // Numbers and notes may be good values, and be written.
          const isWritten = status === "success" && tool.side_effect === "write";
          const isMeant = typeof hostileValue !== "string" || mayWrite.has(name);
          expect({ params, isUnmeant: isWritten && !isMeant }).toEqual({
            params,
            isUnmeant: false,
          });
          if (tool.side_effect === "read") return;
          const { rows } = desk();
          await rows("DELETE FROM movements WHERE id > 6");
          await rows(
            "UPDATE stock SET quantity = 120, counted_at = '2026-07-01T08:00:00Z' WHERE sku = 'MUG-BLUE' AND location = 'A-01'",
          );
        }),
        { numRuns: runs(40) },
      );
      expect(await desk().everything()).toEqual(before);
    });
  });

  test("hostile text is stored unchanged", async () => {
    const notes = hostile.filter((each) => each.length < 500 && !/[\0\ud800]/.test(each));
    for (const note of notes) {
      const params = { sku: "MUG-BLUE", location: "A-01", quantity: 1, reason: "count", note };
      expect(await callWith(desk(), "warehouse__move-stock", params)).toBe("success");
    }
    const kept = await desk().rows("SELECT note FROM movements WHERE id > 6 ORDER BY id");
    expect(kept.map(({ note }) => note)).toEqual(notes);
  });
});
