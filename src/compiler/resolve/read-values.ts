import { type RiskLevel, riskLevels } from "../../core/skill-model.js";
import { type ScalarNode, type SyntaxNode, textOf } from "../../core/syntax-node.js";

/** Words of tool hubs for risk levels, by the calls that they allow to a model. */
const hubWords: ReadonlyMap<string, { readonly level: RiskLevel; readonly asks?: true }> = new Map([
  ["read", { level: "low" }],
  ["exec_low", { level: "medium" }],
  ["exec_high", { level: "high", asks: true }],
  ["write", { level: "high", asks: true }],
]);

/** All valid values of `risk_level`. */
export const riskWords: readonly string[] = [...riskLevels, ...hubWords.keys()];

/** A risk level as written. */
export interface WrittenRisk {
  readonly level: RiskLevel;
  /** True if the word requires approval of every call. */
  readonly asks: boolean;
  readonly node: SyntaxNode;
}

/** Reads a risk level; undefined for any other value, which the shape check reports. */
export function riskOf(node: SyntaxNode | undefined): WrittenRisk | undefined {
  const text = textOf(node);
  if (node === undefined || text === undefined) return undefined;
  const hub = hubWords.get(text);
  const level = hub?.level ?? riskLevels.find((each) => each === text);
  return level && { level, asks: hub?.asks === true, node };
}

/** Reads the texts of a list. The shape check reports other items. */
export function textsOf(
  node: SyntaxNode | undefined,
): readonly (ScalarNode & { readonly value: string })[] {
  return node?.kind === "list" ? node.items.filter(isText) : [];
}

function isText(node: SyntaxNode): node is ScalarNode & { readonly value: string } {
  return node.kind === "scalar" && typeof node.value === "string";
}

/** Reads a number; undefined for any other value. */
export function numberOf(node: SyntaxNode | undefined): number | undefined {
  return node?.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
}

/** Checks for the value `true`. */
export function isTrue(node: SyntaxNode | undefined): boolean {
  return node?.kind === "scalar" && node.value === true;
}
