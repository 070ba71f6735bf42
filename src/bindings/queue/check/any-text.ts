import type { ToolModel } from "../../../core/skill-model.js";
import { type Branch, branchesOf, listedIn, typeOf } from "../../../schema/fit/branches.js";
import type { ValueFacts } from "../../../schema/look-up.js";
import { schemaAt } from "../../../schema/schema-at.js";

/** Whether a value may be text of no form: none of `enum`, `const`, `pattern` and `format`. Where several schemas describe it, nothing is known. */
export function mayBeAnyText({ parameters }: ToolModel, facts: ValueFacts): boolean {
  if (facts.schema === undefined || !facts.types.includes("string")) return false;
  const { schema } = parameters;
  return branchesOf(schemaAt(schema, facts.schema), schema).some(isAnyText);
}

function isAnyText(branch: Branch): boolean {
  if (branch === true) return true;
  const { format, pattern } = branch;
  if (listedIn(branch) !== undefined || format !== undefined || pattern !== undefined) return false;
  const type = typeOf(branch);
  return type === undefined || type === "string";
}
