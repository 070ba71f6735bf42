import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type ScalarNode,
  type SyntaxNode,
  textOf,
} from "../../core/syntax-node.js";
import type { KindRegistry } from "../../bindings/registry.js";
import { schemaTypes } from "../../schema/keywords.js";
import { inOurWords, plainWord } from "../../schema/other-words.js";
import { isSilentOfType } from "../../schema/silent.js";
import { didYouMean } from "../../schema/suggestion.js";
import { typeInOtherWords } from "../../schema/type-in-other-words.js";
import { helpForBindingKey, helpForOtherKindsKey, isSchemaOfBinding } from "./binding-keys.js";
import { protectingSetting } from "./misplaced-settings.js";
import { acceptKey, mapsCodes } from "./skill-settings.js";
import { isOnlyToolWord, toolWords } from "./tool-words.js";

/**
 * Checks if the value declares a parameter of the short form: a type name, or a mapping with `type`
 * or `enum`.
 */
export function looksLikeParameter(value: SyntaxNode): boolean {
  const text = textOf(value);
  return text === undefined
    ? (entryOf(value, "type") ?? entryOf(value, "enum")) !== undefined
    : typeNames.includes(text);
}

/** Checks for a parameter without a type: an empty value, or a mapping with only other facts. */
function isSilent(value: SyntaxNode): boolean {
  if (value.kind === "map") return isSilentOfType(value.entries.map(({ key }) => key.value));
  return value.kind === "scalar" && value.value === null;
}

/** Facts about a tool for messages about its keys. */
export interface ToolKeysContext {
  readonly toolKeys: readonly string[];
  /** Type of the tool's binding; empty without a binding. */
  readonly bindingType: string;
  readonly kinds: KindRegistry;
}

/** Facts about a tool for reading its short form. */
interface ShortForm extends ToolKeysContext {
  /** Binding types that can infer the type of a parameter. */
  readonly inferring: readonly string[];
}

/**
 * Converts the short form to its JSON Schema: a closed object whose nodes keep the author's spans.
 * Undefined, with a report, if a key is not a parameter.
 */
export function readShortForm(
  tool: MapEntry,
  entries: readonly MapEntry[],
  form: ShortForm,
  report: Report,
): MapNode | undefined {
  const errorsBefore = report.errorCount();
  for (const entry of entries) checkParameter(entry, entries, form, report);
  const parameters = entries.map(parameterOf);
  reportRepeats(parameters, report);
  if (report.errorCount() > errorsBefore) return undefined;
  return closedObject(parameters, parameters.length === 0 ? tool.key.span : tool.value.span);
}

/**
 * Diagnostic for a key that is neither a tool's key nor a parameter.
 *
 * @param declaring help for declaring a parameter
 */
export function unknownToolKey(
  { key, value }: MapEntry,
  { toolKeys, bindingType, kinds }: ToolKeysContext,
  declaring: string,
): UnratedDiagnostic {
  const name = quote(key.value);
  return {
    code: "tool/unknown-key",
    span: key.span,
    message: `${name} is not a key of a tool${looksLikeParameter(value) ? "" : ", nor does it declare a parameter"}`,
    help:
      acceptMeant(key.value, value) ??
      protectingSetting({ key, value })?.help ??
      helpForBindingKey(key.value, bindingType, kinds) ??
      ownKeyMeant(key.value, toolKeys) ??
      helpForOtherKindsKey(key.value, bindingType, kinds) ??
      declaring,
  };
}

function inShortForm({ key }: MapEntry): string {
  return `in the short form, a parameter is \`${quote(key.value).slice(1, -1)}: string\` or a mapping with \`type\``;
}

/** Suggests `accept` for a value of the wrong form, or for a misspelling. */
function acceptMeant(key: string, value: SyntaxNode): string | undefined {
  if (value.kind === "scalar") return undefined;
  if (mapsCodes(value)) return didYouMean(key, [acceptKey]);
  return key === acceptKey
    ? "`accept` maps codes of diagnostics to reasons: `accept: { sql/may-be-left-out: a trigger fills it }`"
    : undefined;
}

function ownKeyMeant(key: string, toolKeys: readonly string[]): string | undefined {
  return inOurWords(key, toolWords, toolKeys, toolKeys) ?? didYouMean(key, toolKeys);
}

function checkParameter(
  entry: MapEntry,
  strays: readonly MapEntry[],
  form: ShortForm,
  report: Report,
): void {
  const { bindingType, inferring, kinds, toolKeys } = form;
  const { key, value } = entry;
  const name = parameterNameOf(entry);
  const infersTypes = inferring.includes(bindingType);
  const isDeclared = looksLikeParameter(value) || (infersTypes && isSilent(value));
  if (isDeclared && name !== "" && !isMisspeltKey(entry, strays, kinds)) {
    checkRequired(entry, report);
    return;
  }
  // `args: int` is a parameter of an invalid type. `args: { a: int }` is not.
  const isOwnKey =
    didYouMean(key.value, toolKeys) !== undefined ||
    protectingSetting(entry) !== undefined ||
    isBindingKey(entry, form) ||
    (value.kind === "map" && ownKeyMeant(key.value, toolKeys) !== undefined);
  const unknown = name === "" || isOwnKey ? undefined : unknownType(name, value, typeNames);
  const isEmpty = value.kind === "scalar" && value.value === null;
  report.add(
    unknown ??
      (isEmpty && !isOwnKey
        ? withoutType(entry, inferring)
        : unknownToolKey(entry, form, inShortForm(entry))),
  );
}

/** Checks for a key of the binding whose value is most likely no type of a parameter. */
function isBindingKey({ key, value }: MapEntry, { bindingType, kinds }: ShortForm): boolean {
  if (isSilent(value) || helpForBindingKey(key.value, bindingType, kinds) === undefined)
    return false;
  const text = writtenType(value)?.replace(/\?$/, "");
  const isType =
    text !== undefined &&
    (typeInOtherWords(text) !== undefined || didYouMean(text, typeNames) !== undefined);
  return !isType;
}

/** Diagnostic for `id:` without a value. */
function withoutType(entry: MapEntry, inferring: readonly string[]): UnratedDiagnostic {
  const types = inferring.map(quote).join(" or ");
  const others =
    types === "" ? "" : `; only a tool with a binding of the type ${types} may omit it`;
  return {
    code: "tool/unknown-type",
    span: entry.key.span,
    message: `the parameter ${quote(parameterNameOf(entry))} has no type`,
    help: `write \`${quote(entry.key.value).slice(1, -1)}: string\`, or a mapping with \`type\`${others}`,
  };
}

/** Reports `required` in a parameter: in JSON Schema, it lists names on the surrounding object. */
function checkRequired(entry: MapEntry, report: Report): void {
  const required = entryOf(entry.value, "required");
  if (required?.value.kind !== "scalar" || typeof required.value.value !== "boolean") return;
  report.add({
    code: "tool/required-flag",
    span: required.key.span,
    message: "in the short form a parameter's name says whether it is required",
    help: required.value.value
      ? "remove `required`: every parameter is required, unless its name ends in `?` or it has a default"
      : `remove \`required\` and name the parameter ${quote(`${parameterNameOf(entry)}?`)}`,
  });
}

interface ShortParameter {
  readonly key: MapEntry["key"];
  readonly schema: MapNode;
  readonly required: boolean;
}

/** Returns the name of a parameter without `?`, which marks it as optional. */
function parameterNameOf({ key }: MapEntry): string {
  return key.value.replace(/\?$/, "");
}

function parameterOf(entry: MapEntry): ShortParameter {
  const { key } = entry;
  const name = parameterNameOf(entry);
  const schema = schemaOf(entry);
  return {
    key: { ...key, value: name },
    schema,
    required: name === key.value && entryOf(schema, "default") === undefined,
  };
}

/** Returns the schema of a parameter. An empty value has no span, so the key's span is used. */
function schemaOf({ key, value }: MapEntry): MapNode {
  if (value.kind === "map") return value;
  if (isSilent(value)) return { kind: "map", span: key.span, entries: [] };
  return { kind: "map", span: value.span, entries: [{ key: text("type", value.span), value }] };
}

function reportRepeats(parameters: readonly ShortParameter[], report: Report): void {
  const seen = new Map<string, ShortParameter>();
  for (const each of parameters) {
    const first = seen.get(each.key.value);
    if (first === undefined) seen.set(each.key.value, each);
    else {
      report.add({
        code: "tool/parameter-twice",
        span: each.key.span,
        message: `the parameter ${quote(each.key.value)} is declared twice`,
        help: "keep one of the two",
        related: [{ span: first.key.span, message: "first declared here" }],
      });
    }
  }
}

function closedObject(parameters: readonly ShortParameter[], span: Span): MapNode {
  const map = (entries: MapNode["entries"]): MapNode => ({ kind: "map", span, entries });
  const entry = (key: string, value: SyntaxNode): MapEntry => ({ key: text(key, span), value });
  const required = parameters.filter((each) => each.required).map(({ key }) => key);
  return map([
    entry("type", text("object", span)),
    entry("additionalProperties", { kind: "scalar", span, value: false }),
    ...(required.length === 0 ? [] : [entry("required", { kind: "list", span, items: required })]),
    entry("properties", map(parameters.map(({ key, schema }) => ({ key, value: schema })))),
  ]);
}

function text(value: string, span: Span): ScalarNode & { readonly value: string } {
  return { kind: "scalar", span, value };
}

/**
 * Suggests a fix for a value that was most likely intended as a parameter's type. Undefined if the
 * value doesn't look like a type.
 *
 * @param name name of the parameter
 * @param typeNames types of the short form
 */
function unknownType(
  name: string,
  value: SyntaxNode,
  typeNames: readonly string[],
): UnratedDiagnostic | undefined {
  if (value.kind === "map") return typelessSchema(name, value);
  const text = writtenType(value);
  if (text === undefined) return undefined;
  const optional = /^(.+)\?$/.exec(text)?.[1] ?? /^Optional\[(.+)\]$/.exec(text)?.[1];
  const keywords = typeInOtherWords(optional ?? text);
  if (keywords === undefined && !/^[A-Za-z]+\??$/.test(text)) return undefined;
  return {
    code: "tool/unknown-type",
    span: value.span,
    message: `${quote(text)} is not a type`,
    help: helpFor(name, { text, optional, keywords }, typeNames),
  };
}

/**
 * Returns a type as text. `[string]` means a list of texts, like `string[]`, and a null is the name
 * of a type.
 */
function writtenType(value: SyntaxNode): string | undefined {
  if (value.kind === "list") {
    const [only, ...others] = value.items;
    const inner = others.length === 0 ? textOf(only) : undefined;
    return inner === undefined ? undefined : `[${inner}]`;
  }
  return textOf(value);
}

interface WrittenType {
  readonly text: string;
  /** Type that is marked as optional. */
  readonly optional: string | undefined;
  readonly keywords: string | undefined;
}

function helpFor(
  name: string,
  { text, optional, keywords }: WrittenType,
  typeNames: readonly string[],
): string {
  const parameter = quote(name).slice(1, -1);
  const simple = /^type: (\w+)$/.exec(keywords ?? "")?.[1];
  const type = simple !== undefined && typeNames.includes(simple) ? simple : undefined;
  if (optional !== undefined && keywords !== undefined) {
    return `for an optional parameter write \`${parameter}?: ${type ?? `{ ${keywords} }`}\``;
  }
  if (type !== undefined) return `did you mean \`${type}\`?`;
  if (keywords !== undefined) return `write \`${parameter}: { ${keywords} }\``;
  return didYouMean(text, typeNames) ?? `the types are ${typeNames.map(quote).join(", ")}`;
}

/** Keywords that appear only in schemas of one type. */
const typeByKeyword: readonly (readonly [string, string])[] = [
  ["properties", "object"],
  ["additionalProperties", "object"],
  ["items", "array"],
  ["prefixItems", "array"],
  ["minItems", "array"],
  ["maxItems", "array"],
  ["pattern", "string"],
  ["format", "string"],
  ["minLength", "string"],
  ["maxLength", "string"],
  ["minimum", "number"],
  ["maximum", "number"],
];

/** Reports a parameter's schema that only lacks a type. */
function typelessSchema(name: string, value: MapNode): UnratedDiagnostic | undefined {
  const [, implied] = typeByKeyword.find(([key]) => entryOf(value, key) !== undefined) ?? [];
  if (implied === undefined) return undefined;
  return {
    code: "tool/unknown-type",
    span: { ...value.span, end: Math.min(value.span.start + 1, value.span.end) },
    message: `the parameter ${quote(name)} has no type`,
    help: `add \`type: ${implied}\``,
  };
}

/** Types of the short form: those of JSON Schema without null. */
export const typeNames: readonly string[] = schemaTypes.filter((name) => name !== "null");

/** The tool's own keys whose mappings look like a parameter's. */
const mappingKeys = ["parameters", "params", "returns", "binding"];

/** English words close to `returns` that may name a number or a boolean. */
const ordinaryWords: ReadonlySet<string> = new Set(["return", "returned", "reruns", "retunes"]);

/**
 * Checks if a key is probably a misspelt key of the tool, or a key of its binding, even if its
 * value looks like a parameter.
 *
 * @param strays all unknown keys of the tool
 */
export function isMisspeltKey(
  entry: MapEntry,
  strays: readonly MapEntry[],
  kinds: KindRegistry,
): boolean {
  const { key, value } = entry;
  if (value.kind !== "map") return false;
  const type = textOf(entryOf(value, "type")?.value);
  const holdsSchema = entryOf(value, "properties") !== undefined;
  const holdsBinding = type !== undefined && !typeNames.includes(type);
  return (
    ((holdsSchema || holdsBinding) && didYouMean(key.value, mappingKeys) !== undefined) ||
    isNearlyReturns(key.value, type) ||
    isOnlyToolWord(key.value) ||
    isSchemaOfBinding(key.value, kinds) ||
    (holdsSchema && strays.length === 1 && isWordForParameters(key.value))
  );
}

/**
 * Checks for a name close to `returns`. The name of a parameter may end in `?` or be an ordinary
 * word, unless it is a list.
 */
function isNearlyReturns(key: string, type: string | undefined): boolean {
  if (key.endsWith("?") || didYouMean(key, ["returns"]) === undefined) return false;
  return type === "array" || !ordinaryWords.has(key.toLowerCase());
}

/**
 * Checks for another word for `parameters`. A single parameter may be named `args`, but would
 * hardly have properties.
 */
function isWordForParameters(key: string): boolean {
  return toolWords.get(plainWord(key))?.some(([name]) => name === "parameters") ?? false;
}
