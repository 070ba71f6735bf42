/**
 * Converts the schema of a tool's parameters into one that models' APIs accept. If an API rejects
 * the schema of one tool, it rejects the whole request. `readModelInput` of `model-input.ts`
 * converts the arguments back.
 */
import type { JsonValue } from "../json/json.js";
import { pointerStep } from "../json/pointer.js";
import { acceptableSchema } from "./acceptable-schema.js";
import type { OfferedNames } from "./offered-names.js";
import { RenamedProperties } from "./renamed-properties.js";
import { pointerIn, schemaAt } from "./schema-places.js";
import { isJsonMap, type JsonMap, mapReferences } from "./schema-references.js";

/**
 * JSON Schema of the arguments that a model passes to a tool. It always has `properties`, which the
 * type leaves out, because the types of models' SDKs want lists that may be changed.
 */
export interface ParametersSchema {
  readonly type: "object";
  readonly [keyword: string]: JsonValue;
}

/** The same, with its properties. */
export interface RootSchema extends ParametersSchema {
  readonly properties: JsonMap;
}

/** A converted schema. */
export interface ModelSchema {
  /** Has no combinator and no reference at its root. */
  readonly schema: RootSchema;
  /** How the tool's parameters are made from the model's arguments. */
  readonly back: WayBack;
}

/** The way from a model's arguments to a tool's parameters. */
export interface WayBack {
  /** Property that contains the parameters; absent if the arguments are the parameters. */
  readonly inputParameter?: string;
  /** Properties with other names; absent if there are none. */
  readonly renamed?: RenamedProperties;
}

/** Name of the property that contains the parameters if they have to be wrapped. */
const wrapperName = "input";

/** Keywords that a root must not have. */
const combinators: readonly string[] = [
  "$dynamicRef",
  "$ref",
  "allOf",
  "anyOf",
  "const",
  "dependentSchemas",
  "else",
  "enum",
  "if",
  "not",
  "oneOf",
  "then",
];

/**
 * Converts a schema.
 *
 * @param schema stands alone: it has all definitions that it refers to
 * @param names of `offeredNames`
 */
export function toModelSchema(schema: JsonValue, names: OfferedNames = {}): ModelSchema {
  const root = isJsonMap(schema) ? schema : schema === false ? { not: {} } : {};
  const accepted = acceptableSchema(root, names);
  const renamed = Object.keys(names).length > 0 && {
    renamed: new RenamedProperties(root, names),
  };
  const direct = withTarget(root);
  const { type = "object" } = direct;
  const isObject = [type].flat().includes("object");
  if (!isObject || combinators.some((each) => Object.hasOwn(direct, each)))
    return { schema: wrapped(accepted), back: { inputParameter: wrapperName, ...renamed } };
  return { schema: asParameters(withTarget(accepted)), back: { ...renamed } };
}

/** Adds the type and the properties that every root has. */
export function asParameters(root: JsonMap): RootSchema {
  const { properties } = root;
  return { ...root, type: "object", properties: isJsonMap(properties) ? properties : {} };
}

/** Keywords beside a reference that allow every object. */
const harmless: ReadonlySet<string> = new Set([
  "$comment",
  "$defs",
  "$id",
  "$schema",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/** Keywords that give a schema a name of its own, so that it must not be copied. */
const names: readonly string[] = ["$anchor", "$dynamicAnchor", "$id"];

/** Replaces a reference at the root by its target, if nothing beside it forbids that. */
function withTarget(root: JsonMap): JsonMap {
  const seen = new Set<JsonValue>();
  let at = root;
  for (;;) {
    const { $ref: reference, ...beside } = at;
    if (typeof reference !== "string") return at;
    const isAlone = Object.entries(beside).every(
      ([keyword, value]) =>
        harmless.has(keyword) ||
        keyword.startsWith("x-") ||
        (keyword === "type" && value === "object"),
    );
    const target = schemaAt(root, reference);
    if (!isAlone || seen.has(reference) || target === undefined) return root;
    if (names.some((each) => Object.hasOwn(target, each))) return root;
    seen.add(reference);
    // The target's own definitions stay where references find them.
    const { $defs: _, ...others } = target;
    at = { ...others, ...beside };
  }
}

/** Makes the schema a property. Definitions stay at the root, where references expect them. */
function wrapped(root: JsonMap): RootSchema {
  const { $defs, $id, $schema, ...own } = root;
  const moved = (reference: string): string => {
    const steps = pointerIn(reference);
    const isMoved = steps !== undefined && steps[0] !== "$defs";
    return isMoved ? `#/properties${pointerStep(wrapperName)}${reference.slice(1)}` : reference;
  };
  const input = mapReferences({ description: "Parameters of the tool.", ...own }, moved);
  return {
    ...($schema !== undefined && { $schema }),
    ...($id !== undefined && { $id }),
    type: "object",
    properties: { [wrapperName]: input },
    required: [wrapperName],
    additionalProperties: false,
    ...($defs !== undefined && { $defs: mapDefinitions($defs, moved) }),
  };
}

function mapDefinitions($defs: JsonValue, change: (reference: string) => string): JsonValue {
  const mapped = mapReferences({ $defs }, change);
  return (isJsonMap(mapped) ? mapped["$defs"] : undefined) ?? {};
}
