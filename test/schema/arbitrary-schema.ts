/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import * as fc from "fast-check";
import { type JsonObject, type JsonValue, setOwn } from "../../src/core/json.js";
import { metaschemas } from "../../src/schema/dialect.js";
import type { Dialect } from "../../src/schema/keywords.js";

const names = ["a", "b", "c", "kind", "x-y", "toString", "__proto__", "", "ü", "0"];
const scalars: readonly JsonValue[] = [
  "",
  "a",
  "b",
  "a\u2028`${x}*/",
  0,
  1,
  -1.5,
  2,
  true,
  false,
  null,
];

export const scalar: fc.Arbitrary<JsonValue> = fc.constantFrom(...scalars);
export const propertyName: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "c") },
  { weight: 1, arbitrary: fc.constantFrom(...names) },
);

export function object(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of entries) setOwn(result, name, value);
  return result;
}

/** Small JSON values with the names and scalars of the schemas. */
export const { value } = fc.letrec<{ value: JsonValue; list: JsonValue; map: JsonValue }>(
  (tie) => ({
    value: fc.oneof({ depthSize: "small" }, { weight: 3, arbitrary: scalar }, tie("list"), {
      weight: 2,
      arbitrary: tie("map"),
    }),
    list: fc.array(tie("value"), { maxLength: 4 }),
    map: fc.array(fc.tuple(propertyName, tie("value")), { maxLength: 4 }).map(object),
  }),
);

const types = ["string", "number", "integer", "boolean", "null", "array", "object"];

/** Keywords to add to a schema, or a whole schema. */
type Piece = JsonObject;

function pieces(
  dialect: Dialect,
  schema: fc.Arbitrary<JsonValue>,
  references: readonly string[],
): readonly fc.Arbitrary<Piece>[] {
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const tuple = dialect === "2020-12" ? "prefixItems" : "items";
  const after = dialect === "2020-12" ? "items" : "additionalItems";
  const named = (min: number) =>
    fc.array(fc.tuple(propertyName, schema), { minLength: min, maxLength: 4 }).map(object);
  const withDefault = fc
    .tuple(scalar, propertyName)
    .map(([value, name]): Piece => ({ properties: object([[name, { default: value }]]) }));
  const common: fc.Arbitrary<Piece>[] = [
    fc.constantFrom(...types).map((type) => ({ type })),
    fc.subarray(types, { minLength: 1, maxLength: 3 }).map((type) => ({ type })),
    fc.array(value, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
    value.map((each) => ({ const: each })),
    named(1).map((properties) => ({ type: "object", properties })),
    named(1).map((properties) => ({ properties })),
    fc
      .tuple(named(1), fc.uniqueArray(propertyName, { maxLength: 3 }))
      .map(([properties, required]) => ({ type: "object", properties, required })),
    fc
      .tuple(named(1), fc.oneof(fc.boolean(), schema))
      .map(([properties, additionalProperties]) => ({
        type: "object",
        properties,
        additionalProperties,
      })),
    fc.tuple(fc.constantFrom("^a", "b$", "^x-"), schema).map(([pattern, each]) => ({
      type: "object",
      patternProperties: { [pattern]: each },
      additionalProperties: false,
    })),
    fc.uniqueArray(propertyName, { minLength: 1, maxLength: 2 }).map((required) => ({ required })),
    schema.map((items) => ({ type: "array", items })),
    schema.map((items) => ({ items })),
    fc
      .tuple(list, fc.option(fc.oneof(fc.boolean(), schema), { nil: undefined }), fc.nat(3))
      .map(([prefix, rest, minItems]) => ({
        type: "array",
        [tuple]: prefix,
        ...(rest === undefined ? {} : { [after]: rest }),
        minItems,
      })),
    fc.tuple(list, fc.nat(3)).map(([prefix, maxItems]) => ({ [tuple]: prefix, maxItems })),
    list.map((allOf) => ({ allOf })),
    list.map((anyOf) => ({ anyOf })),
    list.map((oneOf) => ({ oneOf })),
    schema.map((not) => ({ not })),
    fc
      .tuple(schema, schema, schema)
      .map(([test, then, otherwise]) => ({ if: test, then, else: otherwise })),
    fc.tuple(schema, schema).map(([test, then]) => ({ if: test, then })),
    fc.constantFrom(...references).map(($ref) => ({ $ref })),
    fc.constantFrom(
      { minimum: 0 },
      { maxLength: 1 },
      { pattern: "^a" },
      { format: "uuid" },
      { uniqueItems: true },
      { maxProperties: 2 },
      { minItems: 1 },
    ),
    fc.constantFrom({ title: "Some title" }, { description: "Ends */ here\n@tag" }),
    withDefault,
  ];
  const later: fc.Arbitrary<Piece>[] = [
    fc.constant({ unevaluatedProperties: false }),
    fc.constant({ unevaluatedItems: false }),
    fc
      .tuple(propertyName, schema)
      .map(([name, each]) => ({ dependentSchemas: object([[name, each]]) })),
    fc
      .tuple(propertyName, propertyName)
      .map(([name, other]) => ({ dependentRequired: object([[name, [other]]]) })),
  ];
  return dialect === "draft-07" ? common : [...common, ...later];
}

/**
 * Schemas of one dialect with all its keywords. They refer to two definitions, which may refer to
 * each other.
 */
export function schemaOf(dialect: Dialect): fc.Arbitrary<JsonValue> {
  const definitions = dialect === "2020-12" ? "$defs" : "definitions";
  const references = ["#", `#/${definitions}/one`, `#/${definitions}/two`];
  const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.oneof(
        fc.boolean(),
        fc.constantFrom(...types).map((type): JsonValue => ({ type })),
      ),
      fc
        .array(fc.oneof(...pieces(dialect, tie("schema"), references)), {
          minLength: 1,
          maxLength: 3,
        })
        .map((each): JsonValue => Object.assign({}, ...each)),
    ),
  }));
  return fc.tuple(schema, schema, schema).map(([root, one, two]) => ({
    ...(typeof root === "object" && root !== null && !Array.isArray(root)
      ? root
      : { allOf: [root] }),
    $schema: metaschemas[dialect],
    [definitions]: { one, two },
  }));
}
