import { isJsonObject, type JsonObject, type JsonSchema } from "../../core/json.js";
import { disjointness } from "../disjoint-shapes.js";
import type { Comparing, Misfit } from "./misfit.js";
import { asSchema, schemaUnder } from "../schema-tree.js";
import { shapesOf } from "../shape-of-schema.js";

/** Where it is known whether the condition of `if` holds, the one branch is what is wanted; undefined where that isn't seen, nor that either fits. */
export function ifMisfits(
  given: JsonObject,
  wanted: JsonObject,
  at: Comparing,
): readonly Misfit[] | undefined {
  const [condition = true, then = true, otherwise = true] = ["if", "then", "else"].map((each) =>
    asSchema(wanted[each]),
  );
  const fits = (schema: JsonSchema) => at.compare(given, schema).length === 0;
  // Then `then` holds in any case, and was put with the rest.
  if (otherwise === false) return isDeniedTwice(condition) || fits(condition) ? [] : undefined;
  if (areDisjoint(given, condition, at)) return at.compare(given, otherwise);
  if (fits(condition)) return at.compare(given, then);
  return fits(then) && fits(otherwise) ? [] : undefined;
}

/** Whether no value has both schemas; false where that isn't certain. */
export function areDisjoint(given: JsonSchema, refused: JsonSchema, at: Comparing): boolean {
  const [own, others] = [shapesOf(at.given, "stated"), shapesOf(at.wanted, "stated")];
  const [one, other] = [
    own.at({ schema: given, pointer: "" }),
    others.at({ schema: refused, pointer: "" }),
  ];
  return disjointness(own, others)(one, other);
}

/** What is said so says no more than `then` does. */
function isDeniedTwice(schema: JsonSchema): boolean {
  const denied = isJsonObject(schema) ? schemaUnder(schema, "not") : undefined;
  return isJsonObject(denied) && denied["not"] !== undefined;
}
