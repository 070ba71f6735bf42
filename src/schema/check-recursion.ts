import type { JsonSchema } from "../core/json.js";
import type { Report } from "../core/report.js";
import type { SchemaModel } from "../core/skill-model.js";
import { placeAt } from "./place-at.js";
import { below } from "./pointer.js";
import type { Normalized } from "./normalize.js";
import { childrenOf, everySchema, type Subschema } from "./schema-tree.js";

/**
 * Maximum number of schemas that one value is checked against, with all combinations of `allOf`,
 * `anyOf` and `$ref`.
 */
const maxChecksPerValue = 10_000;
/** Maximum length of a chain of references, because validators nest equally deep. */
const longestChain = 100;

/**
 * Reports references that lead back to themselves without going deeper into the value, because a
 * check of them would never end. Also reports so many combinations that a check would take too
 * long.
 */
export function checkRecursion(
  document: Normalized & Pick<SchemaModel, "shared">,
  report: Report,
): boolean {
  const { schema: root } = document;
  const costs = new Map<string, number | "open">();
  let sound = true;
  const reportAt = (
    pointer: string,
    code: "schema/cyclic-ref" | "schema/too-large",
    message: string,
  ): number => {
    const span =
      placeAt(document, below(pointer, "$ref")) ??
      placeAt(document, pointer) ??
      document.places[""];
    if (sound && span !== undefined) report.add({ code, span, message });
    sound = false;
    return 1;
  };
  const cost = (at: Subschema, chain: number): number => {
    const known = costs.get(at.pointer);
    if (known === "open")
      return reportAt(
        at.pointer,
        "schema/cyclic-ref",
        "the schema refers to itself without reaching a value",
      );
    if (known !== undefined) return known;
    if (chain > longestChain)
      return reportAt(
        at.pointer,
        "schema/too-large",
        `references are nested more than ${longestChain} deep`,
      );
    costs.set(at.pointer, "open");
    let sum = 1;
    for (const child of childrenOf(at, root)) {
      if (child.inPlace && sound) sum += cost(child, chain + 1);
    }
    costs.set(at.pointer, sum);
    if (sum > maxChecksPerValue)
      reportAt(at.pointer, "schema/too-large", `one value may be checked against ${sum} schemas`);
    return sum;
  };
  for (const each of everySchema(root)) cost(each, 0);
  return sound && hasShallowReferences(root, reportAt);
}

/**
 * Checks the depth of references. Ajv compiles the target of each reference inside the referring
 * schema.
 */
function hasShallowReferences(
  root: JsonSchema,
  reportAt: (pointer: string, code: "schema/too-large", message: string) => number,
): boolean {
  const depths = new Map<string, number>([["", 0]]);
  const waiting: Subschema[] = [{ schema: root, pointer: "" }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const depth = depths.get(at.pointer) ?? 0;
    if (depth > longestChain) {
      reportAt(
        at.pointer,
        "schema/too-large",
        `references are nested more than ${longestChain} deep`,
      );
      return false;
    }
    for (const child of childrenOf(at, root)) {
      if (depths.has(child.pointer)) continue;
      depths.set(child.pointer, child.keyword === "$ref" ? depth + 1 : depth);
      waiting.push(child);
    }
  }
  return true;
}
