/** What the schema room takes for granted of Ajv's inside, which its documentation doesn't promise: an Ajv in which it is otherwise fails here. */
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { expect, test } from "vitest";

function codeOf(schema: object): string {
  const ajv = new Ajv2020({
    code: { source: true, optimize: 1, esm: true },
    allErrors: true,
    messages: false,
    strict: false,
  });
  return standalone.default(ajv, ajv.compile(schema));
}

test("Ajv collects an error in the words that generated validators shorten", () => {
  const code = codeOf({ type: "object", required: ["a"], properties: { a: { type: "string" } } });
  expect(code).toMatch(
    /if\(vErrors === null\)\{vErrors = \[(err\d+)\];\}else \{vErrors\.push\(\1\);\}/,
  );
  expect(code).toMatch(/schemaPath:"#\/properties\/a\/type",/);
});

test("Ajv collects the errors of a referenced schema in the words that generated validators shorten", () => {
  const code = codeOf({
    type: "array",
    items: { $ref: "#/$defs/node" },
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
  });
  expect(code).toMatch(
    /vErrors = vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\);/,
  );
});

test("each Ajv has definitions of its own, which may be changed for it alone", () => {
  const [one, other] = [new Ajv2020(), new Ajv2020()];
  for (const keyword of ["if", "unevaluatedItems", "enum", "additionalProperties", "pattern"]) {
    const definition = one.getKeyword(keyword);
    expect(definition).toBeTypeOf("object");
    expect(definition).not.toBe(other.getKeyword(keyword));
    expect(definition).toHaveProperty("code", expect.any(Function));
  }
});
