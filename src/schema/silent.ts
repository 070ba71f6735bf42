import { getOwn, isJsonObject, type JsonObject } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import { annotations, isExtension } from "./keywords.js";

/** Keywords that restrict values of some types, but allow any value of other types. */
const narrowing: ReadonlyMap<string, Narrowed> = new Map([
  ...narrowingTo("texts", ["string"], "format pattern minLength maxLength"),
  ...narrowingTo(
    "numbers",
    ["integer", "number"],
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
  ),
  ...narrowingTo("lists", ["array"], "minItems maxItems uniqueItems"),
]);

interface Narrowed {
  /** Words for the restricted values. */
  readonly values: string;
  readonly types: readonly string[];
}

function narrowingTo(
  values: string,
  types: readonly string[],
  keywords: string,
): readonly (readonly [string, Narrowed])[] {
  return keywords.split(" ").map((keyword) => [keyword, { values, types }] as const);
}

/** The keywords that leave the type open. */
export const silentKeywords: readonly string[] = [...narrowing.keys(), ...annotations];

/**
 * Checks if a schema with these keywords doesn't state a type: no type, no listed values, no
 * reference, no combination.
 */
export function isSilentOfType(keywords: readonly string[]): boolean {
  return keywords.every(
    (each) => narrowing.has(each) || annotations.has(each) || isExtension(each),
  );
}

/** Parameters whose schemas don't state a type, by name. */
export function silentParameters({ schema }: SchemaModel): ReadonlyMap<string, JsonObject> {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  const all = isJsonObject(properties) ? Object.entries(properties) : [];
  return new Map(
    all.flatMap(([name, own]): [string, JsonObject][] =>
      isJsonObject(own) && isSilentOfType(Object.keys(own)) ? [[name, own]] : [],
    ),
  );
}

/**
 * Finds the first keyword that restricts other values than the inferred type has, and these values:
 * `texts`, `numbers`, `lists`.
 */
export function strayKeyword(
  own: JsonObject,
  { type }: JsonObject,
): { readonly keyword: string; readonly values: string } | undefined {
  const types = Array.isArray(type) ? type : [type];
  for (const keyword of Object.keys(own)) {
    const narrowed = narrowing.get(keyword);
    if (narrowed !== undefined && !narrowed.types.some((each) => types.includes(each)))
      return { keyword, values: narrowed.values };
  }
  return undefined;
}

/** Inferred schemas of parameters whose own schemas don't state a type, by name. */
export type InferredParameters = { readonly [name: string]: JsonObject };

/** Adds inferred types to parameters that state none. The author's keywords win. */
export function withInferred(model: SchemaModel, inferred: InferredParameters): SchemaModel {
  const { schema } = model;
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  if (!isJsonObject(schema) || !isJsonObject(properties)) return model;
  if (Object.keys(inferred).length === 0) return model;
  const filled = Object.entries(properties).map(([name, own]) => {
    const known = getOwn(inferred, name);
    return [name, known && isJsonObject(own) ? both(known, own) : own] as const;
  });
  return { ...model, schema: { ...schema, properties: Object.fromEntries(filled) } };
}

const bounds: readonly (readonly [low: string, high: string])[] = [
  ["minimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "maximum"],
  ["minLength", "maxLength"],
];

/**
 * Merges inferred keywords and the author's. If the author's bound exceeds an inferred one, the
 * result has only the author's, and a check reports the mismatch.
 */
function both(known: JsonObject, own: JsonObject): JsonObject {
  const merged: JsonObject = { ...known, ...own };
  const beyond = new Set(
    bounds.flatMap(([low, high]) => {
      const [least, most] = [merged[low], merged[high]];
      if (typeof least !== "number" || typeof most !== "number" || least <= most) return [];
      return [low, high].filter((each) => own[each] === undefined);
    }),
  );
  return Object.fromEntries(Object.entries(merged).filter(([name]) => !beyond.has(name)));
}
