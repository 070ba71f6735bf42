/** Validators are a shorter form of Ajv's code, so they must report the same errors as Ajv. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { SchemaModel } from "../../src/core/skill-model.js";
import { createAjv } from "../../src/schema/ajv-instance.js";
import { usesUnevaluated } from "../../src/schema/evaluated-keywords.js";
import { validatorSchema } from "../../src/schema/validator-schema.js";
import { runs } from "../support/runs.js";
import { preciseSchema } from "./arbitrary-precise-schema.js";
import { schemaOf, value } from "./arbitrary-schema.js";
import { choices, derive } from "./derive-values.js";
import { mustRead, read } from "./read.js";
import { validatorOf } from "./validators.js";

type Told = readonly (readonly [place: string, keyword: string, facts: unknown])[];

/** What Ajv itself says: it runs the code that it prints, with none of ours. */
function ajvOf({ schema }: SchemaModel): (value: unknown) => Told {
  const plain = validatorSchema(schema, "input", false);
  const keepsBook = usesUnevaluated(plain);
  const asked = keepsBook ? validatorSchema(schema, "input", true) : plain;
  const validate = createAjv(keepsBook).compile(asked === false ? { not: {} } : asked);
  return (each) => (validate(each) ? [] : told(validate.errors ?? []));
}

function told(
  errors: readonly {
    readonly instancePath: string;
    readonly keyword: string;
    readonly params?: object;
    readonly propertyName?: string;
  }[],
): Told {
  return errors.map(({ instancePath, keyword, params, propertyName }) => [
    instancePath,
    keyword,
    // What was allowed, and known, is told by each in its own way.
    ["enum", "additionalProperties"].includes(keyword) ? propertyName : [params, propertyName],
  ]);
}

/** A value near another: what is no JSON is among them, and what is only inherited. */
function near(from: unknown, pick: (count: number) => number): unknown {
  if (Array.isArray(from)) {
    const at = pick(from.length + 1);
    return [...from.slice(0, at), near(from[at], pick), ...from.slice(at + 1)];
  }
  if (typeof from !== "object" || from === null) {
    const others = [from, undefined, Number.NaN, "x", 1.5, null, {}, [], -0, Infinity];
    return others[pick(others.length)];
  }
  if (pick(5) === 0) return Object.create(from);
  const entries: [string, unknown][] = Object.entries(from);
  const at = pick(entries.length + 1);
  const [name, each] = entries[at] ?? ["other~/name", 1];
  entries.splice(
    at,
    1,
    ...(pick(4) === 0 ? [] : ([[name, near(each, pick)]] satisfies [string, unknown][])),
  );
  return Object.fromEntries(entries);
}

test.each([
  ["of any keywords", schemaOf("2020-12"), 30],
  ["of draft 7", schemaOf("draft-07"), 20],
  ["that types can tell", preciseSchema("2020-12"), 50],
])("validators of schemas %s find exactly the errors that Ajv finds", (_which, schemas, count) => {
  const seed = 20_12;
  let refused = 0;
  for (const [index, schema] of fc
    .sample(schemas, { numRuns: Math.max(4, runs(count)), seed })
    .entries()) {
    const { lines, model } = read(schema);
    if (model === undefined || lines.some((line) => line.startsWith("error"))) continue;
    const validate = validatorOf(model);
    const ajv = ajvOf(model);
    const pick = choices(seed + index);
    const fitting = Array.from({ length: 8 }, () => derive(model.schema, model.schema, pick));
    const values = [...fc.sample(value, { numRuns: 5, seed: seed + index }), ...fitting];
    for (const each of [...values, ...values.map((other) => near(near(other, pick), pick))]) {
      const found = validate(each) ? [] : told(validate.errors ?? []);
      expect({ schema, each, found }).toEqual({ schema, each, found: ajv(each) });
      if (found.length > 0) refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(10);
});

/** A property for each of the runtime's checks, required and not. */
const everyCheck = {
  type: "object",
  additionalProperties: false,
  required: ["string", "listed", "gone", "constructor"],
  properties: {
    string: { type: "string" },
    boolean: { type: "boolean" },
    integer: { type: "integer" },
    number: { type: "number" },
    stringOrNull: { type: ["string", "null"] },
    booleanOrNull: { type: ["boolean", "null"] },
    integerOrNull: { type: ["integer", "null"] },
    numberOrNull: { type: ["number", "null"] },
    format: { type: "string", format: "date" },
    formatOrNull: { type: ["string", "null"], format: "date" },
    listed: { type: "string", enum: ["a", "b"] },
    strings: { type: "array", items: { type: "string" } },
    nested: {
      type: "object",
      required: ["string"],
      additionalProperties: false,
      properties: { string: { type: "string" }, "a/b": { type: "integer" } },
    },
    constructor: { type: "string" },
    "a~b/c": { type: "string" },
    gone: true,
  },
};

test.each([
  "a",
  "c",
  "2020-02-02",
  1,
  1.5,
  Number.NaN,
  Infinity,
  null,
  undefined,
  true,
  {},
  { string: "a", "a/b": 1 },
  { string: 1, "a/b": "x", other: 2 },
  [],
  ["a"],
  ["a", 1, undefined],
])("every check of a property treats %j as Ajv does", (each) => {
  const model = mustRead(everyCheck);
  const [validate, ajv] = [validatorOf(model), ajvOf(model)];
  const full = Object.fromEntries(Object.keys(everyCheck.properties).map((name) => [name, each]));
  for (const object of [full, Object.create(full), { ...full, other: each }, each]) {
    const found = validate(object) ? [] : told(validate.errors ?? []);
    expect(found).toEqual(ajv(object));
    expect(found.length).toBeGreaterThan(0);
  }
});

test("an unknown name is reported with the known ones, of many as of few", () => {
  for (const count of [3, 16, 17, 120]) {
    const names = Array.from({ length: count }, (_, index) => `name${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, {}]));
    const validate = validatorOf(mustRead({ additionalProperties: false, properties }));
    expect(validate(Object.fromEntries(names.map((name) => [name, 1])))).toBe(true);
    expect(validate({ name1: 1, name: 1 })).toBe(false);
    expect(validate.errors).toEqual([
      {
        instancePath: "",
        keyword: "additionalProperties",
        params: { additionalProperty: "name", known: names.slice(0, 100) },
      },
    ]);
  }
});

test("an error may be changed without an effect on the next error", () => {
  const validate = validatorOf(
    mustRead({ additionalProperties: false, properties: { a: { enum: ["x"] } } }),
  );
  const lists = () => {
    validate({ a: 1, b: 1 });
    return (validate.errors ?? []).map(
      ({ params }) => params?.["allowedValues"] ?? params?.["known"],
    );
  };
  for (const list of lists()) if (Array.isArray(list)) list.push("changed");
  expect(lists()).toEqual([["a"], ["x"]]);
});

/** Adjacent properties that one call of the runtime checks, and others between them. */
const manyProperties = {
  type: "object",
  properties: {
    ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`text${at}`, { type: "string" }])),
    "a~b/c": { type: "string" },
    constructor: { type: "string" },
    between: { type: "string", minLength: 2 },
    few: { type: "string" },
  },
};

test.each(["a", 1, null, undefined, {}, []])(
  "a call for many properties treats %j as Ajv does",
  (each) => {
    const model = mustRead(manyProperties);
    const [validate, ajv] = [validatorOf(model), ajvOf(model)];
    const full = Object.fromEntries(
      Object.keys(manyProperties.properties).map((name) => [name, each]),
    );
    for (const value of [full, Object.create(full), { ...full, text3: "b", few: 2 }]) {
      const found = validate(value) ? [] : told(validate.errors ?? []);
      expect(found).toEqual(ajv(value));
    }
  },
);
