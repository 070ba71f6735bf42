import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import { type JsonFault, jsonFault } from "./json-fault.js";
import { isWhitespace } from "./json-token.js";
import { parseDocument } from "./parse-yaml.js";

/**
 * A JSON file as a tree whose nodes know their places. Accepts what `JSON.parse` accepts, and a byte order mark before it; a key that
 * stands twice in an object is an error too, and so are numbers that JavaScript reads as infinite.
 *
 * @returns undefined, with at least one error in `report`, when there is no whole tree
 */
export function parseJson(file: SourceFile, report: Report): SyntaxNode | undefined {
  let start = file.text.startsWith("\ufeff") ? 1 : 0;
  while (isWhitespace(file.text[start])) start += 1;
  const fault = jsonFault(file.text, start);
  if (fault) {
    reportFault(file, fault, report);
    return undefined;
  }
  // On one line JSON is YAML, character for character; line breaks and tabs, never inside its strings, are where the two differ.
  const text = file.text.replace(/[\t\r\n]/g, " ");
  return parseDocument(file.path, { text, start, end: text.length }, report);
}

function reportFault(file: SourceFile, fault: JsonFault, report: Report): void {
  const at = { file: file.path, start: fault.start, end: fault.end };
  const opened = fault.opened;
  const related = {
    span: { file: file.path, start: opened ?? 0, end: (opened ?? 0) + 1 },
    message: "opened here",
  };
  report.add({
    code: "parse/invalid-json",
    span: at,
    message: fault.message,
    help: fault.help,
    ...(opened !== undefined && { related: [related] }),
  });
}
