import { type RiskLevel, riskLevels } from "../../core/skill-model.js";
import { type ScalarNode, type SyntaxNode, textOf } from "../../core/syntax-node.js";

/** The words of tool hubs for them, by what they allow a model to do. */
const hubWords: ReadonlyMap<string, { readonly level: RiskLevel; readonly asks?: true }> = new Map([
  ["read", { level: "low" }],
  ["exec_low", { level: "medium" }],
  ["exec_high", { level: "high", asks: true }],
  ["write", { level: "high", asks: true }],
]);

/** All that `risk_level` may be. */
export const riskWords: readonly string[] = [...riskLevels, ...hubWords.keys()];

/** A risk level as written. */
export interface WrittenRisk {
  readonly level: RiskLevel;
  /** True if the word requires approval of every call. */
  readonly asks: boolean;
  readonly node: SyntaxNode;
}

/**
 * The risk level that a node spells; undefined for anything else, which the shape check reports.
 */
export function riskOf(node: SyntaxNode | undefined): WrittenRisk | undefined {
  const text = textOf(node);
  if (node === undefined || text === undefined) return undefined;
  const hub = hubWords.get(text);
  const level = hub?.level ?? riskLevels.find((each) => each === text);
  return level && { level, asks: hub?.asks === true, node };
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

/** Checks for the value `true`. */
export function isTrue(node: SyntaxNode | undefined): boolean {
  return node?.kind === "scalar" && node.value === true;
}
