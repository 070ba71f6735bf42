import * as fc from "fast-check";
import { expect, test } from "vitest";
import { printCode } from "../../src/core/code.js";
import { getOwn, isJsonObject, type JsonValue } from "../../src/core/json.js";
import { withDefaults } from "../../src/runtime/call/defaults.js";
import { defaultsOf } from "../../src/schema/defaults.js";
import { emitTypes } from "../../src/schema/emit-types.js";
import type { SchemaForm } from "../../src/schema/form.js";
import type { Dialect } from "../../src/schema/keywords.js";
import { object, propertyName, scalar, schemaOf, value } from "./arbitrary-schema.js";
import { preciseSchema } from "./arbitrary-precise-schema.js";
import { tryAssign } from "./assignability.js";
import { choices, derive } from "./derive-values.js";
import { read } from "./read.js";
import { validatorOf } from "./validators.js";
import { runs } from "../support/runs.js";

const seed = Number(process.env["SKILLC_SEED"] ?? 20_12);
const dialects: readonly Dialect[] = ["draft-07", "2019-09", "2020-12"];
const valuesEach = 14;
/** Milliseconds; more runs take longer. */
const timeout = runs(300_000);

interface Case {
  readonly schema: JsonValue;
  readonly declarations: string;
  readonly values: readonly JsonValue[];
  readonly accepted: readonly boolean[];
}

/**
 * Schemas that are readable, each with values of which some are random and most are made after it.
 */
async function casesOf(
  schemas: readonly JsonValue[],
  form: SchemaForm,
  from: number,
): Promise<readonly Case[]> {
  const cases: Case[] = [];
  for (const [index, schema] of schemas.entries()) {
    const { model, lines } = read(schema);
    if (model === undefined || lines.some((line) => line.startsWith("error"))) continue;
    const { declarations } = await emitTypes({ schema: model, name: "Root", form });
    const pick = choices(from + index);
    const random = fc.sample(value, { numRuns: 4, seed: from + index });
    const values = [
      ...random,
      ...Array.from({ length: valuesEach - 4 }, () => derive(model.schema, model.schema, pick)),
    ];
    const validate = validatorOf(model, form === "filled" ? "input" : form);
    const accepted = values.map((each) => validate(each));
    const defaults = form === "filled" ? defaultsOf(model) : undefined;
    // What the runtime fills in is JSON again.
    const seen =
      defaults === undefined
        ? values
        : values.map((each) => withDefaults(each, defaults) as JsonValue);
    cases.push({ schema, declarations: printCode(declarations), values: seen, accepted });
  }
  return cases;
}

/** The same schemas, with a default for one more property of the root. */
function withDefault(schemas: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.tuple(schemas, propertyName, fc.oneof(scalar, value)).map(([schema, name, given]) => {
    const root = isJsonObject(schema) ? schema : {};
    const properties = isJsonObject(root["properties"]) ? root["properties"] : {};
    const before = getOwn(properties, name);
    const added = object([
      ...Object.entries(properties),
      [name, { ...(isJsonObject(before) ? before : {}), default: given }],
    ]);
    return { ...root, properties: added };
  });
}

interface Failure {
  readonly schema: JsonValue;
  readonly value: JsonValue;
  readonly declarations: string;
  readonly reason: string | undefined;
}

/** The reason why one value's fate is a failure. */
type Judgement = (value: {
  readonly accepted: boolean;
  /** Why TypeScript refuses it as a literal, and from elsewhere. */
  readonly literalRefusal: string | undefined;
  readonly refusal: string | undefined;
}) => string | undefined;

/**
 * What a validator accepts is assignable. TypeScript's word against undeclared properties of
 * literals is about mistakes.
 */
const isSound: Judgement = ({ accepted, refusal }) => (accepted ? refusal : undefined);

/**
 * And what it refuses is not, as a literal: from elsewhere TypeScript allows undeclared properties
 * where a schema forbids them.
 */
const isExact: Judgement = ({ accepted, refusal, literalRefusal }) =>
  accepted ? refusal : literalRefusal === undefined ? "TypeScript allows it" : undefined;

function failuresOf(cases: readonly Case[], judge: Judgement): readonly Failure[] {
  const results = tryAssign(cases);
  const failures = cases.flatMap(({ schema, declarations, values, accepted }, index) => {
    const result = results[index];
    const faulty = (result?.faults ?? []).map((reason): Failure => ({
      schema,
      value: null,
      declarations,
      reason,
    }));
    const wrong = values.flatMap((each, at): readonly Failure[] => {
      const reason = judge({
        accepted: accepted[at] ?? false,
        literalRefusal: result?.literalRefusals[at],
        refusal: result?.refusals[at],
      });
      return reason === undefined ? [] : [{ schema, value: each, declarations, reason }];
    });
    return [...faulty, ...wrong];
  });
  return failures.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
}

/** The smallest counterexample, in full. */
function shown(failures: readonly Failure[]): string {
  const [first] = failures;
  if (first === undefined) return "";
  return [
    `${failures.length} failures`,
    JSON.stringify(first.schema),
    JSON.stringify(first.value),
    first.declarations,
    first.reason,
  ].join("\n");
}

for (const dialect of dialects) {
  for (const form of ["input", "filled", "stated"] as const) {
    test(
      `every value that the validator accepts is assignable: ${dialect}, ${form}`,
      async () => {
        const schemas = fc.sample(
          form === "filled" ? withDefault(schemaOf(dialect)) : schemaOf(dialect),
          { numRuns: runs(60), seed },
        );
        const cases = await casesOf(schemas, form, seed);
        const accepted = cases.flatMap((each) => each.accepted);
        expect(accepted.filter(Boolean).length).toBeGreaterThan(accepted.length / 10);
        expect(shown(failuresOf(cases, isSound))).toBe("");
      },
      timeout,
    );
  }
  test(
    `no value that the validator refuses is assignable, where types can say why: ${dialect}`,
    async () => {
      const schemas = fc.sample(preciseSchema(dialect), { numRuns: runs(60), seed });
      const cases = await casesOf(schemas, "stated", seed);
      const accepted = cases.flatMap((each) => each.accepted);
      expect(accepted.filter(Boolean).length).toBeGreaterThan(accepted.length / 10);
      expect(accepted.filter((each) => !each).length).toBeGreaterThan(accepted.length / 10);
      expect(shown(failuresOf(cases, isExact))).toBe("");
    },
    timeout,
  );
}
