import type { Node } from "@pgsql/types";
import { bodyOf, type Fields, fieldsOf } from "../node.js";
import { chooseOperators } from "./choose-operators.js";
import { allOf } from "./facts.js";
import type { Analysis, Scope, Value } from "./model.js";
import { oneOf } from "./value.js";

/** Each branch is looked at with what its condition proves, and what the conditions before it, being false, prove. */
export function inferCase(
  { arg, args = [], defresult }: Fields<"CaseExpr">,
  scope: Scope,
  a: Analysis,
): Value {
  const compared = arg === undefined ? undefined : a.infer(arg, scope);
  const values: Value[] = [];
  let reached = scope;
  for (const each of args) {
    const { expr, result } = fieldsOf(each, "CaseWhen") ?? {};
    const condition = a.infer(expr, reached);
    if (compared !== undefined)
      chooseOperators(a, { node: bodyOf(each), path: ["="] }, compared.type, condition.type);
    const when = (truth: "true" | "false") =>
      compared === undefined ? withFacts(reached, a, expr, truth) : reached;
    values.push(a.infer(result, when("true")));
    // Not true is false only where it cannot be NULL.
    if (condition.null === "never") reached = when("false");
  }
  const otherwise: Value =
    defresult === undefined ? { type: "literal", null: "always" } : a.infer(defresult, reached);
  return oneOf(a.catalog, [...values, otherwise]);
}

function withFacts(
  scope: Scope,
  a: Analysis,
  expr: Node | undefined,
  when: "true" | "false",
): Scope {
  return { ...scope, facts: allOf([scope.facts, a.prove(expr, scope, when)]) };
}
