import type { A_Const, CoalesceExpr, Node, SubLink } from "@pgsql/types";
import {
  call,
  type Chain,
  type ChainType,
  literal,
  member,
  neverType,
  sql,
  typedCall,
  unknownType,
} from "../chain.js";
import { columnRef, constantOf, fieldsOf } from "../nodes.js";
import { builder, type Place, type Typed } from "../place.js";
import { resolveReference } from "../scope.js";
import { isSame } from "../type-relations.js";
import { template } from "../words.js";
import { caseValue } from "./case.js";
import { functionValue } from "./function-call.js";
import { subqueryChain } from "./fragment.js";
import { parameterAs, parameterValue } from "./parameter.js";
import { referenceText, referenceValue } from "./reference.js";

/** An expression in Kysely's words, or as a fragment where it has none. */
export function valueOf(node: Node, place: Place): Typed {
  if ("ColumnRef" in node) return referenceValue(node.ColumnRef, place);
  if ("ParamRef" in node) return { chain: parameterValue(node.ParamRef, place) };
  if ("A_Const" in node) return constantValue(node.A_Const, node, place);
  if ("BoolExpr" in node || isExists(node)) return { chain: place.say.condition(node, place) };
  const worded = wordedValue(node, place);
  return worded ?? { chain: template(place.say.words(node, place)) };
}

function wordedValue(node: Node, place: Place): Typed | undefined {
  if ("SubLink" in node) return subqueryValue(node.SubLink, place);
  if ("FuncCall" in node) return functionValue(node.FuncCall, place);
  if ("CaseExpr" in node) return caseValue(node.CaseExpr, place);
  if ("CoalesceExpr" in node) return coalesceValue(node.CoalesceExpr, place);
  return undefined;
}

/** A column's name where Kysely takes one, or an expression. */
export function operandOf(node: Node, place: Place): Chain {
  const ref = columnRef(node);
  const text = ref === undefined ? undefined : referenceText(ref, place);
  return text ?? place.say.value(node, place).chain;
}

/** An expression where Kysely wants that type: PostgreSQL is more generous than the types are. */
export function coercedValue(node: Node, place: Place, wanted: ChainType | undefined): Chain {
  const type = wanted ?? neverType;
  if ("ParamRef" in node) return parameterAs(node.ParamRef, place, type);
  if ("A_Const" in node) return constantAs(node.A_Const, type) ?? fragmentAs(node, place, type);
  const { chain, type: own } = place.say.value(node, place);
  if (chain.kind === "template") return { ...chain, type };
  if (chain.kind === "apply" && isSame(chain.types?.[0], unknownType))
    return { ...chain, types: [type] };
  return isSame(own, type) ? chain : typedCall(chain, "$castTo", [type]);
}

/** The same where Kysely takes no NULL: PostgreSQL does, and looks at each row. */
export function coercedWithoutNull(node: Node, place: Place, wanted: ChainType | undefined): Chain {
  const chain = place.say.coerced(node, place, wanted);
  if ("A_Const" in node && node.A_Const.isnull === true)
    return typedCall(chain, "$castTo", [wanted ?? neverType]);
  const ref = columnRef(node);
  if (ref === undefined || chain.kind !== "call" || chain.method !== "ref") return chain;
  const found = resolveReference(place.frame, fieldsOf(ref).names);
  return found.kind === "typed" && !found.notNull ? call(chain, "$notNull") : chain;
}

function fragmentAs(node: Node, place: Place, type: ChainType): Chain {
  return template(place.say.words(node, place), type);
}

function constantValue(constant: A_Const, node: Node, place: Place): Typed {
  const found = constantOf(constant);
  if (found.kind !== "value") return { chain: template(place.say.words(node, place)) };
  return { chain: call(sql, "lit", literal(found.value)) };
}

function constantAs(constant: A_Const, type: ChainType): Chain | undefined {
  const found = constantOf(constant);
  if (found.kind !== "value") return undefined;
  const { value } = found;
  const lit = literal(value);
  if (value === null) return call(sql, "lit", lit);
  if (type.kind === "keyword" && type.name === typeof value) return call(sql, "lit", lit);
  if (type.kind === "labels" && typeof value === "string" && type.of.includes(value))
    return typedCall(sql, "lit", [{ kind: "labels", of: [value] }], lit);
  return undefined;
}

function isExists(node: Node): boolean {
  return "SubLink" in node && node.SubLink.subLinkType === "EXISTS_SUBLINK";
}

function subqueryValue(link: SubLink, place: Place): Typed | undefined {
  return link.subLinkType === "EXPR_SUBLINK" ? { chain: subqueryChain(link, place) } : undefined;
}

/** As many arguments as Kysely has types for. */
const MOST_ARGUMENTS = 5;

function coalesceValue({ args = [] }: CoalesceExpr, place: Place): Typed | undefined {
  if (args.length > MOST_ARGUMENTS) return undefined;
  const chains = args.map((each) => place.say.operand(each, place));
  return { chain: call(member(builder(place), "fn"), "coalesce", ...chains) };
}
