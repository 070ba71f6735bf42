import type { Report } from "../../core/report.js";
import type { Extent, SourceFile } from "../../core/source-file.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import { composeYaml, handWritten, type YamlText } from "./compose-yaml.js";
import { syntaxTree } from "./syntax-tree.js";
import { yamlProblems } from "./yaml-error.js";

/**
 * Parses one YAML 1.2 document to a tree with spans. It uses the core schema: only `true` and
 * `false` are booleans, dates are text. An empty document is a null scalar. Undefined, with at
 * least one error in `report`, if there is no complete tree. Time and depth are limited, whatever
 * the text.
 */
export function parseYaml(
  file: SourceFile,
  extent: Extent,
  report: Report,
  limits = handWritten,
): SyntaxNode | undefined {
  const source = withoutByteOrderMark({ text: file.text, ...extent });
  if (reportControlCharacter(file.path, source, report)) return undefined;
  return parseDocument(file.path, source, report, limits);
}

/** Parses text that may be blanked out in part. `source.text` is as long as the file. */
export function parseDocument(
  path: string,
  source: YamlText,
  report: Report,
  limits = handWritten,
): SyntaxNode | undefined {
  const composed = composeYaml(source, limits);
  if (composed.kind === "nothing") return emptyDocument(path, source);
  if (composed.kind === "problem") {
    const { code, message, start, end } = composed.problem;
    report.add({ code, message, span: { file: path, start, end } });
    return undefined;
  }
  const { errors, contents } = composed.document;
  for (const diagnostic of yamlProblems(path, source, composed.document)) report.add(diagnostic);
  if (errors.length > 0) return undefined;
  return contents
    ? syntaxTree({ path, text: source.text }, contents, report, limits)
    : emptyDocument(path, source);
}

function emptyDocument(file: string, source: YamlText): SyntaxNode {
  return { kind: "scalar", span: { file, start: source.start, end: source.start }, value: null };
}

function withoutByteOrderMark(source: YamlText): YamlText {
  return source.text.startsWith("\ufeff", source.start)
    ? { ...source, start: Math.min(source.start + 1, source.end) }
    : source;
}

/**
 * Characters that YAML 1.2 (section 5.1) forbids outside of escapes, and carriage returns inside a
 * line, which the library reads as text.
 */
const forbidden = /[^\P{Cc}\t\n\r\u0085]|[\ufffe\uffff]|\r(?!\n)/gu;

/** Reports control characters. The library accepts them, but an editor doesn't show them. */
function reportControlCharacter(file: string, source: YamlText, report: Report): boolean {
  forbidden.lastIndex = source.start;
  const found = forbidden.exec(source.text);
  if (found === null || found.index >= source.end) return false;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  report.add({
    code: "parse/control-character",
    span: { file, start: found.index, end: found.index + 1 },
    message: `the YAML has the control character U+${code} here`,
    help: `remove it, or write it as \`\\u${code}\` in double quotes`,
  });
  return true;
}
