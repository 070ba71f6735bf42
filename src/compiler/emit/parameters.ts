/** Describes how default values change the types of a tool's parameters. */
import type { SchemaModel } from "../../core/skill-model.js";
import { defaultsOf } from "../../schema/defaults.js";
import { lookUp } from "../../schema/look-up.js";
import { isInherited } from "../../schema/printed-shape.js";

/**
 * Names whose defaults are the only difference between the parameters that callers pass and those
 * that the binding gets. Empty without a difference. Undefined if the types differ in other ways.
 */
export function filledNames(parameters: SchemaModel): readonly string[] | undefined {
  const defaults = defaultsOf(parameters);
  if (defaults === undefined) return [];
  const { items, properties = {} } = defaults;
  const names = Object.keys(properties);
  const isDeep = items !== undefined || Object.values(properties).some(({ inside }) => inside);
  // An optional property with the name of an inherited member has another type after its default is
  // filled in.
  return isDeep || names.some(isInherited) || !isPlainObject(parameters) ? undefined : names;
}

/** Checks if the type is a single interface. */
function isPlainObject({ schema }: SchemaModel): boolean {
  return typeof schema === "object" && !Object.keys(schema).some((each) => composing.has(each));
}

const composing: ReadonlySet<string> = new Set(
  "$ref allOf anyOf oneOf not if const enum dependentSchemas".split(" "),
);

/** Keywords that may require something of an object without naming it under `properties`. */
const demanding: ReadonlySet<string> = new Set(
  "minProperties $ref allOf anyOf oneOf not if const enum".split(" "),
);

/** Checks if callers may omit the parameters. */
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
