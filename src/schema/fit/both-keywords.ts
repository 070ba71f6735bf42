import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../core/json.js";
import { bothProperties, bothRests, ofProperties, restAside } from "./both-properties.js";
import { bothSchemas } from "./both-schemas.js";
import { bothFormats, textsAside } from "./both-texts.js";
import { conditionIn, conditions } from "./conditions.js";
import { asSchema, schemasUnder, textsUnder } from "../schema-tree.js";

const atLeast = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const atMost = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/**
 * The keywords of two schemas that both hold: the tighter bounds, all required names, and what both say of each part. Of conditions that can't be made one, the
 * first stands in `allOf`.
 */
export function bothKeywords(one: JsonObject, other: JsonObject): JsonObject {
  const required = [...textsUnder(one, "required"), ...textsUnder(other, "required")];
  const aside = conditionsAside(one, other);
  const allOf = [
    ...schemasUnder(one, "allOf"),
    ...schemasUnder(other, "allOf"),
    ...aside.map((name) => conditionIn(one, name)),
    ...restAside(one, other),
    ...restAside(other, one),
    ...textsAside(one, other),
  ];
  return {
    ...withoutConditions(one, (name) => one[name] === undefined || aside.includes(name)),
    ...withoutConditions(other, (name) => other[name] === undefined),
    ...tighter(one, other, atLeast, Math.max),
    ...tighter(one, other, atMost, Math.min),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    ...bothFormats(one, other),
    ...bothProperties(one, other),
    ...bothItems(one, other),
    ...(allOf.length > 0 && { allOf }),
  };
}

const madeOne = new Set([...atLeast, ...atMost, ...ofProperties]);

/** The first keywords of those that can't be made one. */
function conditionsAside(one: JsonObject, other: JsonObject): readonly string[] {
  return conditions
    .map(([name = ""]) => name)
    .filter((name) => one[name] !== undefined && other[name] !== undefined && !madeOne.has(name))
    .filter((name) => !isDeepStrictEqual(conditionIn(one, name), conditionIn(other, name)));
}

/** Without the conditions whose first keyword is to be left out, and all that means nothing without it. */
function withoutConditions(schema: JsonObject, isLeftOut: (first: string) => boolean): JsonObject {
  const names = new Set(conditions.filter(([name = ""]) => isLeftOut(name)).flat());
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.has(name)));
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

function bothItems(one: JsonObject, other: JsonObject): JsonObject {
  const [left, right] = [one, other].map((each) => schemasUnder(each, "prefixItems"));
  const named = Math.max(left?.length ?? 0, right?.length ?? 0);
  const prefixItems = Array.from({ length: named }, (_, index) =>
    bothSchemas(
      left?.[index] ?? asSchema(one["items"]),
      right?.[index] ?? asSchema(other["items"]),
    ),
  );
  return { ...(named > 0 && { prefixItems }), ...bothRests(one, other, "items") };
}
