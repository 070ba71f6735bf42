import { type JsonProblem, findJsonProblem } from "@skillc/runtime/internal";
import { posix } from "node:path";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { TextRange } from "../../core/span.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import { jsonTree } from "./json-tree.js";
import { parseDocument, parseYaml } from "./parse-yaml.js";

/**
 * Parses a JSON file to a tree with spans. Accepts the same texts as `JSON.parse`, and a leading
 * byte order mark. Repeated keys and numbers that overflow to infinity are errors.
 *
 * @returns undefined, with at least one error in `report`, if there is no complete tree
 */
export function parseJson(file: SourceFile, report: Report): SyntaxNode | undefined {
  const problem = findJsonProblem(file.text, file.text.startsWith("\ufeff") ? 1 : 0);
  if (problem) {
    reportProblem(file, problem, report);
    return undefined;
  }
  const plain = jsonTree(file.path, file.text, file.text.startsWith("\ufeff") ? 1 : 0);
  if (plain !== undefined) return plain;
  // JSON on one line is YAML, character for character. Only line breaks and tabs differ, which
  // never occur inside JSON strings.
  const text = file.text.replace(/[\t\r\n]/g, " ");
  const start = text.search(/[^ \ufeff]/);
  return parseDocument(file.path, { text, start, end: text.length }, report);
}

function reportProblem({ path, text }: SourceFile, problem: JsonProblem, report: Report): void {
  const { at = problem, ...words } = inWords(problem, text);
  const { kind, opened } = problem;
  const bracket = kind === "end" && opened;
  const related = bracket && {
    span: { file: path, start: bracket.at, end: bracket.at + 1 },
    message: "opened here",
  };
  report.add({
    code: "parse/invalid-json",
    span: { file: path, start: at.start, end: at.end },
    ...words,
    ...(related && { related: [related] }),
  });
}

interface ProblemInWords extends Pick<UnratedDiagnostic, "message" | "help"> {
  /** Place to report, if it differs from the place of detection. */
  readonly at?: TextRange;
}

function inWords(problem: JsonProblem, text: string): ProblemInWords {
  const { comma, expected, kind, opened, start } = problem;
  switch (kind) {
    case "word":
      return wordInWords(problem, text);
    case "escape":
      return { message: "JSON has no such escape", help: "write `\\\\` for a backslash" };
    case "control": {
      const code = text.charCodeAt(start).toString(16).padStart(4, "0");
      const message = "a string has a control character in it";
      return { message, help: `write it as \`\\u${code}\`` };
    }
    case "line-in-string":
      return { message: "this string has no closing quote on its line" };
    case "open-string":
      return { message: "this string has no closing quote" };
    case "end":
      if (opened === undefined) break;
      return { message: `the file ends before this \`${opened.bracket}\` is closed` };
    case "misplaced":
      if (comma === undefined) break;
      return {
        at: { start: comma, end: comma + 1 },
        message: "a comma with nothing after it",
        help: "remove it",
      };
  }
  return { message: `expected ${wanted(expected, opened?.bracket)}` };
}

function wordInWords(problem: JsonProblem, text: string): ProblemInWords {
  // A truncated value is reported at its start.
  const start = problem.endsEarly
    ? text.slice(0, problem.start).search(/[^\s{}[\]:,"]+$/)
    : problem.start;
  const at = { start, end: problem.end };
  const found = text.slice(start, problem.end);
  if (/^[/#]/.test(found)) {
    const length = text.slice(start).search(/[\r\n]/);
    const end = length < 0 ? text.length : start + length;
    return { at: { start, end }, message: "JSON has no comments", help: "remove it" };
  }
  if (found.startsWith("'")) {
    const message = "JSON strings need double quotes";
    return { at: { start, end: start + 1 }, message, help: "write `\"` instead of `'`" };
  }
  if (/^(?:NaN|[-+]?Infinity)$/.test(found)) return { at, message: "JSON has no such number" };
  if (/^[-+.]?[0-9]/.test(found)) return { at, message: "JSON writes numbers in another way" };
  if (/^[A-Za-z_$]/.test(found)) return { at, message: "text needs double quotes" };
  return { at, message: "no JSON value starts like this" };
}

function wanted(expected: JsonProblem["expected"], inside: "{" | "[" | undefined): string {
  switch (expected) {
    case "value":
    case "value-or-end":
      return "a JSON value";
    case "key":
    case "key-or-end":
      return "a key in double quotes";
    case "colon":
      return "`:` after the key";
    case "comma-or-end":
      return inside === "{" ? "`,` or `}`" : "`,` or `]`";
    case "end":
      return "the end of the file";
  }
}

/**
 * Parses a file as JSON, or as YAML by its name. Undefined, with at least one error in `report`, if
 * there is no complete tree.
 */
export function parseTree(file: SourceFile, report: Report): SyntaxNode | undefined {
  const isYaml = [".yaml", ".yml"].includes(posix.extname(file.path).toLowerCase());
  return isYaml
    ? parseYaml(file, { start: 0, end: file.text.length }, report)
    : parseJson(file, report);
}
