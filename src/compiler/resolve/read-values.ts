import type { RiskLevel } from "../../core/skill-model.js";
import { type ScalarNode, type SyntaxNode, textOf } from "../../core/syntax-node.js";

/** From harmless to grave. */
export const riskLevels = [
  "low",
  "medium",
  "high",
  "critical",
] as const satisfies readonly RiskLevel[];

/**
 * The risk level that a node spells; undefined for anything else, which the shape check reports.
 */
export function riskLevelOf(node: SyntaxNode | undefined): RiskLevel | undefined {
  const text = textOf(node);
  return riskLevels.find((each) => each === text);
}

/** The texts of a list; items that are none are reported by the shape check. */
export function textsOf(
  node: SyntaxNode | undefined,
): readonly (ScalarNode & { readonly value: string })[] {
  return node?.kind === "list" ? node.items.filter(isText) : [];
}

function isText(node: SyntaxNode): node is ScalarNode & { readonly value: string } {
  return node.kind === "scalar" && typeof node.value === "string";
}

/** The number that a node spells; undefined for anything else. */
export function numberOf(node: SyntaxNode | undefined): number | undefined {
  return node?.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
}

/** Whether a node spells `true`. */
export function isTrue(node: SyntaxNode | undefined): boolean {
  return node?.kind === "scalar" && node.value === true;
}
