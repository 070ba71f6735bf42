import { check } from "prettier";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { code, ident, imported, importsOf, printCode } from "../../src/core/code.js";
import type { JsonValue } from "../../src/core/json.js";
import { problemsOf } from "../../src/runtime/validation/validation.js";
import { emitValidators } from "../../src/schema/emit-validators.js";
import { mustRead, read } from "./read.js";
import { validatorOf } from "./validators.js";

const order = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: {
    id: { type: "string", format: "uuid" },
    at: { type: "string", format: "date-time" },
    tags: { type: "array", items: { type: "string", minLength: 1 }, uniqueItems: true },
    kind: { enum: ["a", { b: 1 }] },
  },
};

function moduleOf(...schemas: readonly JsonValue[]): string {
  const requests = schemas.map((schema, index) => ({
    exportName: `validate${"ABC"[index]}`,
    schema: mustRead(schema),
    form: "input" as const,
    type: imported("./order.js", `Type${"ABC"[index]}`, true),
  }));
  return printCode(emitValidators(requests));
}

test("a module is complete: suppressed checks, its imports, one export per request", () => {
  const text = moduleOf(order, { type: "string" });
  expect(text.split("\n")[0]).toMatch(/^\/\/ @ts-nocheck: /);
  expect(text).toContain('import { type TypeA, type TypeB } from "./order.js";');
  expect(text).toContain(
    'import { type Validator, equal, equalItems, fail, format, formats, isObject, own, required, ucs2length, unknown, wrongType } from "@skillc/runtime/v1/validation";',
  );
  expect(text).toContain("export const validateA: Validator<TypeA> = ");
  expect(text).toContain("export const validateB: Validator<TypeB> = ");
  expect(text).not.toContain("require(");
  const requests = [
    {
      exportName: "v",
      schema: mustRead({ type: "string" }),
      form: "input" as const,
      type: code`${ident("T")}`,
    },
  ];
  expect(importsOf(emitValidators(requests))).toEqual([]);
});

test("properties with the same checks share the runtime's functions, and their lists appear once", () => {
  const texts = { type: "object", properties: { a: { type: "string" }, b: { enum: ["x", "y"] } } };
  expect(
    moduleOf({ ...texts, required: ["a", "b"] }, { ...texts, required: ["a", "b"] }),
  ).toContain(
    `// prettier-ignore
const obj0=["a","b"],obj1=["x","y"];
// prettier-ignore
export const validateA: Validator<TypeA> = (d,p="")=>{let e=null;if(isObject(d)){e=required(e,d,p,obj0,[d.a,d.b]);e=string(e,d,"a",d.a,p);if(d.b!==undefined&&own(d,"b")){if(!(obj1.includes(d.b))){e=fail(e,p+"/b","enum",{allowedValues:[...obj1]});}}}else{e=wrongType(e,p,"object");}validateA.errors=e;return e===null};
`,
  );
});

test("a module contains a schema only if it compares an object", () => {
  const types = { type: ["object", "null"], properties: { a: { type: ["array", "null"] } } };
  expect(moduleOf(types)).not.toContain("schema0");
  expect(moduleOf({ const: { a: 1 } })).toContain("const schema0=");
});

test("prettier has nothing to change, at any width and with any quotes", async () => {
  const text = moduleOf(order, { properties: { a: { $ref: "#" } } });
  expect(await check(text, { parser: "typescript" })).toBe(true);
  expect(
    await check(text, { parser: "typescript", printWidth: 40, singleQuote: true, tabWidth: 8 }),
  ).toBe(true);
});

test("every problem is reported, and no value is coerced, added or removed", () => {
  const validate = validatorOf(mustRead(order));
  const value = { at: "yesterday", tags: ["", "x", "x"], extra: 1 };
  expect(
    problemsOf(validate, value).map(({ pointer, keyword }) => `${pointer} ${keyword}`),
  ).toEqual([
    "/id required",
    "/extra additionalProperties",
    "/at format",
    "/tags/0 minLength",
    "/tags uniqueItems",
  ]);
  expect(value).toEqual({ at: "yesterday", tags: ["", "x", "x"], extra: 1 });
  expect(validate({ id: "123e4567-e89b-12d3-a456-426614174000", kind: { b: 1 } })).toBe(true);
});

test("decimal fractions are multiples of decimal fractions", () => {
  const validate = validatorOf(mustRead({ type: "number", multipleOf: 0.01 }));
  expect([19.99, 0.3, 1.15, 4.35].map((each) => validate(each))).toEqual([true, true, true, true]);
  expect(validate(0.015)).toBe(false);
});

test("numbers that JSON doesn't have are rejected", () => {
  const validate = validatorOf(mustRead({ type: "number" }));
  expect([Number.NaN, Infinity].map((each) => validate(each))).toEqual([false, false]);
});

test("only own properties count", () => {
  const validate = validatorOf(mustRead({ type: "object", required: ["toString", "__proto__"] }));
  expect(validate({})).toBe(false);
  expect(validate(JSON.parse('{"toString": 1, "__proto__": 2}'))).toBe(true);
});

test("`__proto__` is treated as any other property", () => {
  const schema = JSON.parse(
    '{"type": "object", "properties": {"__proto__": {"type": "string"}, "a": {"const": {"__proto__": 1}}}, "dependentRequired": {"__proto__": ["a"]}, "additionalProperties": false}',
  ) as JsonValue;
  const validate = validatorOf(mustRead(schema));
  const accepts = (text: string) => validate(JSON.parse(text));
  expect(accepts('{"a": {"__proto__": 1}}')).toBe(true);
  expect(accepts('{"a": {}}')).toBe(false);
  expect(accepts('{"__proto__": "x", "a": {"__proto__": 1}}')).toBe(true);
  expect(accepts('{"__proto__": "x"}')).toBe(false);
  expect(accepts('{"__proto__": 1, "a": {"__proto__": 1}}')).toBe(false);
});

test("`__proto__` is treated as any other pattern of names", () => {
  const schema = JSON.parse(
    '{"type": "object", "patternProperties": {"__proto__": {"type": "string"}}, "additionalProperties": false}',
  ) as JsonValue;
  const validate = validatorOf(mustRead(schema));
  const accepts = (text: string) => validate(JSON.parse(text));
  expect(accepts('{"a__proto__": "x", "__proto__": "x"}')).toBe(true);
  expect(accepts('{"a__proto__": 1}')).toBe(false);
  expect(accepts('{"__proto__": 1}')).toBe(false);
  expect(accepts('{"a": "x"}')).toBe(false);
});

test("`contains` is checked beside `prefixItems` at any place, for an empty array too", () => {
  const both = { prefixItems: [{ enum: [1] }], contains: { enum: [1] } };
  const validators = [both, { not: both }, { if: both, else: false }, { anyOf: [both] }].map(
    (schema) => validatorOf(mustRead(schema)),
  );
  const accepted = (value: JsonValue) => validators.map((validate) => validate(value));
  expect(accepted([])).toEqual([false, true, false, false]);
  expect(accepted([1])).toEqual([true, false, true, true]);
  expect(accepted([2])).toEqual([false, true, false, false]);
});

test.each([
  [3, 1, true],
  [0, 0.1, true],
  [0.3, 0.1, true],
  [0.1 + 0.2, 0.1, true],
  [19.99, 0.01, true],
  [-19.99, 0.01, true],
  [0.0075, 0.0001, true],
  [1_000_001, 1_000_000, false],
  [0.010000001, 0.01, false],
  [0.00751, 0.0001, false],
  [1e308, 1e-8, true],
  [1e308, 0.123456789, false],
  [Number.MAX_VALUE, 5e-324, true],
  [12_391_239_123, 1e-8, true],
  [Number.MAX_SAFE_INTEGER, 2, false],
  [1, 1 / 3, false],
  [5e-324, 1, false],
])("the module decides if %d is a multiple of %d: %s", (value, step, isMultiple) => {
  const validate = validatorOf(mustRead({ type: "number", multipleOf: step }));
  expect(validate(value)).toBe(isMultiple);
  // A default is judged alike.
  const { lines } = read({
    type: "object",
    properties: { v: { type: "number", multipleOf: step, default: value } },
  });
  expect(lines.length).toBe(isMultiple ? 0 : 1);
});

const hostile = [
  "`${x}`",
  "*/ alert(1) /*",
  "\u2028\u2029",
  '\\"',
  "\\",
  "__proto__",
  "\ud800",
  "\\u2028",
  "'; process.exit(1); '",
  "a\nb",
  "\u0000",
  "",
  "$&",
  "</script>",
  "\u202e",
];

test.each(hostile)("author text %j stays inert data: as enum, key, const and pattern", (text) => {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const schema = {
    type: "object",
    properties: {
      one: { enum: [text, "x"] },
      two: { const: { in: [text] } },
      three: { pattern: `^${escaped}$` },
    },
    patternProperties: { [`^p${escaped}$`]: { type: "number" } },
    required: [`r${text}`],
    dependentRequired: { [`d${text}`]: ["one"] },
  };
  const full = mustRead(schema);
  const validate = validatorOf(full);
  expect(
    validate({ [`r${text}`]: 1, one: text, two: { in: [text] }, three: text, [`p${text}`]: 1 }),
  ).toBe(true);
  expect(
    problemsOf(validate, {
      one: `${text}!`,
      two: { in: [`${text}!`] },
      three: `${text}!x`,
      [`p${text}`]: "",
      [`d${text}`]: 1,
    })
      .map((each) => each.keyword)
      .toSorted(),
  ).toEqual(["const", "enum", "pattern", "required", "type"]);
  const source = printCode(
    emitValidators([{ exportName: "v", schema: full, form: "input", type: ident("T") }]),
  );
  const parsed = ts.transpileModule(source, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023 },
  });
  expect(parsed.diagnostics).toEqual([]);
});
