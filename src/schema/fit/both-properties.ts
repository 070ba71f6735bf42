import {
  getOwn,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../../core/json.js";
import { bothSchemas } from "./both-schemas.js";
import { propertySchema, restSchema } from "./property-schema.js";
import { asSchema, schemaMapUnder, schemaUnder } from "../schema-tree.js";

/**
 * A name that only one of them knows is one of the other's further properties, or has one of its patterns. What is said of the further properties of one can't be
 * said of those that the other's patterns tell: it stands in `allOf`.
 */
export function bothProperties(one: JsonObject, other: JsonObject): JsonObject {
  const properties: Record<string, JsonValue> = {};
  for (const [name] of [one, other].flatMap((each) => schemaMapUnder(each, "properties")))
    setOwn(properties, name, bothSchemas(propertySchema(one, name), propertySchema(other, name)));
  const patterns: Record<string, JsonValue> = {};
  for (const [pattern, said] of [one, other].flatMap((each) =>
    schemaMapUnder(each, "patternProperties"),
  ))
    setOwn(patterns, pattern, bothSchemas(asSchema(getOwn(patterns, pattern)), said));
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(Object.keys(patterns).length > 0 && { patternProperties: patterns }),
    ...bothRests(one, other, "additionalProperties"),
  };
}

/** What stands there says that all is told, be it that anything goes. */
export function bothRests(one: JsonObject, other: JsonObject, keyword: string): JsonObject {
  const rests = [one, other].map((each) => schemaUnder(each, keyword));
  if (rests.every((each) => each === undefined)) return {};
  return {
    [keyword]: rests.reduce<JsonSchema>((all, each = true) => bothSchemas(all, each), true),
  };
}

/** What says something of properties. */
export const ofProperties = ["properties", "patternProperties", "additionalProperties"];

/** What a form says of its properties, if it says something of those that only patterns of the other tell. */
export function restAside(one: JsonObject, other: JsonObject): readonly JsonObject[] {
  const told = new Set(schemaMapUnder(one, "patternProperties").map(([pattern]) => pattern));
  const isTold = schemaMapUnder(other, "patternProperties").every(([pattern]) => told.has(pattern));
  if (isTold || (restSchema(one) ?? true) === true) return [];
  const said = ofProperties.flatMap((name) =>
    one[name] === undefined ? [] : [[name, one[name]] as const],
  );
  return [Object.fromEntries(said) as JsonObject];
}
