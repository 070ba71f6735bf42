import { isDeepStrictEqual } from "node:util";
import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../../core/json.js";
import { conditionIn, conditions } from "./conditions.js";
import { asSchema, schemaMapUnder, schemasUnder, schemaUnder, textsUnder } from "../schema-tree.js";

const atLeast = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const atMost = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/**
 * The keywords of two schemas that both hold: the tighter bounds, all required names, and what both say of each part. Of conditions that can't be made one, the
 * first stands in `allOf`.
 */
export function bothKeywords(one: JsonObject, other: JsonObject): JsonObject {
  const required = [...textsUnder(one, "required"), ...textsUnder(other, "required")];
  return {
    ...one,
    ...other,
    ...tighter(one, other, atLeast, Math.max),
    ...tighter(one, other, atMost, Math.min),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    ...bothProperties(one, other),
    ...bothItems(one, other),
    ...bothConditions(one, other),
  };
}

function bothConditions(one: JsonObject, other: JsonObject): JsonObject {
  const aside = conditions.filter(
    ([name = ""]) =>
      one[name] !== undefined &&
      other[name] !== undefined &&
      ![...atLeast, ...atMost].includes(name) &&
      !isDeepStrictEqual(conditionIn(one, name), conditionIn(other, name)),
  );
  const allOf = [
    ...schemasUnder(one, "allOf"),
    ...schemasUnder(other, "allOf"),
    ...aside.map(([name = ""]) => conditionIn(one, name)),
  ];
  return allOf.length === 0 ? {} : { allOf };
}

function tighter(
  one: JsonObject,
  other: JsonObject,
  keywords: readonly string[],
  choose: (a: number, b: number) => number,
): JsonObject {
  const stated = keywords.flatMap((keyword): readonly (readonly [string, number])[] => {
    const [a, b] = [one[keyword], other[keyword]];
    return typeof a === "number" && typeof b === "number" ? [[keyword, choose(a, b)]] : [];
  });
  return Object.fromEntries(stated);
}

/** A name that only one of them knows is one of the other's further properties. */
function bothProperties(one: JsonObject, other: JsonObject): JsonObject {
  const names = [one, other].flatMap((each) => schemaMapUnder(each, "properties"));
  const properties: Record<string, JsonValue> = {};
  for (const [name] of names)
    setOwn(properties, name, bothSchemas(propertyOf(one, name), propertyOf(other, name)));
  const rest = bothSchemas(restOf(one), restOf(other));
  return {
    ...(names.length > 0 && { properties }),
    ...(rest !== true && { additionalProperties: rest }),
  };
}

function propertyOf(schema: JsonObject, name: string): JsonSchema {
  const { properties } = schema;
  const own = isJsonObject(properties) ? getOwn(properties, name) : undefined;
  return own === undefined ? restOf(schema) : asSchema(own);
}

function restOf(schema: JsonObject): JsonSchema {
  return schemaUnder(schema, "additionalProperties") ?? true;
}

function bothItems(one: JsonObject, other: JsonObject): JsonObject {
  const [left, right] = [one, other].map((each) => schemasUnder(each, "prefixItems"));
  const named = Math.max(left?.length ?? 0, right?.length ?? 0);
  const prefixItems = Array.from({ length: named }, (_, index) =>
    bothSchemas(
      left?.[index] ?? asSchema(one["items"]),
      right?.[index] ?? asSchema(other["items"]),
    ),
  );
  const items = bothSchemas(asSchema(one["items"]), asSchema(other["items"]));
  return { ...(named > 0 && { prefixItems }), ...(items !== true && { items }) };
}

function bothSchemas(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one === true) return other;
  if (other === true || one === other) return one;
  return { allOf: [one, other] };
}
