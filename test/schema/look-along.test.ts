import { describe, expect, test } from "vitest";
import { lookAlong } from "../../src/schema/look-along.js";
import type { JsonSchema } from "../../src/core/json.js";

const schema: JsonSchema = {
  type: "object",
  properties: {
    customer: {
      type: "object",
      additionalProperties: false,
      properties: { email: { type: ["string", "null"] } },
    },
    lines: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } },
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "boolean" }], items: false },
    labels: { type: "object", additionalProperties: { type: "string" } },
    anything: true,
    either: { anyOf: [{ type: "string" }, { $ref: "#/$defs/node" }] },
  },
  $defs: {
    node: {
      type: "object",
      properties: { next: { $ref: "#/$defs/node" }, name: { type: "string" } },
    },
  },
};

function facts(pointer: string) {
  const span = { file: "", start: 0, end: 0 };
  const path = pointer.split("/").slice(1);
  return lookAlong({ kind: "schema", schema, span, places: {} }, path, "stated");
}

describe("the facts of a schema along a path", () => {
  test.each([
    ["", ["object"]],
    ["/customer/email", ["string", "null"]],
    ["/lines/*/price", ["number"]],
    ["/pair/*", ["string", "boolean"]],
    ["/labels/any", ["string"]],
    ["/labels/*", ["string"]],
    ["/either/next/next/name", ["string"]],
  ])("%s is declared, with its types", (pointer, types) => {
    expect(facts(pointer)).toMatchObject({ presence: "declared", types });
    expect(facts(pointer).missing).toBeUndefined();
  });

  test("a path below a value of any type counts as declared", () => {
    expect(facts("/anything/deep").presence).toBe("declared");
  });

  test.each([
    ["/custmer/email", "open", 0, ["customer", "lines", "pair", "labels", "anything", "either"]],
    ["/customer/mail", "never", 1, ["email"]],
    ["/customer/email/x", "never", 2, []],
    ["/lines/0", "never", 1, ["*"]],
    ["/lines/*/tax", "open", 2, ["price"]],
  ])("report that %s does not exist: %s", (pointer, presence, after, names) => {
    expect(facts(pointer)).toMatchObject({ presence, missing: { after, names } });
  });

  test("the last step into a list leads to an item", () => {
    expect(facts("/lines/*").isItem).toBe(true);
    expect(facts("/lines/*/price").isItem).toBe(false);
  });
});
