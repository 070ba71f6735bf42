import type { A_Expr, BoolExpr, Node } from "@pgsql/types";
import { booleanType, call, type Chain, list, literal, mentions } from "../chain.js";
import { builder, type Place, withBuilder } from "../place.js";
import { template, words } from "../words.js";
import { comparisonOf, comparisonValue } from "./comparison.js";
import { type Comparison, needsParentheses } from "./sides.js";
import { subqueryChain } from "./fragment.js";
import { resolveText } from "./reference.js";
import { coercedWithoutNull } from "./value.js";

/** A Kysely expression that is true or false. */
export function conditionOf(node: Node, place: Place): Chain {
  const comparison = comparisonOf(node, place);
  const compared = comparison && comparisonValue(comparison, place);
  if (compared !== undefined) return compared;
  if ("BoolExpr" in node) return combined(node.BoolExpr, place);
  if ("SubLink" in node && node.SubLink.subLinkType === "EXISTS_SUBLINK")
    return call(builder(place), "exists", subqueryChain(node.SubLink, place));
  const between = "A_Expr" in node ? betweenOf(node.A_Expr, place) : undefined;
  if (between !== undefined) return between;
  if ("FuncCall" in node || "CaseExpr" in node || "A_Const" in node)
    return place.say.coerced(node, place, booleanType);
  return template(place.say.words(node, place), booleanType);
}

function combined({ boolop, args = [] }: BoolExpr, place: Place): Chain {
  const parts = args.map((each) => place.say.condition(each, place));
  const [first] = parts;
  if (boolop !== "NOT_EXPR" || first === undefined)
    return call(builder(place), boolop === "OR_EXPR" ? "or" : "and", list(parts));
  const loose = first.kind === "template" && args.some(needsParentheses);
  return call(builder(place), "not", loose ? template(words`(${first})`, booleanType) : first);
}

const BETWEEN: Readonly<Record<string, string>> = {
  AEXPR_BETWEEN: "between",
  AEXPR_BETWEEN_SYM: "betweenSymmetric",
};

function betweenOf({ kind, lexpr, rexpr }: A_Expr, place: Place): Chain | undefined {
  const method = BETWEEN[kind ?? ""];
  const ref = lexpr !== undefined && "ColumnRef" in lexpr ? lexpr.ColumnRef : undefined;
  const text = ref === undefined ? undefined : resolveText(ref, place);
  if (method === undefined || text?.type === undefined) return undefined;
  if (rexpr === undefined || !("List" in rexpr)) return undefined;
  const { type } = text;
  const bounds = (rexpr.List.items ?? []).map((each) => {
    const chain = coercedWithoutNull(each, place, type);
    return chain.kind === "template" && needsParentheses(each)
      ? template(words`(${chain})`, type)
      : chain;
  });
  return call(builder(place), method, literal(text.text, text.sees), ...bounds);
}

/** `.where(…)` for each condition that must hold, so that each is a line of its own. */
export function conditionCalls(
  on: Chain,
  method: string,
  node: Node | undefined,
  place: Place,
): Chain {
  if (node === undefined) return on;
  const parts =
    "BoolExpr" in node && node.BoolExpr.boolop === "AND_EXPR" ? (node.BoolExpr.args ?? []) : [node];
  return parts.reduce((chain, each) => conditionCall(chain, method, each, place), on);
}

function conditionCall(on: Chain, method: string, node: Node, place: Place): Chain {
  const comparison = comparisonOf(node, place);
  const inParts = comparison && callInParts(on, method, comparison, place);
  if (inParts !== undefined) return inParts;
  const compared = comparison && comparisonValue(comparison, place);
  if (compared !== undefined) return call(on, method, withBuilder(compared, place));
  return call(on, method, withBuilder(place.say.condition(node, place), place));
}

/** `.where(left, operator, right)`; undefined when the whole needs the expression builder. */
function callInParts(
  on: Chain,
  method: string,
  { left, operator, right, references }: Comparison,
  place: Place,
): Chain | undefined {
  const { eb } = place.frame;
  if (mentions(left, eb) && mentions(right, eb) && !references) return undefined;
  if (right.kind === "list" && mentions(right, eb)) return undefined;
  const parts = [withBuilder(left, place), literal(operator), withBuilder(right, place)];
  return call(on, references ? `${method}Ref` : method, ...parts);
}
