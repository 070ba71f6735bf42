import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { writeHelp } from "./write-help.js";
import type { SqlConfig, StatementModel } from "../model.js";

/** A write says so, and says how risky it is; a read is one. What the statement does is read off its tree. */
export function checkEffect(
  tool: ToolModel,
  { query, readOnly }: SqlConfig,
  { writes }: StatementModel,
  report: Report,
): void {
  const first = writes[0];
  if (first === undefined) {
    if (readOnly?.value !== false) return;
    report.add({
      code: "sql/read-called-write",
      span: readOnly.span,
      message: "the statement only reads",
      help: "remove `read_only: false`: a read needs no high risk level, and may be repeated",
    });
    return;
  }
  const related = writes.slice(1).map(({ what, span }) => ({ span, message: `and ${what} here` }));
  if (readOnly?.value === true)
    report.add({
      code: "sql/write-called-read",
      span: first.span,
      message: `the statement ${first.what}, and \`read_only: true\` says that it only reads`,
      help: writeHelp(writes, "write `read_only: false` and `risk_level: high`"),
      related: [{ span: readOnly.span, message: "said here" }, ...related],
    });
  else if (readOnly === undefined)
    report.add({
      code: "sql/undeclared-write",
      span: first.span,
      message: `the statement ${first.what}, and nothing says that it may`,
      help: writeHelp(
        writes,
        "write `read_only: false` in the binding, and `risk_level: high` in the tool, beside `binding`",
      ),
      related,
    });
  else if (tool.riskLevel !== "high" && tool.riskLevel !== "critical")
    report.add({
      code: "sql/write-risk",
      span: readOnly.span,
      message: `a statement that writes has the risk level \`${tool.riskLevel}\``,
      help: "write `risk_level: high`, or `critical`, beside the tool's `description`",
      related: [{ span: query.span, message: "the statement" }],
    });
}
