import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";
import type { JsonType } from "../look-up.js";
import { bothKeywords } from "./both-keywords.js";
import { schemasUnder, schemaUnder, targetOf } from "../schema-tree.js";

/** One of the forms that a value may have, its keywords in one place. `true`: any value. */
export type Branch = JsonObject | true;

/** References that lead to references, unions in unions. */
const deepest = 32;

/**
 * The forms that a schema gives a value: `anyOf` and `oneOf` taken apart, `$ref` followed, `allOf` put together. Each has one `type` at most. Conditions
 * and negations are left out, so a branch may allow more than the schema does.
 */
export function branchesOf(schema: JsonSchema, root: JsonSchema, depth = 0): readonly Branch[] {
  if (schema === false) return [];
  if (schema === true || depth > deepest) return [true];
  const { $ref, allOf: _all, anyOf: _any, oneOf: _one, ...own } = schema;
  const parts = [
    ...(typeof $ref === "string" ? [branchesOf(targetOf(root, $ref).schema, root, depth + 1)] : []),
    ...certainBranch(schema).map((each) => branchesOf(each, root, depth + 1)),
    ...schemasUnder(schema, "allOf").map((each) => branchesOf(each, root, depth + 1)),
    ...["anyOf", "oneOf"]
      .map((keyword) => schemasUnder(schema, keyword))
      .filter((forms) => forms.length > 0)
      .map((forms) => forms.flatMap((each) => branchesOf(each, root, depth + 1))),
  ];
  return parts.reduce<readonly Branch[]>(
    (all, part) => all.flatMap((one) => part.flatMap((other) => both(one, other))),
    byType(own),
  );
}

/** Where `else` is never, `then` is always. */
function certainBranch(schema: JsonObject): readonly JsonSchema[] {
  const then = schemaUnder(schema, "then");
  return schema["else"] === false && schema["if"] !== undefined && then !== undefined ? [then] : [];
}

function byType(schema: JsonObject): readonly Branch[] {
  if (Object.keys(schema).length === 0) return [true];
  const { type } = schema;
  const values = listedIn(schema);
  if (values !== undefined) return byTypeOfValues(schema, values);
  if (!Array.isArray(type)) return [schema];
  const types: readonly JsonValue[] = type;
  return types.map((each) => ({ ...schema, type: each }));
}

/** What lists its values says of which types they are. */
function byTypeOfValues(schema: JsonObject, values: readonly JsonValue[]): readonly Branch[] {
  const types = [...new Set(values.map(typeOfValue))];
  return types.map((type) => ({
    ...schema,
    type,
    ...(schema["const"] === undefined && {
      enum: values.filter((value) => typeOfValue(value) === type),
    }),
  }));
}

/** What both ask for; none when nothing has both types. */
function both(one: Branch, other: Branch): readonly Branch[] {
  if (one === true) return [other];
  if (other === true) return [one];
  const [a, b] = [one["type"], other["type"]];
  const isWhole = (a === "integer" && b === "number") || (a === "number" && b === "integer");
  if (a !== undefined && b !== undefined && a !== b && !isWhole) return [];
  const merged = { ...bothKeywords(one, other), ...(isWhole && { type: "integer" }) };
  const [left, right] = [listedIn(one), listedIn(other)];
  if (left === undefined || right === undefined) return [merged];
  const { const: _, ...others }: JsonObject = merged;
  const common = left.filter((value) => right.some((each) => isDeepStrictEqual(each, value)));
  return common.length === 0 ? [] : [{ ...others, enum: common }];
}

/** All values of a form that lists them. */
export function listedIn(branch: Branch): readonly JsonValue[] | undefined {
  if (branch === true) return undefined;
  if (branch["const"] !== undefined) return [branch["const"]];
  const { enum: values } = branch;
  return Array.isArray(values) ? values : undefined;
}

/** Undefined when it may be any. */
export function typeOf(branch: Branch): JsonType | undefined {
  if (branch === true) return undefined;
  const { type } = branch;
  // The metaschema lets nothing else stand there.
  if (typeof type === "string") return type as JsonType;
  if (branch["properties"] !== undefined || branch["additionalProperties"] !== undefined)
    return "object";
  return branch["items"] === undefined ? undefined : "array";
}

export function typeOfValue(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  // What is left of JSON are texts, truth values and objects.
  return typeof value as JsonType;
}

/** Whether values of one type are of the other. */
export function isSameType(given: JsonType | undefined, wanted: JsonType | undefined): boolean {
  return wanted === undefined || given === wanted || (given === "integer" && wanted === "number");
}
