import { getOwn, isJsonObject, type JsonObject, type JsonSchema } from "../../core/json.js";
import { bothSchemas } from "./both-schemas.js";
import { asSchema, schemaMapUnder, schemaUnder, textsUnder } from "../schema-tree.js";
import { patternTest } from "../pattern/judge-pattern.js";

/** What a form of objects says of a property: all that its name and patterns say, or else what is said of the rest. */
export function propertySchema(form: JsonObject, name: string): JsonSchema {
  return namedSchema(form, name) ?? restSchema(form) ?? true;
}

/** The same of a property that the form names, itself or by patterns; undefined for one of the rest. */
export function namedSchema(form: JsonObject, name: string): JsonSchema | undefined {
  const { properties } = form;
  const own = isJsonObject(properties) ? getOwn(properties, name) : undefined;
  const alike = schemaMapUnder(form, "patternProperties")
    .filter(([pattern]) => patternTest(pattern)(name))
    .map(([, schema]) => schema);
  const said = own === undefined ? alike : [asSchema(own), ...alike];
  return said.length === 0 ? undefined : said.reduce(bothSchemas);
}

/** What is said of properties that no name and no pattern tells; undefined when nothing is. */
export function restSchema(form: JsonObject): JsonSchema | undefined {
  return schemaUnder(form, "additionalProperties");
}

/** The properties that a form names, and those that are always there. */
export function knownNames(form: JsonObject): readonly string[] {
  const declared = schemaMapUnder(form, "properties").map(([name]) => name);
  return [...new Set([...declared, ...textsUnder(form, "required")])];
}

/** Whether objects of a form have no other properties than those that it names. */
export function isClosed(form: JsonObject): boolean {
  return restSchema(form) === false && schemaMapUnder(form, "patternProperties").length === 0;
}

/** Whether objects of a form may have a property. */
export function mayHave(form: JsonObject, name: string): boolean {
  return propertySchema(form, name) !== false;
}
