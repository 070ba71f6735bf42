import type { ToolModel } from "../../../core/skill-model.js";
import { listedIn, looseBranches, typeOf } from "../../../schema/compare/normal-form.js";
import type { Branch } from "../../../schema/compare/source.js";
import type { ValueFacts } from "../../../schema/look-up.js";
import { schemaAt } from "../../../schema/schema-tree.js";

/** Whether a value may be text of no form: none of `enum`, `const`, `pattern` and `format`. */
export function mayBeAnyText(tool: ToolModel, facts: ValueFacts): boolean {
  return facts.types.includes("string") && formsOf(tool, facts).some(isAnyText);
}

/** The formats of a value that is always text of one; none when it may be anything else. */
export function formatsOf(tool: ToolModel, facts: ValueFacts): readonly string[] {
  const forms = formsOf(tool, facts);
  const formats = forms.flatMap((form) => {
    if (form === true || typeOf(form) !== "string" || listedIn(form) !== undefined) return [];
    return typeof form["format"] === "string" ? [form["format"]] : [];
  });
  return formats.length === forms.length ? formats : [];
}

/** None where several schemas describe a value: then nothing is known. */
function formsOf({ parameters }: ToolModel, facts: ValueFacts): readonly Branch[] {
  const { schema } = parameters;
  if (facts.schema === undefined) return [];
  return looseBranches(schemaAt(schema, facts.schema), schema);
}

function isAnyText(branch: Branch): boolean {
  if (branch === true) return true;
  const { format, pattern } = branch;
  if (listedIn(branch) !== undefined || format !== undefined || pattern !== undefined) return false;
  const type = typeOf(branch);
  return type === undefined || type === "string";
}
