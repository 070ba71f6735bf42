import { isJsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";

/**
 * Whether a normalized schema says that every value is an object: itself, through `$ref`, in one of the schemas under `allOf`, or in all
 * under `anyOf` or `oneOf`.
 */
export function describesObject(schema: JsonSchema): boolean {
  return isObject(schema, schema, new Set());
}

/** Schemas on the way here are in `open`: one that leads back to itself says nothing more. */
function isObject(
  at: JsonValue | undefined,
  root: JsonSchema,
  open: ReadonlySet<JsonValue>,
): boolean {
  if (!isJsonObject(at) || open.has(at)) return false;
  const inside = new Set(open).add(at);
  const describes = (each: JsonValue | undefined) => isObject(each, root, inside);
  return (
    isObjectOnly(at["type"]) ||
    describes(definition(root, at["$ref"])) ||
    schemasOf(at["allOf"]).some(describes) ||
    [at["anyOf"], at["oneOf"]].some((choice) => {
      const branches = schemasOf(choice);
      return branches.length > 0 && branches.every(describes);
    })
  );
}

function schemasOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isObjectOnly(type: JsonValue | undefined): boolean {
  return (
    type === "object" ||
    (Array.isArray(type) && type.length > 0 && type.every((each) => each === "object"))
  );
}

/** Normalized references lead to the root or to one of its definitions. */
function definition(root: JsonSchema, reference: JsonValue | undefined): JsonValue | undefined {
  if (reference === "#") return root;
  const definitions = isJsonObject(root) ? root["$defs"] : undefined;
  if (typeof reference !== "string" || !isJsonObject(definitions)) return undefined;
  const name = reference.replace("#/$defs/", "");
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}
