import { readJsonOrInfinity } from "@skillc/runtime/internal";
import { isJsonObject, type JsonValue } from "../../../core/json.js";
import type { Report } from "../../../core/report.js";
import type { SourceFile } from "../../../core/source-file.js";
import { roundedScalars, toExactJson, toJson } from "../../../core/syntax-node.js";
import type { YamlLimits } from "../../../compiler/parse/compose-yaml.js";
import { parseJson } from "../../../compiler/parse/parse-json.js";
import { parseYaml } from "../../../compiler/parse/parse-yaml.js";
import type { ApiDocument } from "./document.js";

/** Size limits of one document and of a whole import, in bytes. */
export const maxDocumentBytes = 100 * 1024 * 1024;

/**
 * Maximum number of characters of YAML, whose places take far more memory than JSON's. Reading so
 * much takes about 20 s.
 */
const maxYaml = 16 * 1024 * 1024;

/** Limits with aliases expanded, so that few lines can't make a billion values. */
const yamlLimits: YamlLimits = {
  levels: 200,
  nodes: 3_000_000,
  tokens: 4_000_000,
  mergesKeys: true,
  keepsDigits: true,
  allowsCutValues: true,
};

/**
 * Parses the text of a document as JSON or YAML 1.2. Undefined, with an error in `report`, if it is
 * neither, or too large.
 */
export function parseDocumentText(
  uri: string,
  file: SourceFile,
  report: Report,
): ApiDocument | undefined {
  return isJson(file) ? jsonDocument(uri, file, report) : yamlDocument(uri, file, report);
}

/**
 * Decides by the file name, or else by the first character. YAML parsers also read JSON, but far
 * slower.
 */
function isJson({ path, text }: SourceFile): boolean {
  if (/\.json$/i.test(path)) return true;
  return /^\ufeff?\s*\{/.test(text) && isReadable(text);
}

function isReadable(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ""));
    return true;
  } catch {
    return false;
  }
}

function jsonDocument(uri: string, file: SourceFile, report: Report): ApiDocument | undefined {
  let read: Pick<ApiDocument, "value" | "exact">;
  try {
    read = readJsonOrInfinity(file.text.replace(/^\ufeff/, ""));
  } catch {
    parseJson(file, report);
    return undefined;
  }
  if (isDeeper(read.value, yamlLimits.levels)) {
    report.add({
      code: "import/too-large",
      span: { file: file.path, start: 0, end: 1 },
      message: `the document nests deeper than ${yamlLimits.levels} levels`,
    });
    return undefined;
  }
  return { uri, file, ...read };
}

function yamlDocument(uri: string, file: SourceFile, report: Report): ApiDocument | undefined {
  if (file.text.length > maxYaml) {
    report.add({
      code: "import/too-large",
      span: { file: file.path, start: 0, end: 1 },
      message: `the document has more than ${maxYaml / 1024 / 1024} MiB of YAML`,
      help: "save it as JSON: the import reads up to 100 MiB of JSON",
    });
    return undefined;
  }
  const errors = report.errorCount();
  const tree = parseYaml(file, { start: 0, end: file.text.length }, report, yamlLimits);
  if (tree === undefined || report.errorCount() > errors) return undefined;
  const isExact = roundedScalars(tree).length === 0;
  return { uri, file, value: toJson(tree), ...(!isExact && { exact: toExactJson(tree) }), tree };
}

/** Iterates level by level, so a deep value can't overflow the stack. */
function isDeeper(root: JsonValue, levels: number): boolean {
  let level: JsonValue[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    const next: JsonValue[] = [];
    for (const each of level) {
      if (!isJsonObject(each) && !Array.isArray(each)) continue;
      for (const value of Object.values(each)) if (typeof value === "object") next.push(value);
    }
    level = next;
  }
  return false;
}
