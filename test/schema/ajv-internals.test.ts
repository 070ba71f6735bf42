/**
 * What ajv-internals.ts takes for granted of Ajv's inside, which its documentation doesn't promise:
 * an Ajv in which it is otherwise fails here.
 */
import { _, Name, type KeywordCxt } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { expect, test } from "vitest";
import {
  compiledParts,
  keepEvaluated,
  printedPattern,
  replaceHelper,
} from "../../src/schema/ajv-internals.js";
import { shorten } from "../../src/schema/shorten-code.js";

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

test("the shortened code knows all of Ajv's bookkeeping that no error contains", () => {
  const ajv = new Ajv2020({
    code: { source: true, esm: true },
    allErrors: true,
    messages: false,
    ownProperties: true,
    strict: false,
    strictNumbers: true,
  });
  keepEvaluated(ajv, false);
  ajv.addSchema(
    {
      type: "object",
      required: ["a"],
      propertyNames: { maxLength: 3, type: "string" },
      properties: {
        a: { type: ["integer", "null"], minimum: 1 },
        b: { $ref: "#/$defs/node" },
        c: { not: { required: ["d"] }, if: { type: "number" }, else: { type: "integer" } },
        e: { oneOf: [{ type: "string" }, { anyOf: [{ const: 1 }, false] }] },
      },
      $defs: { node: { type: "array", items: { $ref: "#/$defs/node" } } },
    },
    "one",
  );
  ajv.addSchema({ not: {} }, "two");
  ajv.addSchema({ $ref: "three#/$defs/no", $defs: { no: false } }, "three");
  const parts = compiledParts(ajv, ["one", "two", "three"]);
  const schemas = new Map(parts.values.map(({ name, value }) => [name, value]));
  const texts = [...parts.functions.values()].map(
    ({ code }) => shorten(code, { renamed: parts.later, schemas }).text,
  );
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) {
    expect(() => new Function(text)).not.toThrow();
    expect(text).not.toMatch(
      /instancePath|parentData|rootData|schemaPath|vErrors|errors\+\+|\berr\d|typeof \w+ ?==? ?"(?:number|object)"|\bdata\d*\b|keyword:|params:/,
    );
  }
});

test("a module's functions are those of its schemas and of all that they refer to, each once", () => {
  const ajv = new Ajv2020({ code: { source: true, esm: true }, strict: false });
  const node = { type: "object", properties: { next: { $ref: "#" }, other: { $ref: "b" } } };
  ajv.addSchema({ ...node }, "a");
  ajv.addSchema({ ...node, properties: { back: { $ref: "a" } } }, "b");
  const { functions, names, later } = compiledParts(ajv, ["a", "b"]);
  expect([...functions.keys()].toSorted()).toEqual(names.toSorted());
  for (const of of later.values()) expect(functions.has(of)).toBe(true);
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

test("Ajv declares schemas and prints patterns in the words that generated validators read", () => {
  const code = codeOf({ type: "string", pattern: '^"\\d+$' });
  expect(code).toMatch(/\bconst schema\d+ = \{/);
  const printed = /new RegExp\(.*?, "u"\)/.exec(code)?.[0] ?? "";
  expect(printedPattern(printed)).toBe('^"\\d+$');
});

test.each([
  ["equal", { enum: [{ a: 1 }] }],
  ["ucs2length", { maxLength: 3 }],
] as const)("Ajv calls the helper that stands in for its own: %s", (name, schema) => {
  const ajv = new Ajv2020({ code: { source: true }, strict: false });
  replaceHelper(ajv, name, () => true, _`${new Name(name)}`);
  const code = standalone.default(ajv, ajv.compile(schema));
  expect(code).toMatch(new RegExp(`const func\\d+ = ${name};`));
  expect(code).not.toContain("require(");
});

test("Ajv tracks the names and items that a custom keyword marks as evaluated", () => {
  const ajv = new Ajv2020({ code: { source: true }, strict: false });
  keepEvaluated(ajv, true);
  const evaluated: unknown[] = [];
  ajv.addKeyword({
    keyword: "x-look",
    before: "$ref",
    code: ({ it }: KeywordCxt) => void evaluated.push(it.props, it.items),
  });
  const schema = { "x-evaluated": true, "x-look": true, unevaluatedProperties: false };
  const validate = ajv.compile(schema);
  expect(evaluated).toEqual([expect.any(Name), expect.any(Name)]);
  expect(validate({ a: 1 })).toBe(false);
  expect(validate({})).toBe(true);
});

test.each([true, false])("Ajv tracks evaluated properties if they are needed: %s", (isNeeded) => {
  const ajv = new Ajv2020({ code: { source: true }, strict: false });
  keepEvaluated(ajv, isNeeded);
  const code = standalone.default(ajv, ajv.compile({ properties: { a: true }, allOf: [{}] }));
  expect(/\.evaluated = \{/.test(code)).toBe(isNeeded);
});
