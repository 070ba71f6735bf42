import type { ErrorObject } from "ajv";
import { isJsonObject, type JsonValue } from "../core/json.js";
import { quote, shown } from "../core/names.js";
import { type SyntaxNode, textOf } from "../core/syntax-node.js";
import { didYouMean } from "./suggestion.js";

/** Message about a value. It follows the value's name: `must be a whole number, not text`. */
export interface Phrase {
  readonly problem: string;
  readonly help?: string | undefined;
  readonly isType: boolean;
}

/**
 * @param node the wrong value; undefined for a key
 * @param otherNames words that authors may write for a value
 */
export function phraseOf(
  error: ErrorObject,
  node: SyntaxNode | undefined,
  otherNames: ReadonlyMap<string, string> = new Map(),
): Phrase {
  if (error.keyword === "type") return wrongType(typesOf(error.params["type"]), node);
  if (error.keyword === "anyOf" || error.keyword === "oneOf") return noBranch(error, node);
  if (error.keyword === "enum")
    return wrongChoice(valuesOf(error.params["allowedValues"]), node, otherNames);
  if (error.keyword === "const") return wrongChoice(valuesOf([error.params["allowedValue"]]), node);
  if (error.keyword === "false schema") return { problem: "can't be used here", isType: false };
  return { problem: limitPhrase(error), isType: false };
}

/** The types that would fit; empty if the error isn't about types. */
export function typesThatFit(error: ErrorObject): readonly string[] {
  if (error.keyword === "type") return typesOf(error.params["type"]);
  if (error.keyword !== "anyOf" && error.keyword !== "oneOf") return [];
  const branches = valuesOf(error.schema).filter(isJsonObject);
  return branches.flatMap((each) => typesOf(each["type"]));
}

/** Words for JSON's types, because YAML has no "object". */
const typeNames: ReadonlyMap<string, string> = new Map([
  ["string", "text"],
  ["number", "number"],
  ["integer", "whole number"],
  ["boolean", "`true`/`false`"],
  ["array", "list"],
  ["object", "mapping"],
  ["null", "empty"],
]);

function wrongType(types: readonly string[], node: SyntaxNode | undefined): Phrase {
  return {
    problem: `must be ${alternatives(types.map(describedType))}${node === undefined ? "" : `, not ${isFraction(types, node) ? "a number with a fraction" : nodeWords(node)}`}`,
    help: quotesHelp(types, node),
    isType: true,
  };
}

/** Checks for a number that only lacks being whole. */
function isFraction(types: readonly string[], node: SyntaxNode): boolean {
  return types.includes("integer") && node.kind === "scalar" && Number.isFinite(node.value);
}

function describedType(type: string): string {
  const name = typeNames.get(type) ?? type;
  return ["string", "boolean", "null"].includes(type) ? name : `${articleOf(name)} ${name}`;
}

function articleOf(word: string): string {
  return /^[aeiou]/.test(word) ? "an" : "a";
}

/** Describes a node without its value, which may be a secret. */
function nodeWords(node: SyntaxNode): string {
  if (node.kind === "map") return "a mapping";
  if (node.kind === "list") return "a list";
  if (node.value === null) return "empty";
  if (typeof node.value === "string") return "text";
  if (typeof node.value === "boolean") return `\`${node.value}\``;
  return Number.isInteger(node.value) ? "a whole number" : "a number";
}

/** Suggests to add or remove quotes, the commonest fix of a wrong type. */
function quotesHelp(types: readonly string[], node: SyntaxNode | undefined): string | undefined {
  const text = textOf(node);
  const isNumber = text !== undefined && /^-?\d+(\.\d+)?$/.test(text);
  if (
    isNumber &&
    types.some((type) => type === "number" || (type === "integer" && !text.includes(".")))
  ) {
    return `write \`${shown(text)}\` without quotes`;
  }
  const truth = types.includes("boolean") ? truthWords.get(text?.toLowerCase() ?? "") : undefined;
  if (truth !== undefined) return `write \`${truth}\`${text === truth ? " without quotes" : ""}`;
  const isScalar = node?.kind === "scalar" && node.value !== null && text === undefined;
  return isScalar && types.includes("string") ? "put quotes around it" : undefined;
}

/** Words that YAML 1.1 reads as booleans, and YAML 1.2 and JSON as text. */
const truthWords: ReadonlyMap<string, string> = new Map([
  ...["true", "yes", "on"].map((word) => [word, "true"] as const),
  ...["false", "no", "off"].map((word) => [word, "false"] as const),
]);

function noBranch(error: ErrorObject, node: SyntaxNode | undefined): Phrase {
  const branches = valuesOf(error.schema).filter(isJsonObject);
  const values = branches.flatMap((each) =>
    "const" in each ? [each["const"] ?? null] : valuesOf(each["enum"]),
  );
  const types = typesThatFit(error);
  const text = textOf(node);
  if (types.length === 0 && values.length > 0) return wrongChoice(values, node);
  const fitting = [...values.map(spelled), ...types.map(describedType)];
  const isText = text !== undefined && values.length > 0;
  if (fitting.length === 0) return { problem: "fits none of the allowed forms", isType: false };
  return {
    problem: `must be ${alternatives([...new Set(fitting)])}${node === undefined || isText ? "" : `, not ${nodeWords(node)}`}`,
    help: isText ? didYouMean(text, values.map(String)) : quotesHelp(types, node),
    isType: !isText,
  };
}

function wrongChoice(
  values: readonly JsonValue[],
  node: SyntaxNode | undefined,
  otherNames: ReadonlyMap<string, string> = new Map(),
): Phrase {
  const text = textOf(node);
  const meant = otherNames.get(text?.toLowerCase() ?? "");
  return {
    problem: `must be ${alternatives(values.map(spelled))}`,
    help:
      meant === undefined || !values.includes(meant)
        ? text && didYouMean(text, values.map(String))
        : `write ${quote(meant)}`,
    isType: false,
  };
}

function spelled(value: JsonValue): string {
  return quote(typeof value === "string" ? value : JSON.stringify(value));
}

/** Joins alternatives as `a, b or c`, and cuts long lists. */
function alternatives(words: readonly string[]): string {
  if (words.length > 20) return `${words.slice(0, 20).join(", ")}, …`;
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function limitPhrase(error: ErrorObject): string {
  const limit = String(error.params["limit"] ?? "");
  const phrases: Readonly<Record<string, string>> = {
    minimum: `must be at least ${limit}`,
    maximum: `must be at most ${limit}`,
    exclusiveMinimum: `must be more than ${limit}`,
    exclusiveMaximum: `must be less than ${limit}`,
    minLength: limit === "1" ? "is empty" : `is shorter than ${limit} characters`,
    maxLength: `is longer than ${limit} characters`,
    minItems: limit === "1" ? "is an empty list" : `has fewer than ${limit} items`,
    maxItems: `has more than ${limit} items`,
    minProperties: limit === "1" ? "is an empty mapping" : `has fewer than ${limit} keys`,
    maxProperties: `has more than ${limit} keys`,
    uniqueItems: "lists a value twice",
  };
  return (
    (Object.hasOwn(phrases, error.keyword) ? phrases[error.keyword] : undefined) ??
    `${error.message ?? `fails \`${error.keyword}\``}`
  );
}

/** Ajv types its parameters as `any`; anything but a list of texts counts as empty. */
function typesOf(types: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(types) ? types : [types];
  return list.filter((each): each is string => typeof each === "string");
}

function valuesOf(values: unknown): readonly JsonValue[] {
  // The values come from a JSON Schema, so they are JSON.
  return Array.isArray(values) ? (values as readonly JsonValue[]) : [];
}

/** A value of the wrong type, and the types that fit. */
export interface WrongType {
  /** The key of the value; undefined for a whole document. */
  readonly key: string | undefined;
  readonly node: SyntaxNode | undefined;
  /** JSON Schema types that fit. */
  readonly types: readonly string[];
  /** True if the author chooses the names in a mapping that fits. */
  readonly isFreeMapping: boolean;
}

/**
 * Suggests the right form of the probably intended value; undefined if it can't be guessed. Leaves
 * out values that may be secret.
 */
export function helpForWrongType(wrong: WrongType): string | undefined {
  const { types } = wrong;
  if (types.includes("integer") || types.includes("number")) return inMilliseconds(wrong);
  if (types.includes("object")) return wrong.isFreeMapping ? asMapping(wrong) : undefined;
  return types.includes("array") ? asList(wrong) : undefined;
}

const unitInMs: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
]);

/** Converts a duration to milliseconds: `5s`, `500 ms`, `2 minutes`. */
function inMilliseconds({ key, node }: WrongType): string | undefined {
  const [, amount, unit] =
    /^(\d{1,6}(?:\.\d{1,3})?)\s*(ms|s|m)(?:ec|ecs|econds?|in|ins|inutes?)?$/i.exec(
      textOf(node) ?? "",
    ) ?? [];
  const factor = unitInMs.get(unit?.toLowerCase() ?? "");
  if (factor === undefined || !key?.endsWith("_ms")) return undefined;
  return `write \`${Math.round(Number(amount) * factor)}\`, in milliseconds`;
}

function asMapping({ key, node }: WrongType): string | undefined {
  if (key === undefined || node === undefined) return undefined;
  const pairs = pairsIn(node) ?? ["name: value"];
  return `write \`${shown(key)}: { ${pairs.join(", ")} }\``;
}

/** Lists names, with values that are placeholders: `q={q}&page=2`, `[{ X-Id: "{id}" }]`. */
function pairsIn(node: SyntaxNode): readonly string[] | undefined {
  const texts =
    node.kind === "list" ? node.items.map(pairText) : textOf(node)?.replace(/^\?/, "").split("&");
  const pairs = texts?.map((text) => /^\s*([\w.-]{1,40})\s*[=:]\s*(.*?)\s*$/s.exec(text ?? ""));
  if (pairs === undefined || pairs.length > 5) return undefined;
  const written = pairs.flatMap((pair) =>
    pair?.[1] === undefined ? [] : [`${pair[1]}: ${valueOf(pair[2])}`],
  );
  return written.length === pairs.length && written.length > 0 ? written : undefined;
}

function pairText(item: SyntaxNode): string | undefined {
  const [only, ...others] = item.kind === "map" ? item.entries : [];
  if (only === undefined) return textOf(item);
  return others.length > 0 ? undefined : `${only.key.value}: ${textOf(only.value) ?? ""}`;
}

function valueOf(text = ""): string {
  return /^(?:\{[\w.-]{1,40}\}|\$\{\w{1,40}\})$/.test(text) ? `"${text}"` : "…";
}

function asList({ node }: WrongType): string | undefined {
  const text = textOf(node);
  const isName = text !== undefined && /^[A-Za-z_][\w-]{0,39}$/.test(text);
  if (isName) return `write \`[${text}]\``;
  return node?.kind === "scalar" && node.value !== null
    ? "write it as a list, between `[` and `]`"
    : undefined;
}
