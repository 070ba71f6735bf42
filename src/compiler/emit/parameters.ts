/** What the types of a tool's parameters say of what callers leave out. */
import type { SchemaModel } from "../../core/skill-model.js";
import { defaultsOf } from "../../schema/defaults.js";
import { lookUp } from "../../schema/look-up.js";
import { isInherited } from "../../schema/printed-shape.js";

/**
 * The names whose defaults alone tell parameters as they are called with from parameters as the
 * binding sees them: none where nothing does. Undefined where the types differ in more.
 */
export function filledNames(parameters: SchemaModel): readonly string[] | undefined {
  const defaults = defaultsOf(parameters);
  if (defaults === undefined) return [];
  const { items, properties = {} } = defaults;
  const names = Object.keys(properties);
  const isDeep = items !== undefined || Object.values(properties).some(({ inside }) => inside);
  // What callers may leave out, and every object has, is of another type where it is filled in.
  return isDeep || names.some(isInherited) || !isPlainObject(parameters) ? undefined : names;
}

/** Whether their type is one interface. */
function isPlainObject({ schema }: SchemaModel): boolean {
  return typeof schema === "object" && !Object.keys(schema).some((each) => composing.has(each));
}

const composing: ReadonlySet<string> = new Set(
  "$ref allOf anyOf oneOf not if const enum dependentSchemas".split(" "),
);

/** Keywords that may ask for something of an object without naming it under `properties`. */
const demanding: ReadonlySet<string> = new Set(
  "minProperties $ref allOf anyOf oneOf not if const enum".split(" "),
);

/** Whether callers may leave the parameters out. */
export function acceptsNothing(parameters: SchemaModel): boolean {
  const { schema } = parameters;
  if (typeof schema !== "object") return false;
  const { properties, required } = schema;
  const declared = Object.keys(typeof properties === "object" ? { ...properties } : {});
  const undeclared =
    Array.isArray(required) && required.some((name) => !declared.includes(String(name)));
  return (
    !undeclared &&
    !Object.keys(schema).some((each) => demanding.has(each)) &&
    declared.every((name) => lookUp(parameters, [name], "input")?.presence !== "always")
  );
}
