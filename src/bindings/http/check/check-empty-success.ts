import type { Report } from "../../../core/report.js";
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import { lookUp } from "../../../schema/look-up.js";
import type { HttpConfig } from "../model.js";
import { isSuccessCode } from "../resolve/statuses.js";

/** Answers that have no content (RFC 9110, 15.3.5 and 15.3.6): their body is read as null. */
const withoutContent: ReadonlySet<string> = new Set(["204", "205"]);

/** Where every success that is listed has no content, what asks for some fails each call, after it took effect. */
export function checkEmptySuccess(tool: ToolModel, config: HttpConfig, report: Report): void {
  const successes = config.statuses.filter(({ code }) => isSuccessCode(code));
  const [first] = successes;
  if (first === undefined || !successes.every(({ code }) => withoutContent.has(code))) return;
  const asks = (schema: SchemaModel | undefined) =>
    schema !== undefined && !lookUp(schema, [], "stated").types.includes("null");
  const [what, span] = asks(tool.returns)
    ? ["`returns`", tool.returns?.span]
    : asks(config.response)
      ? ["`response_schema`", config.response?.span]
      : ["", undefined];
  if (span === undefined) return;
  report.add({
    code: "http/no-content",
    span,
    message: `an answer of ${first.code} has no content, and ${what} asks for some: every call would fail, its effect done`,
    help: `leave ${what} out or let it take \`null\`, or list the status that has content`,
    related: [{ span: first.span, message: "the only success" }],
  });
}
