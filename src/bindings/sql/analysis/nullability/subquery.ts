import { arrayOver } from "../catalog/result-type.js";
import { OID } from "../catalog/value-type.js";
import { type Fields, fieldsOf, namesIn } from "../node.js";
import { chooseOperators } from "./choose-operators.js";
import { type Analysis, type Scope, UNKNOWN, type Value } from "./model.js";
import { certain, possible, TRUTH, whenAll } from "./value.js";

/** What is proven of a subquery in an expression. */
export function inferSubquery(link: Fields<"SubLink">, scope: Scope, a: Analysis): Value {
  const { columns, oneRow } = a.query(link.subselect, scope);
  const [first, ...others] = columns ?? [];
  const single = first !== undefined && others.length === 0 ? first.value : UNKNOWN;
  switch (link.subLinkType) {
    case "EXISTS_SUBLINK":
      return TRUTH;
    case "ARRAY_SUBLINK":
      return certain(arrayOver(a.catalog, single.type === "literal" ? OID.text : single.type));
    case "EXPR_SUBLINK":
      // No row makes it NULL.
      return single.null === "never" && oneRow ? single : possible(single.type);
    case "ANY_SUBLINK":
    case "ALL_SUBLINK": {
      const left = a.infer(link.testexpr, scope);
      const path = link.operName === undefined ? ["="] : namesIn(link.operName);
      const { total } = chooseOperators(a, { node: link, path }, left.type, single.type);
      const plain = fieldsOf(link.testexpr, "RowExpr") === undefined;
      return total && plain ? whenAll(OID.bool, [left, single]) : possible(OID.bool);
    }
    default:
      a.infer(link.testexpr, scope);
      return UNKNOWN;
  }
}
