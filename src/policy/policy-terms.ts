/**
 * Finds the literals that a policy's conditions compare and the names behind `has`, each with its
 * range. Cedar's JSON form has the comparisons without ranges; the tokens of the text have the
 * ranges. Both are in the same order.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.js";
import type { TextRange } from "../core/span.js";
import { tokensOf } from "./split-policies.js";

export interface PolicyTerms {
  readonly comparisons: readonly Comparison[];
  readonly asked: readonly HasTest[];
  readonly names: readonly EntityName[];
  /** Scopes that the conditions look for; `any` if they may look for every scope. */
  readonly scopes: readonly string[] | "any";
}

/** A principal or tenant that the policy names: `Caller::"ada"`. */
export interface EntityName {
  readonly type: string;
  readonly name: string;
  readonly place: TextRange;
}

/** A comparison of an attribute of the context with literals. */
export interface Comparison {
  /** Property names of the context, outermost first. */
  readonly path: readonly string[];
  /** Comparison by value, as an item of a set, by size, or by a pattern. */
  readonly by: "value" | "item" | "order" | "like";
  /** For `<` and `>`: the side of the literal on which the value must be. */
  readonly side?: "more" | "less";
  readonly literals: readonly Literal[];
}

export interface Literal {
  /** Literal; for `like`, the texts between the `*`. */
  readonly value: string | number | readonly string[];
  /** Range in the policy's text; undefined if it is unknown. */
  readonly place?: TextRange;
}

/** A name after `has`. */
export interface HasTest {
  readonly of: "context" | "principal" | "action" | "resource";
  readonly path: readonly string[];
  readonly place?: TextRange;
}

/** @param conditions conditions of a policy, in Cedar's JSON form */
export function policyTerms(conditions: JsonValue, text: string): PolicyTerms {
  const nodes = new Map<JsonValue, TextRange>();
  locate(conditions, text, (node, place) => nodes.set(node, place));
  const found = { comparisons: [] as Comparison[], asked: [] as HasTest[] };
  collect(conditions, nodes, found);
  return { ...found, names: namesIn(text), scopes: scopesIn(conditions) };
}

/** Returns the scopes to which an expression compares those of the caller. */
function scopesIn(node: JsonValue): readonly string[] | "any" {
  if (!isJsonObject(node) && !Array.isArray(node)) return [];
  if (pathOf(isJsonObject(node) ? node : undefined)?.join(".") === "scopes") return "any";
  const asked = isJsonObject(node) ? askedScopes(node) : undefined;
  if (asked !== undefined) return asked;
  const inside = Object.values(node).map((each: JsonValue) => scopesIn(each));
  return inside.includes("any") ? "any" : inside.flat();
}

/** Returns the scopes of one comparison; undefined if it is none, or compares to other values. */
function askedScopes(node: JsonObject): readonly string[] | undefined {
  const only = comparisonsAt(node, new Map()).find(({ path }) => path.join(".") === "scopes");
  const [[operator, operand] = []] = Object.entries(node);
  if (only === undefined || !isJsonObject(operand)) return undefined;
  const sides = [operand["left"], operand["right"]];
  // A list of all scopes that a caller may hold excludes every other scope.
  const isWhole =
    operator === "==" || operator === "!=" || pathOf(operand["right"])?.[0] === "scopes";
  if (isWhole && operator !== "containsAny") return undefined;
  const isConstant = sides.some((side) => isJsonObject(side) && isLiteral(side));
  return isConstant ? only.literals.map(({ value }) => String(value)) : undefined;
}

function isLiteral({ Set: items, Value: value }: JsonObject): boolean {
  if (!Array.isArray(items)) return value !== undefined;
  return items.every((each: JsonValue) => isJsonObject(each) && isLiteral(each));
}

function namesIn(text: string): readonly EntityName[] {
  const tokens = [...tokensOf(text)];
  return tokens.flatMap(({ found, index }, at) => {
    const [type, colons] = [tokens[at - 2]?.found, tokens[at - 1]?.found];
    if (type === undefined || colons !== "::" || !found.startsWith('"')) return [];
    const place = { start: index, end: index + found.length };
    return [{ type, name: meaningOf(found).slice(1), place }];
  });
}

type Places = ReadonlyMap<JsonValue, TextRange>;

function collect(
  node: JsonValue,
  places: Places,
  found: { readonly comparisons: Comparison[]; readonly asked: HasTest[] },
): void {
  if (Array.isArray(node)) node.forEach((each: JsonValue) => collect(each, places, found));
  if (!isJsonObject(node)) return;
  found.comparisons.push(...comparisonsAt(node, places));
  found.asked.push(...hasTestsAt(node, places));
  if (node["Value"] === undefined)
    Object.values(node).forEach((each) => collect(each, places, found));
}

/** Operators of order; for those that exclude equal values, the side of the left operand. */
const orders: ReadonlyMap<string, Comparison["side"]> = new Map([
  ["<", "less"],
  ["lessThan", "less"],
  [">", "more"],
  ["greaterThan", "more"],
  ...["<=", ">=", "lessThanOrEqual", "greaterThanOrEqual"].map(
    (each) => [each, undefined] as const,
  ),
]);
const sets: ReadonlySet<string> = new Set(["contains", "containsAll", "containsAny"]);

function comparisonsAt(node: JsonObject, places: Places): readonly Comparison[] {
  const [operator = ""] = Object.keys(node);
  const operand = node[operator];
  const [left, right] = Array.isArray(operand)
    ? (operand as readonly JsonValue[])
    : isJsonObject(operand)
      ? [operand["left"], operand["right"]]
      : [];
  const compared = (
    by: Comparison["by"],
    read: JsonValue | undefined,
    literal: JsonValue | undefined,
  ): readonly Comparison[] => {
    const path = pathOf(read);
    const literals = literalsIn(literal, places);
    return path === undefined || literals.length === 0 ? [] : [{ path, by, literals }];
  };
  if (operator === "==" || operator === "!=")
    return [...compared("value", left, right), ...compared("value", right, left)];
  if (orders.has(operator)) {
    const side = orders.get(operator);
    return [
      ...compared("order", left, right).map((each) => onSide(each, side)),
      ...compared("order", right, left).map((each) => onSide(each, side && otherSide[side])),
    ];
  }
  if (sets.has(operator)) {
    const isItem = operator === "contains" && isSet(left);
    return [...compared("item", left, right), ...compared(isItem ? "value" : "item", right, left)];
  }
  if (operator !== "like" || !isJsonObject(operand)) return [];
  const path = pathOf(left);
  if (path === undefined) return [];
  const place = places.get(operand);
  return [{ path, by: "like", literals: [{ value: piecesOf(operand), ...(place && { place }) }] }];
}

const otherSide = { more: "less", less: "more" } as const;

function onSide(comparison: Comparison, side: Comparison["side"]): Comparison {
  return side === undefined ? comparison : { ...comparison, side };
}

function isSet(node: JsonValue | undefined): boolean {
  return isJsonObject(node) && node["Set"] !== undefined;
}

function literalsIn(node: JsonValue | undefined, places: Places): readonly Literal[] {
  if (!isJsonObject(node)) return [];
  const { Set: items, Value: value, decimal } = node;
  if (Array.isArray(items)) return items.flatMap((each: JsonValue) => literalsIn(each, places));
  if (Array.isArray(decimal))
    return literalsIn(decimal[0], places).map((each) => ({ ...each, value: Number(each.value) }));
  if (typeof value !== "string" && typeof value !== "number") return [];
  const place = places.get(node);
  return [{ value, ...(place && { place }) }];
}

/** Returns the texts before, between and after the `*` of a pattern. */
function piecesOf({ pattern }: JsonObject): readonly string[] {
  const pieces = [""];
  for (const part of Array.isArray(pattern) ? (pattern as readonly JsonValue[]) : []) {
    if (!isJsonObject(part)) pieces.push("");
    else if (typeof part["Literal"] === "string") pieces.push(`${pieces.pop()}${part["Literal"]}`);
  }
  return pieces;
}

const roots = ["context", "principal", "action", "resource"] as const;

function hasTestsAt(node: JsonObject, places: Places): readonly HasTest[] {
  const { has } = node;
  if (!isJsonObject(has)) return [];
  const root = roots.find((each) => pathOf(has["left"], each) !== undefined);
  if (root === undefined) return [];
  const before = pathOf(has["left"], root) ?? [];
  const names = namesOf(has["attr"]);
  const place = places.get(has);
  return names.map((_, index) => ({
    of: root,
    path: [...before, ...names.slice(0, index + 1)],
    ...(place && { place }),
  }));
}

/** Returns one name, or several for `has a.b`. */
function namesOf(attr: JsonValue | undefined): readonly string[] {
  if (typeof attr === "string") return [attr];
  return Array.isArray(attr) ? attr.map(String) : [];
}

/**
 * Returns the path of properties that an expression reads from the context, or from another
 * variable. Undefined for any other expression.
 */
export function pathOf(
  value: JsonValue | undefined,
  variable: string = "context",
): readonly string[] | undefined {
  if (!isJsonObject(value)) return undefined;
  if (value["Var"] === variable) return [];
  const access = value["."] ?? value["has"];
  if (!isJsonObject(access)) return undefined;
  const before = pathOf(access["left"], variable);
  return before && [...before, ...namesOf(access["attr"])];
}

/** Finds the place of each literal, of each pattern, and of each name after `has`. */
function locate(
  conditions: JsonValue,
  text: string,
  tell: (node: JsonValue, place: TextRange) => void,
): void {
  const tokens = [...tokensOf(text)].map(({ found, index }) => ({
    meaning: meaningOf(found),
    place: { start: index, end: index + found.length },
  }));
  // Skip the scope and annotations before the first clause; an annotation may have any name.
  const start = tokens.findIndex(
    ({ meaning }, index) =>
      (meaning === "when" || meaning === "unless") && tokens[index - 1]?.meaning !== "@",
  );
  walk(conditions, createSearch(tokens, start, tell));
}

interface Token {
  readonly meaning: string;
  readonly place: TextRange;
}

function createSearch(
  tokens: readonly Token[],
  start: number,
  tell: (node: JsonValue, place: TextRange) => void,
): TokenSearch {
  let at = start;
  let furthest = start;
  return {
    find(meaning, node) {
      for (let index = at + 1; index < tokens.length; index += 1) {
        const token = tokens[index];
        if (token?.meaning !== meaning) continue;
        at = index;
        furthest = Math.max(furthest, index);
        if (node !== undefined) tell(node, token.place);
        return;
      }
    },
    anyOrder(parts) {
      const before = at;
      for (const part of parts) {
        at = before;
        part();
      }
      at = furthest;
    },
  };
}

interface TokenSearch {
  /** Finds the next token with this meaning, and makes it the node's place. */
  find(meaning: string, node?: JsonValue): void;
  /** Walks parts in unknown order. */
  anyOrder(parts: readonly (() => void)[]): void;
}

/** Walks in the order of the text, except for fields of records, which Cedar sorts. */
function walk(node: JsonValue, search: TokenSearch): void {
  if (Array.isArray(node)) return node.forEach((each: JsonValue) => walk(each, search));
  if (!isJsonObject(node)) return;
  const { ".": access, has, like, Value: value } = node;
  if (value !== undefined) return findValue(value, node, search);
  for (const each of [access, has])
    if (isJsonObject(each)) {
      walk(each["left"] ?? null, search);
      for (const name of namesOf(each["attr"])) search.find(`=${name}`, each);
      return;
    }
  if (isJsonObject(like)) {
    walk(like["left"] ?? null, search);
    return search.find(`=${piecesOf(like).join("*")}`, like);
  }
  for (const [name, each] of Object.entries(node)) {
    if (name === "kind" || name === "Var" || name === "entity_type") continue;
    if (name === "Record" && isJsonObject(each))
      search.anyOrder(
        Object.entries(each).map(([key, field]) => () => {
          search.find(`=${key}`);
          walk(field, search);
        }),
      );
    else walk(each, search);
  }
}

function findValue(value: JsonValue, node: JsonValue, search: TokenSearch): void {
  if (typeof value === "string") return search.find(`=${value}`, node);
  if (typeof value === "number") return search.find(`#${Math.abs(value)}`, node);
  const entity = isJsonObject(value) ? value["__entity"] : undefined;
  if (isJsonObject(entity)) search.find(`=${String(entity["id"])}`, node);
}

/** Normalizes a token: `=` before a name or a text, `#` before a number, other tokens unchanged. */
function meaningOf(token: string): string {
  if (token.startsWith('"')) return `=${unescaped(token.slice(1, -1))}`;
  if (/^\d/.test(token)) return `#${Number(token)}`;
  if (token === "when" || token === "unless") return token;
  return /^[A-Za-z_]/.test(token) ? `=${token}` : token;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["0", "\0"],
]);

function unescaped(text: string): string {
  return text.replace(
    /\\u\{([\da-f]{1,6})\}|\\x([\da-f]{2})|\\([^])/gi,
    (_, point: string | undefined, byte: string | undefined, letter: string = "") =>
      letter === ""
        ? String.fromCodePoint(Math.min(parseInt(point ?? byte ?? "", 16), 0x10ffff))
        : (escapes.get(letter) ?? letter),
  );
}
