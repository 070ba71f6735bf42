/**
 * If the compiler decides that a parameter fits its field by its type, `tsc` accepts the generated
 * module, whatever the two schemas are.
 */
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { printCode } from "../../../../src/core/code.js";
import { programFaults } from "../../../support/program-faults.js";
import type { JsonObject, JsonValue } from "../../../../src/core/json.js";
import { emitTypes } from "../../../../src/schema/emit-types.js";
import { isAssignable } from "../../../../src/schema/assignable.js";
import type { SchemaForm } from "../../../../src/schema/form.js";
import { compare } from "../../../../src/schema/compare/compare.js";
import { shapesOf } from "../../../../src/schema/shape-of-schema.js";
import { object, propertyName, scalar } from "../../../schema/arbitrary-schema.js";
import { typeCheck } from "../../../support/compile.js";
import { runs } from "../../../support/runs.js";

const folder = fileURLToPath(new URL(".", import.meta.url));

function keywords(
  type: string,
  ...optional: readonly (readonly [string, fc.Arbitrary<JsonValue>])[]
): fc.Arbitrary<JsonValue> {
  return fc
    .record(Object.fromEntries(optional), { requiredKeys: [] })
    .map((rest) => ({ type, ...rest }));
}

const { schema, map } = fc.letrec<{
  schema: JsonValue;
  inner: JsonValue;
  properties: JsonValue;
  map: JsonValue;
}>((tie) => ({
  properties: fc
    .uniqueArray(fc.tuple(propertyName, tie("inner")), {
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map(object),
  inner: fc.oneof(
    { weight: 6, arbitrary: tie("schema") },
    { weight: 1, arbitrary: fc.constant<JsonValue>({ $ref: "#" }) },
  ),
  map: tie("inner").map((additionalProperties) => ({ type: "object", additionalProperties })),
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue>({ type: "boolean" }, { type: "null" }),
    fc.constantFrom<JsonValue>({ type: "string" }, { type: "integer" }, { type: "number" }),
    fc.constantFrom<JsonValue>({ type: ["string", "null"] }, { type: ["integer", "string"] }),
    scalar.map((value) => ({ const: value })),
    fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
    keywords(
      "array",
      ["items", fc.oneof(fc.constant<JsonValue>(false), tie("inner"))],
      ["prefixItems", fc.array(tie("inner"), { minLength: 1, maxLength: 2 })],
      ["minItems", fc.nat(2)],
    ),
    keywords(
      "object",
      ["properties", tie("properties")],
      ["required", fc.uniqueArray(propertyName, { maxLength: 2 })],
      ["additionalProperties", fc.oneof(fc.constant<JsonValue>(false), tie("inner"))],
    ),
    tie("map"),
    ...["anyOf", "allOf"].map((keyword) =>
      fc
        .array(tie("schema"), { minLength: 1, maxLength: 2 })
        .map((schemas) => ({ [keyword]: schemas })),
    ),
  ),
}));

/** The generator makes nothing else. */
const root = schema as fc.Arbitrary<JsonObject>;
const lists = root.map((items): JsonObject => ({ type: "array", items }));
const wanted = fc.oneof(root, map as fc.Arbitrary<JsonObject>, lists);

const prelude = 'import type { Given, Written } from "../../../../src/bindings/queue/contract.js";';
const use = [
  "declare const p: Given<{ v: Parameter }>;",
  "export const message: Written<{ v: Field }> = { v: p.v };",
];

interface Pair {
  readonly given: JsonObject;
  readonly wanted: JsonObject;
}

/** Neither is certain to be refused. */
function mayFit({ given, wanted: other }: Pair): boolean {
  const found = compare({ schema: given, root: given }, { schema: other, root: other });
  return found.every(({ fits }) => fits === "unsure");
}

function fitsByType({ given, wanted: other }: Pair): boolean {
  const [one, two] = [shapesOf(given, "filled"), shapesOf(other, "stated")];
  return isAssignable({ shape: one.root, shapes: one }, { shape: two.root, shapes: two });
}

async function moduleOf({ given, wanted: other }: Pair): Promise<string> {
  const declare = async (name: string, schema: JsonObject, form: SchemaForm) => {
    const span = { file: "", start: 0, end: 0 };
    const model = { kind: "schema", schema, span, places: {} } as const;
    return printCode((await emitTypes({ schema: model, name, form })).declarations);
  };
  const types = [
    await declare("Parameter", given, "filled"),
    await declare("Field", other, "stated"),
  ];
  return [prelude, ...use, ...types].join("\n");
}

/** The first fault of each module; undefined where there is none. */
function faultsOf(modules: readonly string[]): readonly (string | undefined)[] {
  const texts = modules.map((text, index) => [`${folder}t${index}.ts`, text] as const);
  const faults = programFaults(new Map(texts), typeCheck.compilerOptions);
  return texts.map(([path]) => faults.get(path)?.[0]?.says);
}

test("a parameter that fits its field by its type type-checks in the generated module", async () => {
  const pairs = fc
    .sample(fc.record({ given: root, wanted }), { numRuns: runs(4000), seed: 7 })
    .filter(mayFit);
  const faults = faultsOf(await Promise.all(pairs.map(moduleOf)));
  const found = pairs.map((pair, index) => ({
    pair,
    fault: faults[index],
    isSure: fitsByType(pair),
  }));
  const sure = found.filter(({ isSure }) => isSure);
  expect(sure.filter(({ fault }) => fault !== undefined)).toEqual([]);
  // Neither is everything sure nor nothing.
  expect(sure.length).toBeGreaterThan(runs(200));
  const others = found.filter(({ isSure }) => !isSure);
  expect(others.filter(({ fault }) => fault !== undefined).length).toBeGreaterThan(0);
  expect(others.filter(({ fault }) => fault === undefined).length).toBeLessThan(5);
});
