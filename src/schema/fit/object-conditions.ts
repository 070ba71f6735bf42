import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import { isClosed, mayHave } from "./property-schema.js";
import { schemaMapUnder, textsUnder } from "../schema-tree.js";

/** Whether objects have at least, and at most, as many properties as are wanted. */
export function holdsCount(given: JsonObject, { maxProperties, minProperties }: JsonObject) {
  const required = textsUnder(given, "required").length;
  const declared = schemaMapUnder(given, "properties").length;
  const least = Math.max(required, numberOr(given["minProperties"], 0));
  const most = Math.min(
    isClosed(given) ? declared : Infinity,
    numberOr(given["maxProperties"], Infinity),
  );
  return {
    least: least >= numberOr(minProperties, 0),
    most: most <= numberOr(maxProperties, Infinity),
  };
}

function numberOr(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** Whether properties that ask for others never come without them. */
export function keepsRequired(given: JsonObject, wanted: JsonObject): boolean {
  const { dependentRequired } = wanted;
  if (!isJsonObject(dependentRequired)) return true;
  const required = textsUnder(given, "required");
  return Object.keys(dependentRequired).every((name) => {
    const names = textsUnder(dependentRequired, name);
    return !mayHave(given, name) || names.every((each) => required.includes(each));
  });
}

/** Whether objects with a property are what is asked of those that have it. */
export function keepsSchemas(
  given: JsonObject,
  wanted: JsonObject,
  fits: (schema: JsonSchema) => boolean,
): boolean {
  return schemaMapUnder(wanted, "dependentSchemas").every(
    ([name, schema]) => !mayHave(given, name) || fits(schema),
  );
}
