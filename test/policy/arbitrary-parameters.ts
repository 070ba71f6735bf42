import * as fc from "fast-check";
import type { JsonValue } from "../../src/core/json.js";
import { object } from "../schema/arbitrary-schema.js";

/** A schema of a parameter, and valid values for it. */
interface Kind {
  readonly schema: JsonValue;
  readonly values: fc.Arbitrary<JsonValue>;
}

const names = ["amount", "note", "type", "id", "__proto__", "__entity", "a b", ""];

const scalars: readonly Kind[] = [
  {
    schema: { type: "string" },
    values: fc.oneof(fc.string(), fc.constantFrom("", "\ud800", "\u{1f600}", "\u0000")),
  },
  {
    schema: { type: "integer" },
    values: fc.oneof(fc.integer(), fc.constantFrom(2 ** 53, -(2 ** 63), 1e300, -0)),
  },
  {
    schema: { type: "number" },
    values: fc.double({ noNaN: true, noDefaultInfinity: true }),
  },
  { schema: { type: "boolean" }, values: fc.boolean() },
  { schema: { enum: ["a", "b", null] }, values: fc.constantFrom("a", "b", null) },
  { schema: { enum: [1, 2.5] }, values: fc.constantFrom(1, 2.5) },
  { schema: { type: ["string", "null"] }, values: fc.constantFrom("x", null) },
  { schema: { type: ["integer", "string"] }, values: fc.constantFrom("x", 1) },
];

function kinds(depth: number): fc.Arbitrary<Kind> {
  const scalar = fc.constantFrom(...scalars);
  if (depth === 0) return scalar;
  const inner = kinds(depth - 1);
  const nullable = inner.map(({ schema, values }): Kind => ({
    schema: { anyOf: [schema, { type: "null" }] },
    values: fc.oneof(values, fc.constant(null)),
  }));
  const list = inner.map(({ schema, values }): Kind => ({
    schema: { type: "array", items: schema },
    values: fc.array(values, { maxLength: 3 }),
  }));
  const either = fc.tuple(inner, inner).map(([one, other]): Kind => ({
    schema: { anyOf: [one.schema, other.schema] },
    values: fc.oneof(one.values, other.values),
  }));
  return fc.oneof({ weight: 3, arbitrary: scalar }, nullable, list, either, objects(depth - 1));
}

function objects(depth: number): fc.Arbitrary<Kind> {
  const property = fc.tuple(fc.constantFrom(...names), kinds(depth), fc.boolean());
  return fc
    .tuple(fc.uniqueArray(property, { maxLength: 4, selector: ([name]) => name }), fc.boolean())
    .map(([properties, isClosed]): Kind => ({
      schema: {
        type: "object",
        properties: object(properties.map(([name, { schema }]) => [name, schema])),
        required: properties.flatMap(([name, , isRequired]) => (isRequired ? [name] : [])),
        ...(isClosed && { additionalProperties: false }),
      },
      values: fc
        .tuple(
          ...properties.map(([name, { values }, isRequired]) =>
            (isRequired ? values : fc.option(values, { nil: undefined })).map(
              (value) => [name, value] as const,
            ),
          ),
        )
        .map((entries) =>
          object(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
        ),
    }));
}

/** Parameters of a tool, with valid arguments. */
export const parametersAndArguments = objects(3).chain(({ schema, values }) =>
  values.map((args) => ({ schema, args })),
);
