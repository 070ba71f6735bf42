import { posix } from "node:path";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import { parseJson } from "./parse-json.js";
import { parseYaml } from "./parse-yaml.js";

/** A file of JSON, or of YAML by its name, as a tree. Undefined, with at least one error in `report`, when there is no whole tree. */
export function parseTree(file: SourceFile, report: Report): SyntaxNode | undefined {
  const isYaml = [".yaml", ".yml"].includes(posix.extname(file.path).toLowerCase());
  return isYaml
    ? parseYaml(file, { start: 0, end: file.text.length }, report)
    : parseJson(file, report);
}
