import {
  jsonpath,
  JSONPathEnvironment,
  JSONPathError,
  JSONPathLexerError,
  TokenKind,
} from "json-p3";
import { RE2JS, RE2JSException } from "re2js";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { spanWithin } from "../../../core/syntax-node.js";
import { type TextNode } from "../../../kit/text-template.js";
import type { PathModel, PathStep } from "../model.js";
import { linearIRegexp } from "@skillc/runtime/internal/http";

const environment = new JSONPathEnvironment({ strict: true });
const { expressions, selectors } = jsonpath;

/** Maximum length in characters. Real paths are shorter, and the parser's stack is safe below. */
const longestPath = 2000;

/**
 * Reads an RFC 9535 query; a syntax error is reported at the character where the parser stopped.
 */
export function readJsonPath(node: TextNode, report: Report): PathModel | undefined {
  const text = node.value;
  try {
    if (text.length > longestPath) throw new RangeError(`longer than ${longestPath} characters`);
    const query = environment.compile(text);
    const pattern = patternsIn(query).find((each) => !isPattern(each));
    if (pattern !== undefined) {
      reportPattern(node, pattern, report);
      return undefined;
    }
    const steps = stepsOf(query, node);
    const complete = steps.length === query.segments.length;
    return { text, span: node.span, steps, complete, singular: query.singularQuery() };
  } catch (error) {
    if (!(error instanceof JSONPathError) && !(error instanceof RangeError)) throw error;
    reportSyntaxError(node, error, report);
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

/** Returns the literal patterns of `match` and `search` in a query. */
function patternsIn(query: Query): readonly jsonpath.expressions.StringLiteral[] {
  return query.segments.flatMap((segment) =>
    segment.selectors.flatMap((each) =>
      each instanceof selectors.FilterSelector ? patternsOf(each.expression) : [],
    ),
  );
}

function patternsOf(
  expression: jsonpath.expressions.FilterExpression,
): readonly jsonpath.expressions.StringLiteral[] {
  if (expression instanceof expressions.FilterQuery) return patternsIn(expression.path);
  if (expression instanceof expressions.PrefixExpression) return patternsOf(expression.right);
  if (expression instanceof expressions.LogicalExpression) return patternsOf(expression.expression);
  if (expression instanceof expressions.InfixExpression)
    return [...patternsOf(expression.left), ...patternsOf(expression.right)];
  if (!(expression instanceof expressions.FunctionExtension)) return [];
  const [, pattern] = ["match", "search"].includes(expression.name) ? expression.args : [];
  const own = pattern instanceof expressions.StringLiteral ? [pattern] : [];
  return [...own, ...expression.args.flatMap(patternsOf)];
}

/** True if the runtime can match the pattern. RE2 rejects repetitions of more than 1,000. */
function isPattern({ value }: jsonpath.expressions.StringLiteral): boolean {
  const text = linearIRegexp(value, "search");
  if (text === undefined) return false;
  try {
    RE2JS.compile(text);
    return true;
  } catch (error) {
    if (error instanceof RE2JSException) return false;
    throw error;
  }
}

function reportPattern(
  node: TextNode,
  { token, value }: jsonpath.expressions.StringLiteral,
  report: Report,
): void {
  report.add({
    code: "http/bad-json-path",
    span: spanWithin(node, token.index, token.index + token.value.length),
    message: `\`${shown(value)}\` is not a valid pattern in JSONPath, so it would match nothing`,
    help: "write the pattern as I-Regexp (RFC 9485): `[0-9]` for `\\d`, `( )` for `(?: )`, no lookaround, and no repetition of more than 1,000",
  });
}

function reportSyntaxError(
  node: TextNode,
  error: JSONPathError | RangeError,
  report: Report,
): void {
  const offset =
    error instanceof JSONPathError ? Math.min(error.token.index, node.value.length) : 0;
  const reason = withoutPlace(error);
  // The lexer throws `JSONPathLexerError` if the text ends too early.
  const end = error instanceof JSONPathLexerError || offset >= node.value.length;
  report.add({
    code: "http/bad-json-path",
    span:
      error instanceof JSONPathError ? spanWithin(node, offset, offset + (end ? 0 : 1)) : node.span,
    message: `\`${shown(node.value)}\` is not a JSONPath: ${end ? "it ends too early" : shown(reason)}`,
    help: suggestion(node.value),
  });
}

/**
 * Removes the place that the library appends to its message, such as `('$.a[':4)`. Our span shows
 * the place.
 */
function withoutPlace(error: JSONPathError | RangeError): string {
  if (!(error instanceof JSONPathError)) return error.message;
  const place = error.message.lastIndexOf(" ('");
  return (place === -1 ? error.message : error.message.slice(0, place)).trim();
}

function suggestion(text: string): string {
  const plain = /^\.?([A-Za-z_][\w]*(?:\.[A-Za-z_][\w]*)*)$/.exec(text.trim())?.[1];
  return plain === undefined
    ? "write an RFC 9535 query: `$.data`, `$.items[0].id`, `$['odd name']`"
    : `write \`$.${plain}\``;
}
