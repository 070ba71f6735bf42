import { jsonpath, JSONPathEnvironment, JSONPathError, TokenKind } from "json-p3";
import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import { spanWithin } from "../../core/syntax-node.js";
import { type TextNode } from "../text-template.js";
import type { PathModel, PathStep } from "./model.js";

const environment = new JSONPathEnvironment({ strict: true });
const { selectors } = jsonpath;

/** No body is mapped by a longer one; the parser's stack is safe below it. */
const longestPath = 2000;

/** Reads an RFC 9535 query; a fault is reported at the character where the parser stopped. */
export function readJsonPath(node: TextNode, report: Report): PathModel | undefined {
  const text = node.value;
  try {
    if (text.length > longestPath) throw new RangeError(`longer than ${longestPath} characters`);
    const query = environment.compile(text);
    const steps = stepsOf(query, node);
    const complete = steps.length === query.segments.length;
    return { text, span: node.span, steps, complete, singular: query.singularQuery() };
  } catch (error) {
    if (!(error instanceof JSONPathError) && !(error instanceof RangeError)) throw error;
    reportFault(node, error, report);
    return undefined;
  }
}

type Query = ReturnType<JSONPathEnvironment["compile"]>;

/** The steps up to the first that could lead to several unlike places. */
function stepsOf(query: Query, node: TextNode): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (const { token, selectors: choices } of query.segments) {
    const [choice, ...others] = choices;
    if (choice === undefined || others.length > 0 || token.kind === TokenKind.DDOT) break;
    const { index, value } = choice.token;
    const span = spanWithin(node, index, index + Math.max(1, value.length));
    if (choice instanceof selectors.NameSelector) steps.push({ at: choice.name, span });
    else if (choice instanceof selectors.IndexSelector) steps.push({ at: choice.index, span });
    else steps.push({ at: { each: true }, span });
  }
  return steps;
}

function reportFault(node: TextNode, error: JSONPathError | RangeError, report: Report): void {
  const offset =
    error instanceof JSONPathError ? Math.min(error.token.index, node.value.length) : 0;
  const reason = error.message.replace(/ \('[^]*':\d+\)$/, "").trim();
  const end = reason.startsWith("can't backup") || offset >= node.value.length;
  report.add({
    code: "http/bad-json-path",
    span:
      error instanceof JSONPathError ? spanWithin(node, offset, offset + (end ? 0 : 1)) : node.span,
    message: `\`${shown(node.value)}\` is not a JSONPath: ${end ? "it ends too early" : shown(reason)}`,
    help: suggestion(node.value),
  });
}

function suggestion(text: string): string {
  const plain = /^\.?([A-Za-z_][\w]*(?:\.[A-Za-z_][\w]*)*)$/.exec(text.trim())?.[1];
  return plain === undefined
    ? "write an RFC 9535 query: `$.data`, `$.items[0].id`, `$['odd name']`"
    : `write \`$.${plain}\``;
}
