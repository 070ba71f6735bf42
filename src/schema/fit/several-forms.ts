import { isJsonObject, type JsonObject, type JsonSchema } from "../../core/json.js";
import { areApart } from "./apart.js";
import type { Branch } from "./branch.js";
import { branchesOf } from "./branches.js";
import type { Comparing, Misfit } from "./misfit.js";
import { refused } from "./misfits-scalar.js";
import { schemasUnder, targetOf } from "../schema-tree.js";

/** Of values that fit a schema otherwise: whether all of them fit several forms of a `oneOf`. */
export function severalForms(given: Branch, wanted: JsonSchema, at: Comparing): readonly Misfit[] {
  const isSeveral = oneOfsIn(wanted, at.wanted).some((forms) => fitsTwo(given, forms, at));
  return isSeveral ? [refused({ fitsSeveral: true, keyword: "oneOf" })] : [];
}

function fitsTwo(given: Branch, forms: readonly JsonSchema[], at: Comparing): boolean {
  let fitting = 0;
  for (const form of forms) {
    const mayFit = branchesOf(form, at.wanted).some((each) => !areApart(given, each, at));
    if (mayFit && at.compare(given, form).length === 0) fitting += 1;
    if (fitting > 1) return true;
  }
  return false;
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
