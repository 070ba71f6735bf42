/**
 * Reads the values in bindings into `model.ts`. `check-value.ts` and `check-literal.ts` check them.
 * `emit-value.ts` emits their code, with `access.ts` for paths in parameters and `scalar-type.ts`
 * for types.
 */
import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import type { ScalarNode, SyntaxNode } from "../../core/syntax-node.js";
import {
  type UnquotedPlaceholder,
  unquotedPlaceholder,
} from "../../schema/unquoted-placeholder.js";
import {
  checkCharacters,
  parseTemplate,
  rooted,
  type TemplateLanguage,
  textNode,
} from "../text-template.js";
import type { ScalarModel, ValueNode } from "./model.js";

/** The template language, and the report for problems. */
export interface ReadingFor<Root extends string = never> {
  readonly language: TemplateLanguage<Root>;
  readonly report: Report;
}

/** A scalar: a template if it is text, itself otherwise. */
export function readScalar<Root extends string = never>(
  node: ScalarNode,
  { language, report }: ReadingFor<Root>,
): ScalarModel<Root> {
  const text = textNode(node);
  if (text !== undefined)
    return { kind: "template", template: parseTemplate(text, language, report) };
  return { kind: "literal", value: node.value, span: node.span };
}

/** JSON with templates at its leaves. */
export function readValue<Root extends string = never>(
  node: SyntaxNode,
  reading: ReadingFor<Root>,
): ValueNode<Root> {
  if (node.kind === "scalar") return readScalar(node, reading);
  const { span } = node;
  if (node.kind === "list") {
    return { kind: "list", items: node.items.map((each) => readValue(each, reading)), span };
  }
  const unquoted = unquotedPlaceholder(node);
  if (unquoted !== undefined) return readUnquoted(unquoted, span, reading);
  const entries = node.entries.map(({ key, value }) => {
    checkLiteralName(key.value, key.span, reading);
    return { name: key.value, span: key.span, value: readValue(value, reading) };
  });
  return { kind: "map", entries, span };
}

/**
 * Reads a placeholder without quotes as the intended text, so that nothing else is reported about
 * it.
 */
function readUnquoted<Root extends string>(
  { name, message, help }: UnquotedPlaceholder,
  span: Span,
  { language: { kind, roots }, report }: ReadingFor<Root>,
): ValueNode<Root> {
  report.add({ code: `${kind}/unquoted-placeholder`, span, message, help });
  const path = name.split(".");
  const part = { kind: "parameter", path, start: 0, end: name.length, span } as const;
  return { kind: "template", template: { span, parts: [rooted(part, roots)], whole: true } };
}

/**
 * Reports a blank at an end of a name, because it is sent but invisible.
 *
 * @param start beginning of the name, and `end` its end
 */
export function checkBlanks(
  start: string,
  end: string,
  span: Span,
  { kind, report }: { readonly kind: string; readonly report: Report },
): void {
  if (start.trimStart() === start && end.trimEnd() === end) return;
  report.add({
    code: `${kind}/blank-in-name`,
    span,
    message: `this name ${end.trimEnd() === end ? "starts" : "ends"} with a space, which is sent too`,
    help: "remove the space",
  });
}

/**
 * Names (of entries, headers, properties) are literal: reports a placeholder in one, and what no
 * text can hold.
 */
export function checkLiteralName(
  name: string,
  span: Span,
  { language: { kind }, report }: ReadingFor<string>,
): void {
  checkBlanks(name, name, span, { kind, report });
  checkCharacters(name, () => span, kind, report);
  const placeholder = /\$?\{[^{}]*\}/.exec(name)?.[0];
  if (placeholder === undefined) return;
  report.add({
    code: `${kind}/placeholder-in-name`,
    span,
    message: `\`${shown(placeholder)}\` is in a name, but names are fixed text`,
    help: "write the name as fixed text; only values can contain placeholders",
  });
}
