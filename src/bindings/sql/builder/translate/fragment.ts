/**
 * Makes SQL text with chains in its holes for parts that Kysely can't express. The deparser prints
 * the text, except for a few forms that it doesn't know.
 */
import type {
  FuncCall,
  JsonBehavior,
  JsonFuncExpr,
  JsonReturning,
  Node,
  SubLink,
} from "@pgsql/types";
import { deparseSync } from "pgsql-deparser";
import { type Chain, joinWords, quoted, template, type Words, words } from "../chain.js";
import { constantOf, constructName, NoWords } from "../nodes.js";
import { type TranslationContext, startInside } from "../place.js";
import { parameterHole, referenceValue } from "./reference.js";

/**
 * Makes SQL text for any expression or clause. Every column, parameter and subquery below it
 * becomes a hole. The function replaces each by a unique marker name, has the deparser print the
 * rest, and splits the text at the markers.
 */
export function fragmentWords(node: Node, place: TranslationContext): Words {
  const own = holeFor(node, place);
  if (own !== undefined) return own;
  const holes: Words[] = [];
  const marked = markHoles(node, place, holes);
  return splitAtHoles(deparse(marked), holes);
}

function deparse(node: Node): string {
  try {
    return deparseSync(node, { pretty: false });
  } catch (error) {
    throw new NoWords(constructName(node), { cause: error });
  }
}

function markHoles(root: Node, place: TranslationContext, holes: Words[]): Node {
  const add = (hole: Words): Node => {
    holes.push(hole);
    return markerNode(holes.length - 1);
  };
  const marked = (value: unknown, parent: Node, field: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => marked(each, parent, field));
    if (typeof value !== "object" || value === null) return value;
    // The value is a node or an object with fields. Only nodes have the properties that are read
    // here.
    const node = value as Node;
    const hole = node === root ? undefined : holeFor(node, place);
    if (hole !== undefined) return add(hole);
    if (node !== root && isGrouped(node, parent, field))
      return add(words`(${place.say.words(node, place)})`);
    const around = isNode(node) && !("List" in node) ? node : parent;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, marked(each, around, key)]),
    );
  };
  // The same tree, with marker columns in place of holes.
  return marked(root, root, "") as Node;
}

function isNode(value: object): boolean {
  return /^[A-Z]/.test(Object.keys(value)[0] ?? "");
}

/**
 * Pattern of a quoted marker. No statement contains one: the brackets are private-use characters.
 */
const MARK = /"\ue000(\d+)\ue001"/;

function markerNode(index: number): Node {
  return { ColumnRef: { fields: [{ String: { sval: `\ue000${index}\ue001` } }] } };
}

function splitAtHoles(text: string, holes: readonly Words[]): Words {
  const pieces = text.split(MARK);
  if (pieces.length !== holes.length * 2 + 1)
    throw new NoWords("a part of the statement is lost in print");
  return pieces.flatMap((piece, index) =>
    index % 2 === 0 ? [piece] : (holes[Number(piece)] ?? []),
  );
}

function holeFor(node: Node, place: TranslationContext): Words | undefined {
  if ("ColumnRef" in node) return words`${referenceValue(node.ColumnRef, place).chain}`;
  if ("ParamRef" in node) return words`${parameterHole(node.ParamRef, place)}`;
  if ("SubLink" in node) return subqueryWords(node.SubLink, place);
  return specialWords(node, place);
}

const COMPARED: Readonly<Record<string, string>> = { ANY_SUBLINK: "any", ALL_SUBLINK: "all" };

function subqueryWords(link: SubLink, place: TranslationContext): Words {
  const query = subqueryChain(link, place);
  if (link.subLinkType === "EXPR_SUBLINK") return words`${query}`;
  if (link.subLinkType === "EXISTS_SUBLINK") return words`(exists ${query})`;
  if (link.subLinkType === "ARRAY_SUBLINK") return words`array${query}`;
  const compared = COMPARED[link.subLinkType ?? ""];
  if (compared === undefined || link.testexpr === undefined)
    throw new NoWords("a comparison with a query");
  const test = place.say.words(link.testexpr, place);
  if (link.operName === undefined) return words`((${test}) in ${query})`;
  const operator = deparse({
    A_Expr: { kind: "AEXPR_OP", name: link.operName, lexpr: markerNode(0), rexpr: markerNode(1) },
  }).split(MARK)[2];
  return words`((${test})${[operator ?? ""]}${[compared]} ${query})`;
}

/** A query in an expression, in parentheses. */
export function subqueryChain(link: SubLink, place: TranslationContext): Chain {
  if (link.subselect === undefined || !("SelectStmt" in link.subselect))
    throw new NoWords("a query other than SELECT");
  const { chain } = place.say.query(link.subselect.SelectStmt, startInside(place));
  return inParentheses(chain);
}

/** Kysely puts its own nested queries in parentheses; a fragment must contain them. */
export function inParentheses(chain: Chain): Chain {
  return chain.kind === "template" ? template(words`(${chain})`, chain.type) : chain;
}

/** SQL text of forms that the deparser doesn't know; undefined for all others. */
function specialWords(node: Node, place: TranslationContext): Words | undefined {
  if ("JsonFuncExpr" in node) return jsonQuery(node.JsonFuncExpr, place);
  if ("FuncCall" in node) return atLocal(node.FuncCall, place);
  return undefined;
}

/** `x AT LOCAL` is a call with one argument in a special form. */
function atLocal(call: FuncCall, place: TranslationContext): Words | undefined {
  const [subject, ...others] = call.args ?? [];
  if (call.funcformat !== "COERCE_SQL_SYNTAX" || others.length > 0) return undefined;
  const last = call.funcname?.at(-1);
  const isTimezone = last !== undefined && "String" in last && last.String.sval === "timezone";
  if (!isTimezone || subject === undefined) return undefined;
  return words`((${place.say.words(subject, place)}) at local)`;
}

const JSON_QUERIES: Readonly<Record<string, string>> = {
  JSON_EXISTS_OP: "json_exists",
  JSON_QUERY_OP: "json_query",
  JSON_VALUE_OP: "json_value",
};

/** Prints JSON_EXISTS, JSON_QUERY and JSON_VALUE. */
function jsonQuery(query: JsonFuncExpr, place: TranslationContext): Words {
  const say = (node: Node | undefined): Words => {
    if (node === undefined) throw new NoWords("a JSON function without its argument");
    return place.say.words(node, place);
  };
  const name = JSON_QUERIES[query.op ?? ""];
  if (name === undefined) throw new NoWords("a JSON function");
  const passing = (query.passing ?? []).map((each) => {
    if (!("JsonArgument" in each)) throw new NoWords("an argument of a JSON path");
    const { name: key = "", val } = each.JsonArgument;
    return words`${jsonValue(val, say)} as ${quoted(key)}`;
  });
  return joinWords(
    [
      words`${[`${name}(`]}${jsonValue(query.context_item, say)}, ${say(query.pathspec)}`,
      passing.length === 0 ? [] : words` passing ${joinWords(passing, ", ")}`,
      returning(query.output?.typeName, query.output?.returning, say),
      [WRAPPERS[query.wrapper ?? ""] ?? "", QUOTES[query.quotes ?? ""] ?? ""],
      behavior(query.on_empty, "empty", say),
      behavior(query.on_error, "error", say),
      [")"],
    ],
    "",
  );
}

type Say = (node: Node | undefined) => Words;

function jsonValue(
  value: { readonly raw_expr?: Node; readonly format?: { readonly format_type?: string } } = {},
  say: Say,
): Words {
  const json = value.format?.format_type === "JS_FORMAT_JSON";
  return [...say(value.raw_expr), json ? " format json" : ""];
}

function returning(
  typeName: object | undefined,
  clause: JsonReturning | undefined,
  say: Say,
): Words {
  if (typeName === undefined) return [];
  const json = clause?.format?.format_type === "JS_FORMAT_JSON";
  return [" returning ", ...say({ TypeName: typeName }), json ? " format json" : ""];
}

const WRAPPERS: Readonly<Record<string, string>> = {
  JSW_NONE: " without wrapper",
  JSW_CONDITIONAL: " with conditional wrapper",
  JSW_UNCONDITIONAL: " with unconditional wrapper",
};

const QUOTES: Readonly<Record<string, string>> = {
  JS_QUOTES_KEEP: " keep quotes",
  JS_QUOTES_OMIT: " omit quotes",
};

const BEHAVIORS: Readonly<Record<string, string>> = {
  JSON_BEHAVIOR_NULL: "null",
  JSON_BEHAVIOR_ERROR: "error",
  JSON_BEHAVIOR_EMPTY: "empty",
  JSON_BEHAVIOR_TRUE: "true",
  JSON_BEHAVIOR_FALSE: "false",
  JSON_BEHAVIOR_UNKNOWN: "unknown",
  JSON_BEHAVIOR_EMPTY_ARRAY: "empty array",
  JSON_BEHAVIOR_EMPTY_OBJECT: "empty object",
};

function behavior(clause: JsonBehavior | undefined, when: string, say: Say): Words {
  if (clause === undefined) return [];
  if (clause.btype === "JSON_BEHAVIOR_DEFAULT")
    return [" default ", ...say(clause.expr), ` on ${when}`];
  const word = BEHAVIORS[clause.btype ?? ""];
  if (word === undefined) throw new NoWords("this ON EMPTY or ON ERROR of a JSON function");
  return [` ${word} on ${when}`];
}

/**
 * True if a nested expression needs parentheses that the deparser omits between operators. `parent`
 * is the nearest node around it, lists aside.
 */
function isGrouped(node: Node, parent: Node, field: string): boolean {
  // Example: `(ARRAY[1, 2])[n]`.
  if ("A_Indirection" in parent && field === "arg") return "A_ArrayExpr" in node;
  if (!isOperator(parent)) return false;
  if (isNegative(node)) return true;
  return isOperator(node) && !("TypeCast" in node) && !continues(node, parent, field);
}

const OPERATORS: ReadonlySet<string> = new Set([
  "A_Expr",
  "BoolExpr",
  "BooleanTest",
  "CollateClause",
  "JsonIsPredicate",
  "NullTest",
  "TypeCast",
]);

function isOperator(node: Node): boolean {
  return OPERATORS.has(Object.keys(node)[0] ?? "");
}

function isNegative(node: Node): boolean {
  if (!("A_Const" in node)) return false;
  const constant = constantOf(node.A_Const);
  if (constant.kind === "digits") return constant.text.startsWith("-");
  return constant.kind === "value" && typeof constant.value === "number" && constant.value < 0;
}

/** True for the left side of the same operator, as in `a || b || c`. */
function continues(node: Node, parent: Node, field: string): boolean {
  if (!("A_Expr" in node) || !("A_Expr" in parent) || field !== "lexpr") return false;
  const [inner, outer] = [node.A_Expr, parent.A_Expr];
  const plain = inner.kind === "AEXPR_OP" && outer.kind === "AEXPR_OP" && inner.lexpr !== undefined;
  return plain && JSON.stringify(inner.name) === JSON.stringify(outer.name);
}
