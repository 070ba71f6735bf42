import type { CaseExpr, Node } from "@pgsql/types";
import { call, type Chain } from "../chain.js";
import { builder, type Place, type Typed } from "../place.js";

/** `CASE WHEN … THEN … END`; undefined for the form that compares one value, whose types Kysely can't widen. */
export function caseValue(
  { arg, args = [], defresult }: CaseExpr,
  place: Place,
): Typed | undefined {
  if (arg !== undefined) return undefined;
  const whens = args.map((each) => branchOf(each, place));
  if (!whens.every((each) => each !== undefined)) return undefined;
  const begun = whens.reduce<Chain>(
    (chain, { condition, value }) => call(call(chain, "when", condition), "then", value),
    call(builder(place), "case"),
  );
  const whole = defresult === undefined ? begun : call(begun, "else", result(defresult, place));
  return { chain: call(whole, "end") };
}

function branchOf(
  node: Node,
  place: Place,
): { readonly condition: Chain; readonly value: Chain } | undefined {
  if (!("CaseWhen" in node)) return undefined;
  const { expr, result: then } = node.CaseWhen;
  if (expr === undefined || then === undefined) return undefined;
  return { condition: place.say.condition(expr, place), value: result(then, place) };
}

/** Always an expression: Kysely would write a bare value into the SQL. */
function result(node: Node, place: Place): Chain {
  return place.say.value(node, place).chain;
}
