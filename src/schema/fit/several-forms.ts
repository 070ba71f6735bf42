import { isJsonObject, type JsonObject, type JsonSchema } from "../../core/json.js";
import { type Branch } from "./branches.js";
import type { Comparing, Misfit } from "./misfit.js";
import { refused } from "./misfits-scalar.js";
import { schemasUnder, targetOf } from "../schema-tree.js";

/** Of values that fit a schema otherwise: whether all of them fit several forms of a `oneOf`. */
export function severalForms(given: Branch, wanted: JsonSchema, at: Comparing): readonly Misfit[] {
  const isSeveral = oneOfsIn(wanted, at.wanted).some(
    (forms) => forms.filter((form) => at.compare(given, form).length === 0).length > 1,
  );
  return isSeveral ? [refused({ fitsSeveral: true, keyword: "oneOf" })] : [];
}

/** References that lead to references. */
const deepest = 32;

/** The `oneOf`s that hold for the value in any case. */
function oneOfsIn(
  schema: JsonSchema,
  root: JsonSchema,
  depth = 0,
): readonly (readonly JsonSchema[])[] {
  if (!isJsonObject(schema) || depth > deepest) return [];
  const own = schemasUnder(schema, "oneOf");
  const others = [...referenced(schema, root), ...schemasUnder(schema, "allOf")];
  const found = others.flatMap((each) => oneOfsIn(each, root, depth + 1));
  return own.length > 1 ? [own, ...found] : found;
}

function referenced({ $ref }: JsonObject, root: JsonSchema): readonly JsonSchema[] {
  return typeof $ref === "string" ? [targetOf(root, $ref).schema] : [];
}
