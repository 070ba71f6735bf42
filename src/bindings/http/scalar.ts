import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import type { ScalarNode } from "../../core/syntax-node.js";
import { parseTemplate, textNode } from "../text-template.js";
import type { ScalarModel } from "./model.js";

/** A scalar of the query, the headers or the body: a template if it is text, itself otherwise. */
export function readScalar(node: ScalarNode, report: Report): ScalarModel {
  const text = textNode(node);
  if (text !== undefined)
    return { kind: "template", template: parseTemplate(text, "http", report) };
  return { kind: "literal", value: node.value, span: node.span };
}

/** Names (of query entries, headers, body properties) are literal: reports a placeholder in one. */
export function checkLiteralName(name: string, span: Span, report: Report): void {
  const placeholder = /\$?\{[^{}]*\}/.exec(name)?.[0];
  if (placeholder === undefined) return;
  report.add({
    code: "http/placeholder-in-name",
    span,
    message: `\`${shown(placeholder)}\` stands in a name, and names are literal`,
    help: "write the name out; only values hold placeholders",
  });
}
