import { jsonBytes, offeredNames, toModelSchema } from "@skillc/runtime/internal";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { publishedSchema } from "../../schema/as-published.js";

/**
 * Maximum size of an offered schema without a warning, in bytes. A schema of this size takes about
 * 16,000 tokens of a model's context, in every request.
 */
const maxBytes = 64 * 1024;

/** Size below which the check is skipped: publishing rarely makes a schema much larger. */
const surelySmall = maxBytes / 2;

/** Reports a schema that takes too much of a model's context. */
export function checkModelSchema(tool: ToolModel, report: Report): void {
  const { parameters } = tool;
  if (jsonBytes(parameters.schema) < surelySmall) return;
  const published = publishedSchema(parameters, { id: "skillc:/" });
  const { schema } = toModelSchema(published, offeredNames(published, []));
  const bytes = jsonBytes(schema);
  if (bytes <= maxBytes) return;
  report.add({
    code: "tool/model-schema",
    span: parameters.span,
    message: `the parameters of ${quote(tool.name)} take ${Math.ceil(bytes / 1024)} KiB in every request to a model`,
    help: "leave out properties that no model needs, shorten descriptions, or offer the tool with `offerTools(catalog, { maxBytes: 65536 })`",
  });
}
