import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { MapEntry, SyntaxNode } from "../../../core/syntax-node.js";
import { textNode } from "../../../kit/text-template.js";
import type { AnswerHeader } from "../model.js";
import { headerToken } from "./request.js";

/** Valid names for a header in the result. */
export const answerHeaderName = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Reads `response_mapping.headers`: names in the result, and the headers that they stand for. */
export function readAnswerHeaders(
  node: SyntaxNode | undefined,
  report: Report,
): readonly AnswerHeader[] {
  if (node?.kind !== "map") return [];
  return node.entries.flatMap((entry) => {
    const header = textNode(entry.value);
    if (header === undefined) return [];
    const nameFits = checkName(entry, report);
    const problem = problemOf(header.value);
    if (problem !== undefined)
      report.add({ code: "http/bad-answer-header", span: header.span, ...problem });
    if (!nameFits || problem !== undefined) return [];
    return [{ name: entry.key.value, header: header.value, span: entry.key.span }];
  });
}

function checkName({ key }: MapEntry, report: Report): boolean {
  if (answerHeaderName.test(key.value)) return true;
  const better = key.value.replace(/[^A-Za-z0-9]+/g, "_").replace(/^[^A-Za-z]+|_+$/g, "");
  report.add({
    code: "http/bad-answer-header",
    span: key.span,
    message: `\`${shown(key.value)}\` is not a valid key of \`headers\``,
    help: `use letters, digits and \`_\`${better === "" ? "" : `: \`${shown(better.toLowerCase())}\``}`,
  });
  return false;
}

function problemOf(
  header: string,
): { readonly message: string; readonly help: string } | undefined {
  if (!headerToken.test(header)) {
    return {
      message: `\`${shown(header)}\` is not the name of a header`,
      help: "write the name of a header, such as `ETag` or `X-RateLimit-Remaining`",
    };
  }
  if (!/^set-cookie2?$/i.test(header)) return undefined;
  return {
    message: `\`${header}\` holds a credential, which would appear in results and in the ledger`,
    help: "remove it",
  };
}
