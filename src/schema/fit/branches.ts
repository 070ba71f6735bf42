import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import { type Branch, listedIn, typeOfValue } from "./branch.js";
import { bothKeywords } from "./both-keywords.js";
import { closeForms } from "./evaluated.js";
import { withFormatKeywords } from "./number-format.js";
import { schemasUnder, schemaUnder, targetOf } from "../schema-tree.js";

/** References that lead to references, unions in unions. */
const deepest = 32;

/** Forms of one union, and those that several unions of the same value make together. */
const mostForms = 20_000;
const mostTogether = 1000;

const known = new WeakMap<JsonObject, WeakMap<JsonObject, readonly Branch[] | null>>();

/** The forms that a schema gives a value, or any value where they are too many. */
export function branchesOf(schema: JsonSchema, root: JsonSchema): readonly Branch[] {
  return formsOf(schema, root) ?? [true];
}

/**
 * The forms that a schema gives a value: `anyOf` and `oneOf` taken apart, `$ref` followed, `allOf` put together. Each has one `type` at most. Conditions
 * and negations are left out, so a branch may allow more than the schema does. Undefined when there are too many; the same for the same schema each time.
 */
export function formsOf(schema: JsonSchema, root: JsonSchema): readonly Branch[] | undefined {
  if (!isJsonObject(schema) || !isJsonObject(root)) return formsIn(schema, root, 0);
  const ofRoot = known.get(root) ?? new WeakMap<JsonObject, readonly Branch[] | null>();
  known.set(root, ofRoot);
  const before = ofRoot.get(schema);
  if (before !== undefined) return before ?? undefined;
  const forms = formsIn(schema, root, 0);
  ofRoot.set(schema, forms ?? null);
  return forms;
}

function formsIn(
  schema: JsonSchema,
  root: JsonSchema,
  depth: number,
): readonly Branch[] | undefined {
  if (schema === false) return [];
  if (schema === true || depth > deepest) return [true];
  const { $ref, allOf: _all, anyOf: _any, oneOf: _one, ...own } = schema;
  const { unevaluatedItems: _items, unevaluatedProperties: _properties, ...evaluating } = own;
  const inPlace = [
    ...(typeof $ref === "string" ? [[targetOf(root, $ref).schema]] : []),
    ...[...certainBranch(schema), ...schemasUnder(schema, "allOf")].map((each) => [each]),
    ...["anyOf", "oneOf"]
      .map((keyword) => schemasUnder(schema, keyword))
      .filter((forms) => forms.length > 0),
  ];
  let all: readonly Branch[] = byType(evaluating);
  for (const union of inPlace) {
    const forms = formsOfUnion(union, root, depth + 1);
    if (forms === undefined) return undefined;
    const isProduct = all.length > 1 && forms.length > 1;
    if (isProduct && all.length * forms.length > mostForms) return undefined;
    all = all.flatMap((one) => forms.flatMap((other) => both(one, other)));
    if (isProduct && all.length > mostTogether) return undefined;
  }
  return closeForms(all, schema, root);
}

function formsOfUnion(
  union: readonly JsonSchema[],
  root: JsonSchema,
  depth: number,
): readonly Branch[] | undefined {
  const all: Branch[] = [];
  for (const schema of union) {
    const forms = formsIn(schema, root, depth);
    if (forms === undefined || all.length + forms.length > mostForms) return undefined;
    all.push(...forms);
  }
  return all;
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
  if (!Array.isArray(type)) return [withFormatKeywords(schema)];
  const types: readonly JsonValue[] = type;
  return types.map((each) => withFormatKeywords({ ...schema, type: each }));
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
