import type { FuncCall, JsonFuncExpr, JsonBehavior, JsonReturning, Node } from "@pgsql/types";
import { NoWords } from "../nodes.js";
import type { Place } from "../place.js";
import { joinWords, quoted, type Words, words } from "../words.js";

/** SQL text of what the deparser doesn't know; undefined for everything else. */
export function specialWords(node: Node, place: Place): Words | undefined {
  if ("JsonFuncExpr" in node) return jsonQuery(node.JsonFuncExpr, place);
  if ("FuncCall" in node) return atLocal(node.FuncCall, place);
  return undefined;
}

/** `x AT LOCAL` is a call with one argument in a form of its own. */
function atLocal(call: FuncCall, place: Place): Words | undefined {
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

/** JSON_EXISTS, JSON_QUERY and JSON_VALUE. */
function jsonQuery(query: JsonFuncExpr, place: Place): Words {
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
  if (word === undefined) throw new NoWords("what a JSON function does without a value");
  return [` ${word} on ${when}`];
}
