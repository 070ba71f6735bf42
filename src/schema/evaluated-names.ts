import { isJsonObject, type JsonSchema } from "../core/json.js";
import { childrenOf, schemaMapUnder, type Subschema } from "./schema-tree.js";

/**
 * The property names that schemas in place may evaluate, which `unevaluatedProperties` then leaves alone. Undefined when that is not a
 * list of names: a pattern, or a schema for all others, takes part.
 */
export function evaluatedNames(at: Subschema, root: JsonSchema): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const seen = new Set<string>([at.pointer]);
  const waiting: Subschema[] = [at];
  for (const each of waiting) {
    const { schema } = each;
    if (!isJsonObject(schema)) continue;
    if (schema["patternProperties"] !== undefined || opensOthers(schema["additionalProperties"]))
      return undefined;
    if (each !== at && opensOthers(schema["unevaluatedProperties"])) return undefined;
    for (const [name] of schemaMapUnder(schema, "properties")) names.add(name);
    for (const child of childrenOf(each, root)) {
      if (!child.inPlace || seen.has(child.pointer)) continue;
      seen.add(child.pointer);
      waiting.push(child);
    }
  }
  return names;
}

function opensOthers(value: unknown): boolean {
  return value !== undefined && value !== false;
}
