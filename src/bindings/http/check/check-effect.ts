import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { HttpConfig, HttpMethod } from "../model.js";

/** What the methods do that no API uses to ask for something (RFC 9110, 9.3; RFC 5789). */
const changes: ReadonlyMap<HttpMethod, string> = new Map([
  ["PUT", "puts something in its place"],
  ["PATCH", "changes what is there"],
  ["DELETE", "removes what is there"],
]);

/** A POST may well be a question: a search, GraphQL. These hardly are. */
export function checkEffect({ binding }: ToolModel, { method }: HttpConfig, report: Report): void {
  const change = binding.effect === "read" ? changes.get(method.name) : undefined;
  if (change === undefined) return;
  report.add({
    code: "http/unlikely-read",
    span: method.span,
    message: `\`${method.name}\` ${change}, and \`effect: read\` says that a call changes nothing`,
    help: "remove `effect: read`: a read is sent in shadow mode too, and repeated when no answer comes",
  });
}
