import { isDeepStrictEqual } from "node:util";
import type { ts as Ts } from "ts-morph";
import { type JsonValue, setOwn } from "../../core/json.js";
import { ts } from "../../core/typescript.js";
import type { DraftStatement, Meaning } from "../../core/draft-statement.js";

type DraftText = Omit<DraftStatement, "kind">;

/**
 * Verifies formatted code by parsing it. Every literal for author data must be a single literal
 * with exactly that value at its place. The formatted text must have the same names, keywords,
 * literals, operators, brackets and comments, in the same order.
 *
 * @throws Error otherwise; that is a bug of skillc, and nothing is written
 */
export function readBack(draft: DraftText, formatted: string): void {
  const { path, text } = draft;
  const { meanings, text: code } = withoutData(draft);
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.ESNext, false, ts.ScriptKind.TS);
  const problem = syntaxProblems(file)[0];
  if (problem !== undefined) {
    const message = ts.flattenDiagnosticMessageText(problem.messageText, " ");
    throw new Error(`${path}: generated code does not parse: ${message}`);
  }
  checkMeanings(path, meanings, file);
  if (formatted !== text) checkFormatted(path, text, formatted);
}

/** Minimum length of a large literal, in characters. */
const muchData = 200;

/**
 * Reads large literals that are JSON as JSON, which takes a tenth of the time. The surrounding code
 * then has an empty object or list in their place. Literals with `__proto__` are left out, because
 * it means something else in JSON than in code.
 */
function withoutData({ meanings, text }: DraftText): Pick<DraftText, "meanings" | "text"> {
  const kept: Meaning[] = [];
  let code = "";
  let done = 0;
  for (const meaning of meanings) {
    const { end, start, value } = meaning;
    if (end - start < muchData || !isJsonOf(value, text.slice(start, end))) {
      kept.push(meaning);
      continue;
    }
    code += `${text.slice(done, start + 1)}${" ".repeat(end - start - 2)}`;
    done = end - 1;
    kept.push({ start, end, value: Array.isArray(value) ? [] : {} });
  }
  return { meanings: kept, text: code + text.slice(done) };
}

/** Matches the name, or an escape that may be a letter of the name. */
const prototype = /__proto__|\\u00[5-7]/;

function isJsonOf(value: JsonValue, code: string): boolean {
  if (typeof value !== "object" || value === null || prototype.test(code)) return false;
  try {
    return isDeepStrictEqual(JSON.parse(code), value);
  } catch {
    return false;
  }
}

/**
 * Returns the parser's syntax errors. Every source file has them, but not in its public type. If a
 * future parser stores them elsewhere, this must fail instead of reporting none.
 */
function syntaxProblems(file: Ts.SourceFile): readonly Ts.DiagnosticWithLocation[] {
  const { parseDiagnostics } = file as Ts.SourceFile & {
    parseDiagnostics?: Ts.DiagnosticWithLocation[];
  };
  if (parseDiagnostics === undefined)
    throw new Error("TypeScript's parser no longer reports problems as `parseDiagnostics`");
  return parseDiagnostics;
}

function checkMeanings(path: string, meanings: readonly Meaning[], file: Ts.SourceFile): void {
  let next = 0;
  // Nodes and meanings are both in source order, outer before inner.
  const visit = (node: Ts.Node): void => {
    if (setsPrototype(node))
      throw new Error(`${path}: a property sets a prototype, at offset ${node.pos}`);
    const meaning = meanings[next];
    if (meaning === undefined || node.end <= meaning.start) return;
    const { start, end } = spelledAt(node, file);
    const value = end === meaning.end && start === meaning.start ? valueOf(node) : undefined;
    if (value === undefined) return ts.forEachChild(node, visit);
    if (isDeepStrictEqual(value.json, meaning.value)) next += 1;
  };
  visit(file);
  const lost = meanings[next];
  if (lost !== undefined) {
    throw new Error(`${path}: a literal does not read back as intended, at offset ${lost.start}`);
  }
}

/**
 * Returns the offsets of a node's value. For a part of a template, those of the text between its
 * backtick, `${` or `}`.
 */
function spelledAt(
  node: Ts.Node,
  file: Ts.SourceFile,
): { readonly start: number; readonly end: number } {
  const [start, { end }] = [node.getStart(file), node];
  if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node))
    return { start: start + 1, end: end - 2 };
  const isLast = ts.isTemplateTail(node) || ts.isNoSubstitutionTemplateLiteral(node);
  return isLast ? { start: start + 1, end: end - 1 } : { start, end };
}

/**
 * Checks for `__proto__: x`, which sets the prototype, with or without quotes. Only in brackets is
 * it a property.
 */
function setsPrototype(node: Ts.Node): boolean {
  if (!ts.isPropertyAssignment(node)) return false;
  return (
    (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name)) && node.name.text === "__proto__"
  );
}

/** Returns the value of a literal; undefined if the node is not purely a literal. */
function valueOf(node: Ts.Node): { readonly json: JsonValue } | undefined {
  if (ts.isLiteralTypeNode(node)) return valueOf(node.literal);
  if (ts.isComputedPropertyName(node)) return valueOf(node.expression);
  if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) return { json: node.text };
  if (ts.isNumericLiteral(node)) return { json: Number(node.text) };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { json: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { json: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { json: null };
  if (ts.isPrefixUnaryExpression(node)) return negated(node);
  if (ts.isArrayLiteralExpression(node)) return arrayValue(node);
  return ts.isObjectLiteralExpression(node) ? objectValue(node) : undefined;
}

function negated(node: Ts.PrefixUnaryExpression): { readonly json: JsonValue } | undefined {
  if (node.operator !== ts.SyntaxKind.MinusToken || !ts.isNumericLiteral(node.operand))
    return undefined;
  return { json: -Number(node.operand.text) };
}

function arrayValue(node: Ts.ArrayLiteralExpression): { readonly json: JsonValue } | undefined {
  const items = node.elements.map(valueOf);
  return items.every((each) => each !== undefined)
    ? { json: items.map((each) => each.json) }
    : undefined;
}

function objectValue(node: Ts.ObjectLiteralExpression): { readonly json: JsonValue } | undefined {
  const object: Record<string, JsonValue> = {};
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property) || setsPrototype(property)) return undefined;
    const name = ts.isIdentifier(property.name) ? property.name.text : valueOf(property.name)?.json;
    const value = valueOf(property.initializer);
    if (typeof name !== "string" || value === undefined) return undefined;
    setOwn(object, name, value.json);
  }
  return { json: object };
}

function checkFormatted(path: string, before: string, after: string): void {
  const meant = wordsOf(before);
  const kept = wordsOf(after);
  const changed = meant.findIndex((word, index) => word.value !== kept[index]?.value);
  if (changed >= 0 || meant.length !== kept.length) {
    throw new Error(
      `${path}: formatting changed the code at offset ${meant[changed]?.start ?? before.length}`,
    );
  }
}

/**
 * A token of a TypeScript file with a meaning: a name, a keyword, a literal, an operator, a bracket
 * or a comment.
 */
export interface Word {
  readonly value: string;
  /** Offset in the text. */
  readonly start: number;
}

/**
 * Returns all tokens with a meaning, in source order. A formatter may change whitespace, quotes and
 * separators, but never this sequence. Generated code has no regular expressions, so a scanner
 * suffices if it knows the braces that end holes of templates.
 */
export function wordsOf(text: string): readonly Word[] {
  const scanner = ts.createScanner(
    ts.ScriptTarget.ESNext,
    false,
    ts.LanguageVariant.Standard,
    text,
  );
  const words: Word[] = [];
  const next = withTemplates(scanner);
  for (let kind = next(); kind !== ts.SyntaxKind.EndOfFileToken; kind = next()) {
    const value = wordValueOf(kind, scanner);
    if (value !== undefined) words.push({ value, start: scanner.getTokenStart() });
  }
  return words;
}

/**
 * Returns a function that scans the next token. A brace that ends a hole begins the next text of
 * the template.
 */
function withTemplates(scanner: Ts.Scanner): () => Ts.SyntaxKind {
  /** Numbers of open braces, for each open hole. */
  const open: number[] = [];
  return () => {
    const kind = scanner.scan();
    const braces = open.at(-1);
    if (kind === ts.SyntaxKind.TemplateHead) open.push(0);
    if (braces === undefined) return kind;
    if (kind === ts.SyntaxKind.OpenBraceToken) open[open.length - 1] = braces + 1;
    if (kind !== ts.SyntaxKind.CloseBraceToken) return kind;
    if (braces > 0) open[open.length - 1] = braces - 1;
    if (braces > 0) return kind;
    const text = scanner.reScanTemplateToken(false);
    if (text === ts.SyntaxKind.TemplateTail) open.pop();
    return text;
  };
}

/**
 * Returns the value to compare. A property's name is the same with and without quotes, and a
 * comment with another indentation.
 */
function wordValueOf(kind: Ts.SyntaxKind, scanner: Ts.Scanner): string | undefined {
  if (
    kind === ts.SyntaxKind.SingleLineCommentTrivia ||
    kind === ts.SyntaxKind.MultiLineCommentTrivia
  ) {
    return scanner
      .getTokenText()
      .replace(/\n\s*\*/g, "\n*")
      .trim();
  }
  if (kind === ts.SyntaxKind.Identifier || isLiteral(kind)) return scanner.getTokenValue();
  const isKeyword = kind >= ts.SyntaxKind.FirstKeyword && kind <= ts.SyntaxKind.LastKeyword;
  const isMark = kind >= ts.SyntaxKind.FirstPunctuation && kind <= ts.SyntaxKind.LastPunctuation;
  return isKeyword || (isMark && !separators.has(kind)) ? scanner.getTokenText() : undefined;
}

/** Tokens that a formatter adds or removes depending on its style. */
const separators: ReadonlySet<Ts.SyntaxKind> = new Set([
  ts.SyntaxKind.SemicolonToken,
  ts.SyntaxKind.CommaToken,
  ts.SyntaxKind.BarToken,
  ts.SyntaxKind.OpenParenToken,
  ts.SyntaxKind.CloseParenToken,
]);

function isLiteral(kind: Ts.SyntaxKind): boolean {
  return (
    kind === ts.SyntaxKind.StringLiteral ||
    kind === ts.SyntaxKind.NumericLiteral ||
    (kind >= ts.SyntaxKind.FirstTemplateToken && kind <= ts.SyntaxKind.LastTemplateToken)
  );
}
