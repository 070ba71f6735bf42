import { parseDiagnosticEntries } from "../../src/compiler/parse/diagnostics.js";
import { parseJson } from "../../src/compiler/parse/parse-json.js";
import { parseYaml } from "../../src/compiler/parse/parse-yaml.js";
import { createReport, type ReportLog } from "../../src/core/report.js";
import type { SyntaxNode } from "../../src/core/syntax-node.js";

export interface Parsed {
  readonly node: SyntaxNode | undefined;
  readonly report: ReportLog;
}

/** The text as a YAML document. */
export function yamlNode(text: string, path = "test.yaml"): Parsed {
  const report = createReport(parseDiagnosticEntries);
  return { node: parseYaml({ path, text }, { start: 0, end: text.length }, report), report };
}

/** The text as a JSON document. */
export function jsonNode(text: string, path = "test.json"): Parsed {
  const report = createReport(parseDiagnosticEntries);
  return { node: parseJson({ path, text }, report), report };
}
