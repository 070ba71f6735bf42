import type { RunSettings } from "../../core/project.js";
import type { Report } from "../../core/report.js";
import { type MapNode, textOf, valueOf } from "../../core/syntax-node.js";
import { checkShape } from "../../schema/check-shape.js";
import { folderOf } from "./project-path.js";
import { runSchemas } from "./runs-schema.js";

/**
 * Parses `runs` and `key`, with which the command line opens the project's runs. Undefined if both
 * are absent, or invalid and reported.
 */
export function parseRuns(settings: MapNode, report: Report): RunSettings | undefined {
  const runs = checkedText(settings, "runs", report);
  const key = checkedText(settings, "key", report);
  const place =
    runs === undefined || isName.test(runs)
      ? runs
      : folderOf(valueOf(settings, "runs"), ".skillc/runs", report);
  if (place === undefined && key === undefined) return undefined;
  return { ...(place !== undefined && { place }), ...(key !== undefined && { key }) };
}

const isName = new RegExp(runSchemas.key.pattern);

function checkedText(
  settings: MapNode,
  key: keyof typeof runSchemas,
  report: Report,
): string | undefined {
  const node = valueOf(settings, key);
  if (node === undefined) return undefined;
  const schema = runSchemas[key];
  const text = textOf(node);
  if (text !== undefined && !new RegExp(schema.pattern).test(text)) {
    report.add({
      code: "config/wrong-value",
      span: node.span,
      message: `\`${key}\` must be the name of a setting${key === "runs" ? ", or a folder" : ""}`,
      // The text may be a key, or a URL with a password, which is never repeated.
      help: `write \`${key}: \${NAME}\`, and give its value as every other setting's`,
    });
    return undefined;
  }
  const isText = checkShape(node, schema, report, {
    subject: `\`${key}\``,
    unknownKey: "config/unknown-key",
    missingKey: "config/missing-key",
    wrongType: "config/wrong-type",
    wrongValue: "config/wrong-value",
  });
  return isText ? text : undefined;
}
