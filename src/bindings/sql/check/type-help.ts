import type { StatedFacts } from "../../../schema/stated-facts.js";
import type { JsonType } from "../../../schema/look-up.js";
import type { ComparedPlaceholder } from "../model.js";
import type { SqlType } from "../types/sql-type.js";

/** What to do about a parameter of another type than the statement takes; undefined when its type is not what is wrong. */
export function helpForType(
  facts: StatedFacts,
  type: SqlType,
  compared: ComparedPlaceholder | undefined,
): string | undefined {
  const wanted = wantedType(type);
  const types = facts.types.filter((each) => each !== "null");
  if (types.every((each) => each === wanted)) return undefined;
  if (compared !== undefined && types.length === 1 && types[0] === "array")
    return `for any of a list write \`${compared.each} (:${compared.placeholder})\``;
  return `make it \`type: ${wanted}\``;
}

function wantedType(type: SqlType): JsonType {
  if (type.kind === "array") return "array";
  if (type.kind === "enum") return "string";
  if (["int2", "int4", "int8", "oid"].includes(type.name)) return "integer";
  const { typeScript } = type.traits;
  if (typeScript === "boolean") return "boolean";
  return typeScript === "number" || type.name === "numeric" ? "number" : "string";
}
