import { lookUp, type JsonType } from "../../../schema/look-up.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { ChainType } from "../builder/chain.js";
import type { SqlConfig } from "../model.js";

/** The TypeScript type that a placeholder's value has in the tool, null included; undefined when it has no plain one. */
export function argumentTypes(
  tool: ToolModel,
  { mapping }: SqlConfig,
): (placeholder: string) => ChainType | undefined {
  return (placeholder) => {
    const mapped = mapping.find((each) => each.placeholder === placeholder);
    return typeAt(tool, [mapped?.parameter ?? placeholder]);
  };
}

/** Steps into items; an open schema has no end. */
const deepest = 4;

function typeAt(tool: ToolModel, path: readonly (string | number)[]): ChainType | undefined {
  if (path.length > deepest) return undefined;
  const facts = lookUp(tool.parameters, path);
  const types: ChainType[] = [];
  const values = facts.enum?.filter((each) => each !== null);
  const labels = values?.every((each) => typeof each === "string") === true ? values : undefined;
  if (labels !== undefined) types.push({ kind: "labels", of: labels });
  for (const type of new Set(facts.types.map(keywordOf))) {
    if (type === "other") return undefined;
    if (type === "array") {
      const item = typeAt(tool, [...path, 0]);
      if (item === undefined) return undefined;
      types.push({ kind: "array", of: item });
    } else if (type !== "string" || labels === undefined) {
      types.push({ kind: "keyword", name: type });
    }
  }
  if (facts.presence === "sometimes") types.push({ kind: "keyword", name: "null" });
  return types.length === 1 ? types[0] : { kind: "union", of: types };
}

function keywordOf(type: JsonType): "string" | "number" | "boolean" | "null" | "array" | "other" {
  if (type === "integer") return "number";
  return type === "object" ? "other" : type;
}
