import type { Report } from "../../core/report.js";
import { entryOf, type MapNode, type SyntaxNode } from "../../core/syntax-node.js";
import { shown } from "../../core/names.js";
import type { BodyModel, BodyNode, HttpConfig } from "./model.js";
import { checkLiteralName, readScalar } from "./scalar.js";

/** `body_template`, or what is sent without one: POST, PUT and PATCH have a body then, GET and DELETE don't. */
export function readBody(
  binding: MapNode,
  method: HttpConfig["method"],
  report: Report,
): BodyModel {
  const entry = entryOf(binding, "body_template");
  if (entry === undefined) {
    const sends = method.name !== "GET" && method.name !== "DELETE";
    return sends ? { kind: "rest", span: method.span } : { kind: "none" };
  }
  if (method.name === "GET") {
    report.add({
      code: "http/body-on-get",
      span: entry.key.span,
      message: "a GET has no body",
      help: "put the values into `query`, or use another method",
      related: [{ span: method.span, message: "the method" }],
    });
  }
  return { kind: "template", value: readNode(entry.value, report), span: entry.value.span };
}

function readNode(node: SyntaxNode, report: Report): BodyNode {
  if (node.kind === "scalar") return readScalar(node, report);
  if (node.kind === "list") {
    return { kind: "list", items: node.items.map((each) => readNode(each, report)) };
  }
  checkQuoted(node, report);
  const entries = node.entries.map(({ key, value }) => {
    checkLiteralName(key.value, key.span, report);
    return { name: key.value, span: key.span, value: readNode(value, report) };
  });
  return { kind: "map", entries };
}

/** YAML reads `who: {customer_id}` as a mapping with one empty value. Nobody means that in a body. */
function checkQuoted({ entries, span }: MapNode, report: Report): void {
  const [only, ...others] = entries;
  if (only === undefined || others.length > 0) return;
  const { key, value } = only;
  const isFlow = span.start < key.span.start;
  const isEmpty =
    value.kind === "scalar" && value.value === null && value.span.start >= value.span.end;
  if (!isFlow || !isEmpty) return;
  report.add({
    code: "http/unquoted-placeholder",
    span,
    message: `\`{${shown(key.value)}}\` without quotes is a mapping with an empty value`,
    help: `write \`"{${shown(key.value)}}"\``,
  });
}
