import type { Node } from "@pgsql/types";
import { type Chain, type ChainType, literal } from "../chain.js";
import { columnRef } from "../nodes.js";
import type { Place } from "../place.js";
import { orNull } from "../type-relations.js";
import { template, words } from "../words.js";
import { parameterAs } from "./parameter.js";
import { resolveText } from "./reference.js";

/** A comparison in the three parts that Kysely wants. */
export interface Comparison {
  readonly left: Chain;
  readonly operator: string;
  /** A column's name when `references`, which only the `…Ref` methods take; a value otherwise. */
  readonly right: Chain;
  readonly references: boolean;
  /** The right side as an expression, where the `…Ref` methods are not; undefined when Kysely's types would not take it. */
  readonly rightValue?: Chain | undefined;
}

export interface Side {
  readonly chain: Chain;
  /** What Kysely wants beside it; undefined when that is not known. */
  readonly type?: ChainType | undefined;
}

/** What may stand on the left: columns and calls, which need no parentheses. */
export function leftSide(node: Node, place: Place): Side | undefined {
  const ref = columnRef(node);
  const text = ref === undefined ? undefined : resolveText(ref, place);
  if (text !== undefined) return { chain: literal(text.text, text.sees), type: text.type };
  if (ref === undefined && !("FuncCall" in node)) return undefined;
  const { chain, type } = place.say.value(node, place);
  return chain.kind === "template" ? undefined : { chain, type };
}

export function rightSide(node: Node, place: Place, type: ChainType): Chain {
  if ("ParamRef" in node) return parameterAs(node.ParamRef, place, orNull(type));
  const chain = place.say.coerced(node, place, type);
  return chain.kind === "template" && needsParentheses(node)
    ? template(words`(${chain})`, type)
    : chain;
}

/** Everything else binds tighter than the comparisons that stand beside it. */
export function needsParentheses(node: Node): boolean {
  return (
    "A_Expr" in node ||
    "BoolExpr" in node ||
    "NullTest" in node ||
    "BooleanTest" in node ||
    "CollateClause" in node ||
    "XmlExpr" in node ||
    "JsonIsPredicate" in node
  );
}
