import type { ToolModel } from "../../../core/skill-model.js";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { valueName } from "../../../kit/text-template.js";
import { filledSchema } from "../../../schema/form.js";
import { compareInFull } from "../../../schema/compare/compare.js";
import { notPromised } from "../../../schema/compare/mismatch.js";
import type { CheckContext } from "../../../kit/values/check-value.js";
import type { QueueConfig } from "../model.js";
import { writtenMessage } from "../written-message.js";
import { reportMismatches } from "./report-mismatches.js";
import { partThatMayBeAbsent, writtenSchema } from "./written-schema.js";

/** Checks that there always is a message, and that its fields fit the schema. */
export function checkMessage({ report, tool }: CheckContext, config: QueueConfig): void {
  checkPresence(tool, config, report);
  const { schema } = config;
  if (schema === undefined) return;
  const { value: node, span } = writtenMessage(tool, config);
  const given = {
    schema: writtenSchema(tool, node),
    root: filledSchema(tool.parameters.schema),
  };
  const { schema: wanted } = schema.json;
  const message = { node, span, schema, isListed: config.message.kind === "template", tool };
  const { isCut, mismatches } = compareInFull(given, { schema: wanted, root: wanted });
  reportMismatches(notPromised(mismatches), message, report);
  if (!isCut) return;
  report.add({
    code: "queue/field-may-not-fit",
    span,
    message: `skillc reports only ${mismatches.length} of the message's problems`,
    help: "fix these to see the others",
  });
}

/**
 * Reports a message that consists of one optional parameter: if that is absent, there is no
 * message.
 */
function checkPresence(tool: ToolModel, { message }: QueueConfig, report: Report): void {
  const absent = message.kind === "template" ? partThatMayBeAbsent(tool, message.value) : undefined;
  if (absent === undefined) return;
  const { isNull, part } = absent;
  report.add({
    code: "queue/optional-field",
    span: part.span,
    message: `${quote(valueName(part))} ${isNull ? "is nullable" : "may be absent"}, but the message needs it`,
    help: isNull ? "remove null from its type" : "make it required, or give it a `default`",
  });
}
