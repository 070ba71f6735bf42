import type { Finding } from "../../core/diagnostic.js";
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
import { isSilentOfType } from "../../schema/silent.js";
import { inOurWords } from "../../schema/other-words.js";
import { didYouMean } from "../../schema/suggestion.js";
import { acceptKey, mapsCodes } from "./acceptances.js";
import { isMisspeltKey, typeNames } from "./misspelt-key.js";
import { toolWords } from "./other-words.js";
import { unknownType } from "./unknown-type.js";

/** Whether a key's value declares a parameter of the short form: a type name, or a mapping with `type`, or with `enum`, which says it too. */
export function looksLikeParameter(value: SyntaxNode): boolean {
  const text = textOf(value);
  return text === undefined
    ? (entryOf(value, "type") ?? entryOf(value, "enum")) !== undefined
    : typeNames.includes(text);
}

/** Whether it declares one whose type is left out: nothing, or a mapping with what is said of a parameter beside its type. */
function isSilent(value: SyntaxNode): boolean {
  if (value.kind === "map") return isSilentOfType(value.entries.map(({ key }) => key.value));
  return value.kind === "scalar" && value.value === null;
}

/** What may be written in the short form. */
export interface ShortForm {
  readonly toolKeys: readonly string[];
  /** The type of the tool's binding; undefined when it has none. */
  readonly bindingType: string | undefined;
  /** Types of bindings of which something tells the types of parameters that name none. */
  readonly inferring: readonly string[];
}

/**
 * The JSON Schema that the keys of the short form stand for: a closed object whose every node keeps the place of what the author wrote.
 * Undefined, and reported, when one of them is no parameter.
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

/** A key that is neither a tool's nor declares a parameter. */
export function unknownToolKey({ key, value }: MapEntry, toolKeys: readonly string[]): Finding {
  const name = quote(key.value);
  return {
    code: "tool/unknown-key",
    span: key.span,
    message: `${name} is not a key of a tool${looksLikeParameter(value) ? "" : ", nor does it declare a parameter"}`,
    help:
      acceptMeant(key.value, value) ??
      ownKeyMeant(key.value, toolKeys) ??
      `a parameter of the short form is \`${name.slice(1, -1)}: string\` or a mapping with \`type\``,
  };
}

/** `accept` in a form that it doesn't have, or a misspelling of it. */
function acceptMeant(key: string, value: SyntaxNode): string | undefined {
  if (value.kind === "scalar") return undefined;
  if (mapsCodes(value)) return didYouMean(key, [acceptKey]);
  return key === acceptKey
    ? "`accept` maps codes of findings to reasons: `accept: { sql/may-be-left-out: a trigger fills it }`"
    : undefined;
}

function ownKeyMeant(key: string, toolKeys: readonly string[]): string | undefined {
  return inOurWords(key, toolWords, toolKeys, toolKeys) ?? didYouMean(key, toolKeys);
}

function checkParameter(
  entry: MapEntry,
  strays: readonly MapEntry[],
  { bindingType = "", inferring, toolKeys }: ShortForm,
  report: Report,
): void {
  const { key, value } = entry;
  const name = nameOf(entry);
  const infersTypes = inferring.includes(bindingType);
  const isDeclared = looksLikeParameter(value) || (infersTypes && isSilent(value));
  if (isDeclared && name !== "" && !isMisspeltKey(entry, strays)) {
    checkRequired(entry, report);
    return;
  }
  // `args: int` is a parameter of a wrong type, `args: { a: int }` is not.
  const isOwnKey =
    didYouMean(key.value, toolKeys) !== undefined ||
    (value.kind === "map" && ownKeyMeant(key.value, toolKeys) !== undefined);
  const unknown = name === "" || isOwnKey ? undefined : unknownType(name, value, typeNames);
  const isEmpty = value.kind === "scalar" && value.value === null;
  report.add(
    unknown ??
      (isEmpty && !isOwnKey ? withoutType(entry, inferring) : unknownToolKey(entry, toolKeys)),
  );
}

/** `id:` with nothing behind it. */
function withoutType(entry: MapEntry, inferring: readonly string[]): Finding {
  const types = inferring.map(quote).join(" or ");
  const others =
    types === "" ? "" : `; only beside a binding of the type ${types} may it be left out`;
  return {
    code: "tool/unknown-type",
    span: entry.key.span,
    message: `the parameter ${quote(nameOf(entry))} has no type`,
    help: `write \`${quote(entry.key.value).slice(1, -1)}: string\`, or a mapping with \`type\`${others}`,
  };
}

/** In JSON Schema `required` lists names, and stands on the object around the parameters. */
function checkRequired(entry: MapEntry, report: Report): void {
  const required = entryOf(entry.value, "required");
  if (required?.value.kind !== "scalar" || typeof required.value.value !== "boolean") return;
  report.add({
    code: "tool/required-flag",
    span: required.key.span,
    message: "in the short form a parameter's name says whether it is required",
    help: required.value.value
      ? "leave `required` out: every parameter is, unless `?` ends its name or it has a default"
      : `leave \`required\` out and name the parameter ${quote(`${nameOf(entry)}?`)}`,
  });
}

interface ShortParameter {
  readonly key: MapEntry["key"];
  readonly schema: MapNode;
  readonly required: boolean;
}

/** `name?` is optional. */
function nameOf({ key }: MapEntry): string {
  return key.value.replace(/\?$/, "");
}

function parameterOf(entry: MapEntry): ShortParameter {
  const { key } = entry;
  const name = nameOf(entry);
  const schema = schemaOf(entry);
  return {
    key: { ...key, value: name },
    schema,
    required: name === key.value && entryOf(schema, "default") === undefined,
  };
}

/** What is left out has no place of its own. */
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
