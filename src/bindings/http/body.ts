import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import { entryOf, type MapNode, type SyntaxNode } from "../../core/syntax-node.js";
import {
  type UnquotedPlaceholder,
  unquotedPlaceholder,
} from "../../schema/unquoted-placeholder.js";
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
  const unquoted = unquotedPlaceholder(node);
  if (unquoted !== undefined) return readUnquoted(unquoted, node.span, report);
  const entries = node.entries.map(({ key, value }) => {
    checkLiteralName(key.value, key.span, report);
    return { name: key.value, span: key.span, value: readNode(value, report) };
  });
  return { kind: "map", entries };
}

/** A placeholder that lost its quotes is taken for what was meant, so that nothing else is said of it. */
function readUnquoted(
  { name, message, help }: UnquotedPlaceholder,
  span: Span,
  report: Report,
): BodyNode {
  report.add({ code: "http/unquoted-placeholder", span, message, help });
  const path = name.split(".");
  const part = { kind: "parameter", path, start: 0, end: name.length, span } as const;
  return { kind: "template", template: { span, parts: [part], whole: true } };
}
