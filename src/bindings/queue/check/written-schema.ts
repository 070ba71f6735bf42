import type { JsonSchema } from "../../../core/json.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { exactList, exactObject } from "../../../schema/compare/values.js";
import { filledSchema } from "../../../schema/form.js";
import { partSchemas } from "../../../schema/compare/normal-form.js";
import { factsOf } from "../../coverage.js";
import {
  literalText,
  loneParameter,
  type ParameterPart,
  type TextTemplate,
} from "../../text-template.js";
import type { ScalarModel, ValueEntry, ValueNode } from "../../values/model.js";
import { madeText } from "../../../schema/made-text.js";
import { knownTexts, patternOf } from "../known-texts.js";

/** What may be written where a damaged or unknown reference stands: no value, so that nothing more is said of it. */
const nothing: JsonSchema = false;

/** A JSON Schema of what a message can become, given its parameters; its references lead into `filledSchema` of theirs. */
export function writtenSchema(tool: ToolModel, node: ValueNode): JsonSchema {
  switch (node.kind) {
    case "literal":
      return { const: node.value };
    case "template":
      return templateSchema(tool, node);
    case "list":
      return exactList(node.items.map((item) => writtenSchema(tool, item)));
    case "map":
      return mapSchema(tool, node.entries);
  }
}

function mapSchema(tool: ToolModel, entries: readonly ValueEntry[]): JsonSchema {
  const required = entries
    .filter(({ value }) => partThatMayBeAbsent(tool, value) === undefined)
    .map(({ name }) => name);
  return exactObject(
    entries.map(({ name, value }) => [name, writtenSchema(tool, value)]),
    required,
  );
}

function templateSchema(
  tool: ToolModel,
  { template }: ScalarModel & { readonly kind: "template" },
): JsonSchema {
  const fixed = literalText(template);
  if (fixed !== undefined) return { const: fixed };
  const alone = loneParameter(template);
  if (alone === undefined) return textSchema(tool, template);
  const facts = factsOf(tool, alone);
  if (facts === undefined) return nothing;
  const { enum: listed, schema, types } = facts;
  const forms = partSchemas(filledSchema(tool.parameters.schema), alone.path);
  const [only = true, ...others] = forms;
  if (schema !== undefined && others.length === 0) return only;
  return {
    type: types,
    ...(listed && { enum: listed }),
    ...(forms.length > 0 && { anyOf: forms }),
  };
}

/** Text around parameters is any text with what stands around them, unless these list their values. */
function textSchema(tool: ToolModel, template: TextTemplate): JsonSchema {
  const texts = knownTexts(tool, template);
  const [only, ...others] = texts ?? [];
  if (texts === undefined || only === undefined)
    return template.whole ? madeText(patternOf(tool, template)) : nothing;
  return others.length === 0 ? { const: only } : { enum: texts };
}

/** A parameter without which a value is left out. */
export interface AbsentPart {
  readonly part: ParameterPart;
  /** Whether it is there and null: that is a value, but makes no text. */
  readonly isNull: boolean;
}

export function partThatMayBeAbsent(tool: ToolModel, value: ValueNode): AbsentPart | undefined {
  if (value.kind !== "template") return undefined;
  const isAlone = loneParameter(value.template) !== undefined;
  for (const part of value.template.parts) {
    const facts = part.kind === "parameter" ? factsOf(tool, part) : undefined;
    if (part.kind !== "parameter" || facts === undefined) continue;
    if (facts.presence !== "always") return { part, isNull: false };
    if (!isAlone && facts.types.includes("null")) return { part, isNull: true };
  }
  return undefined;
}
