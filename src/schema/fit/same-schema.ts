import { getOwn, isJsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import type { SchemaIn } from "./misfit.js";

/** What is longer, or recursive, is taken to differ. */
const mostCompared = 10_000;

/** Whether two schemas say the same in the same words, wherever what they refer to stands. */
export function isSameSchema(one: SchemaIn, other: SchemaIn): boolean {
  let left = mostCompared;
  const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => {
    left -= 1;
    if (left < 0) return false;
    const [own, wanted] = [followed(a, one.root), followed(b, other.root)];
    if (Array.isArray(own) && Array.isArray(wanted))
      return (
        own.length === wanted.length &&
        own.every((each: JsonValue, index) => isSame(each, wanted[index] as JsonValue))
      );
    if (!isJsonObject(own) || !isJsonObject(wanted)) return own === wanted;
    const names = Object.keys(own);
    return (
      names.length === Object.keys(wanted).length &&
      names.every((name) => Object.hasOwn(wanted, name) && isSame(own[name], wanted[name]))
    );
  };
  return isSame(one.schema, other.schema);
}

function followed(value: JsonValue | undefined, root: JsonSchema): JsonValue | undefined {
  if (!isJsonObject(value)) return value;
  const { $ref } = value;
  if ($ref === "#") return root;
  const definitions = isJsonObject(root) ? root["$defs"] : undefined;
  // A property, or a constant's, may have that name too, and lead nowhere.
  if (typeof $ref !== "string" || !isJsonObject(definitions)) return value;
  return getOwn(definitions, $ref.replace("#/$defs/", "")) ?? value;
}
