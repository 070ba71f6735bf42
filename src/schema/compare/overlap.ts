/** Finds two alternatives of `oneOf` that certainly have a common value. */
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import { schemasUnder } from "../schema-tree.js";
import { compare } from "./compare.js";
import { branchesOf, statedType } from "./normal-form.js";
import { inSteps, type SchemaIn, sourceOf } from "./source.js";
import { acceptor } from "./values.js";

/** Maximum number of alternatives to compare with each other. */
const maxAlternatives = 20;

/** Small values that a schema with few keywords accepts. */
const small: readonly JsonValue[] = [{}, [], "", 0, true, null];

/**
 * Returns the indices of two alternatives of a schema's `oneOf` that certainly accept a common
 * value. The keywords beside `oneOf` must accept this value too. Undefined if there are none.
 */
export function certainOverlap(
  parent: JsonObject,
  root: JsonSchema,
): readonly [number, number] | undefined {
  const { oneOf: _, ...beside } = parent;
  const around = { schema: beside, root };
  const all = schemasUnder(parent, "oneOf")
    .slice(0, maxAlternatives)
    .map((schema) => ({
      schema,
      root,
      accepts: statesType({ schema, root }) ? acceptor({ schema, root }) : () => false,
    }));
  if (all.length === 0) return undefined;
  const isAccepted = acceptor(around);
  const isShared = (one: SchemaIn, other: SchemaIn): boolean =>
    isWithin(one, other) && isWithin(one, around);
  for (const [at, one] of all.entries())
    for (const [index, other] of all.slice(at + 1).entries()) {
      const values = [...small, ...listedIn(one.schema)];
      const isCertain =
        values.some((value) => one.accepts(value) && other.accepts(value) && isAccepted(value)) ||
        isShared(one, other) ||
        isShared(other, one);
      if (isCertain) return [at, at + 1 + index];
    }
  return undefined;
}

/**
 * Checks for a schema with the types of its values. A schema without types, such as
 * `{ required: [a] }`, accepts values that the schema around `oneOf` may reject.
 */
function statesType({ root, schema }: SchemaIn): boolean {
  const branches = inSteps(() => branchesOf(schema, sourceOf(root)), undefined);
  return branches?.every((branch) => branch !== true && statedType(branch) !== undefined) === true;
}

/** Checks if one schema has values, and the other accepts all of them. */
function isWithin(one: SchemaIn, other: SchemaIn): boolean {
  return compare(one, other).length === 0 && compare(one, { ...one, schema: false }).length > 0;
}

function listedIn(schema: JsonSchema): readonly JsonValue[] {
  if (!isJsonObject(schema)) return [];
  const { const: only, enum: values } = schema;
  const listed: readonly JsonValue[] = Array.isArray(values) ? values : [];
  return [...listed, ...(only === undefined ? [] : [only])];
}
