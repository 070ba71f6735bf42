import type { JsonSchema, JsonValue } from "../../../core/json.js";
import { setOwn } from "../../../core/json.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { filledSchema } from "../../../schema/filled-schema.js";
import { schemaAt } from "../../../schema/schema-at.js";
import { factsOf } from "../../coverage.js";
import { literalText, loneParameter, type ParameterPart } from "../../text-template.js";
import type { ScalarModel, ValueNode } from "../../values/model.js";

/** What may be written where a damaged or unknown reference stands: no value, so that nothing more is said of it. */
const nothing: JsonSchema = false;

/** A JSON Schema of what a message can become, given its parameters; its references lead into `filledSchema` of theirs. */
export function writtenSchema(tool: ToolModel, node: ValueNode): JsonSchema {
  switch (node.kind) {
    case "literal":
      return { const: node.value };
    case "template":
      return templateSchema(tool, node);
    case "list": {
      const { length } = node.items;
      const prefixItems = node.items.map((item) => writtenSchema(tool, item));
      return {
        type: "array",
        ...(length > 0 && { prefixItems }),
        items: false,
        minItems: length,
        maxItems: length,
      };
    }
    case "map": {
      const properties: Record<string, JsonValue> = {};
      for (const { name, value } of node.entries)
        setOwn(properties, name, writtenSchema(tool, value));
      const required = node.entries
        .filter(({ value }) => partThatMayBeAbsent(tool, value) === undefined)
        .map(({ name }) => name);
      return { type: "object", properties, required, additionalProperties: false };
    }
  }
}

function templateSchema(
  tool: ToolModel,
  { template }: ScalarModel & { readonly kind: "template" },
): JsonSchema {
  const fixed = literalText(template);
  if (fixed !== undefined) return { const: fixed };
  const alone = loneParameter(template);
  // Text around parameters is any text.
  if (alone === undefined) return template.whole ? { type: "string" } : nothing;
  const facts = factsOf(tool, alone);
  if (facts === undefined) return nothing;
  // What several schemas describe is known by its types.
  if (facts.schema === undefined) return { type: facts.types };
  return schemaAt(filledSchema(tool.parameters.schema), facts.schema);
}

/** The parameter without which a value is left out. Null is a value, but makes no text. */
export function partThatMayBeAbsent(tool: ToolModel, value: ValueNode): ParameterPart | undefined {
  if (value.kind !== "template") return undefined;
  const parameters = value.template.parts.filter((part) => part.kind === "parameter");
  const isAlone = loneParameter(value.template) !== undefined;
  return parameters.find((part) => {
    const facts = factsOf(tool, part);
    if (facts === undefined) return false;
    return facts.presence !== "always" || (!isAlone && facts.types.includes("null"));
  });
}
