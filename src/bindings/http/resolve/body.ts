import type { Report } from "../../../core/report.js";
import { entryOf, type MapNode } from "../../../core/syntax-node.js";
import { readValue } from "../../values/read-value.js";
import { httpTemplates, type BodyModel, type HttpConfig } from "../model.js";

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
      ...(method.isDefault
        ? {
            message: "a GET has no body, and without a `method` it is GET",
            help: "write `method: POST`, or put the values into `query`",
          }
        : {
            message: "a GET has no body",
            help: "put the values into `query`, or use another method",
            related: [{ span: method.span, message: "the method" }],
          }),
    });
  }
  const value = readValue(entry.value, { language: httpTemplates, report });
  return { kind: "template", value, span: entry.value.span };
}
