import { hasDotSegment } from "@skillc/runtime/internal/http";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { spanWithin } from "../../../core/syntax-node.js";
import { isParameter, parameterAsCredential } from "../../../kit/reference-problems.js";
import {
  isValuePart,
  parseTemplate,
  spanInLiteral,
  type TextNode,
  valueName,
} from "../../../kit/text-template.js";
import { type HttpEntry, httpTemplates, type PathPiece, type UrlModel } from "../model.js";
import type { PathEntry } from "./styles.js";
import { readOrigin } from "./url-origin.js";
import type { UrlLiteral } from "./url-literals.js";
import { cut, spanOf, split, textOfLiterals, type UrlTextPart } from "./url-parts.js";

export interface UrlReading {
  readonly url: UrlModel;
  /** The entries of the URL's query that hold placeholders; they join those of `query`. */
  readonly entries: readonly HttpEntry[];
  /** Every name in the URL's query, decoded. */
  readonly names: readonly { readonly name: string; readonly span: Span }[];
  readonly parts: readonly UrlTextPart[];
  /** Segments of the path and values of the query that have no placeholder. */
  readonly literals: readonly UrlLiteral[];
  readonly whole: boolean;
}

/**
 * Reads a URL template: an origin, path segments, and a query.
 *
 * @param styled entries of `path:`, for placeholders with their names
 */
export function readUrl(
  node: TextNode,
  parameters: SchemaModel,
  styled: readonly PathEntry[],
  report: Report,
): UrlReading {
  const template = parseTemplate(node, httpTemplates, report);
  const parts = template.parts.map((part) => correctedPart(part, parameters));
  const { before, after: fragment } = cut(node, parts, "#");
  if (fragment !== undefined) {
    const hash = before.at(-1)?.end ?? 0;
    report.add({
      code: "http/fragment-in-url",
      span: spanWithin(node, hash, fragment.at(-1)?.end ?? hash + 1),
      message: "a fragment is never sent to the server",
      help: "remove it; for a literal `#` write `%23`",
    });
  }
  const location = cut(node, before, "?");
  const reading = readOrigin(node, location.before, report);
  const afterOrigin = [...reading.path, ...(location.after ?? []), ...(fragment ?? [])];
  reportDollarParameters(template.parts, afterOrigin, report);
  const query = readQuery(node, location.after, report);
  const path = readPath(node, reading.path, styled, report);
  const origin = reading.origin ?? standInOrigin(node.span);
  // Nobody knows which parameters an empty URL was meant to use.
  const whole = template.whole && parts.length > 0;
  const url = { span: node.span, origin, path, literalQuery: query.literal };
  const literals = [...literalSegments(node, reading.path), ...query.literals];
  return { url, ...query, literals, parts: meantParts(parts, path), whole };
}

/** Replaces styled placeholders with the parts that they stand for. */
function meantParts(
  parts: readonly UrlTextPart[],
  path: readonly PathPiece[],
): readonly UrlTextPart[] {
  const styled = path.flatMap((piece) =>
    piece.kind === "segment" ? piece.values.filter((value) => value.kind === "styled") : [],
  );
  return parts.map((part) => styled.find(({ span }) => span === part.span)?.part ?? part);
}

/** Treats `${name}` as `{name}` if the tool has that parameter. */
function correctedPart(part: UrlTextPart, parameters: SchemaModel): UrlTextPart {
  if (part.kind !== "credential" || !isParameter(parameters, part)) return part;
  const { name, start, end, span } = part;
  return { kind: "parameter", path: [name], start, end, span };
}

/** Reports parameters written as `${name}`. `readOrigin` rejects any parameter in the origin. */
function reportDollarParameters(
  written: readonly UrlTextPart[],
  afterOrigin: readonly UrlTextPart[],
  report: Report,
): void {
  const meant = new Set(
    afterOrigin.flatMap((part) => (part.kind === "parameter" ? [part.start] : [])),
  );
  for (const part of written) {
    if (part.kind === "credential" && meant.has(part.start))
      report.add(parameterAsCredential("http", part));
  }
}

/** Replaces an invalid origin, so that the rest of the binding is still checked. */
function standInOrigin(span: Span): UrlModel["origin"] {
  return { kind: "literal", origin: "", span };
}

/** Reading of a URL that is missing or not text. */
export function noUrl(span: Span): UrlReading {
  const literalQuery = { text: "", span };
  const url = { span, origin: standInOrigin(span), path: [], literalQuery };
  return { url, entries: [], names: [], parts: [], literals: [], whole: false };
}

function literalSegments(node: TextNode, parts: readonly UrlTextPart[]): readonly UrlLiteral[] {
  const segments = split(node, parts, "/");
  return segments.flatMap((segment, index) => {
    if (segment.length === 0 || !isLiteral(segment)) return [];
    const before = segments[index - 1] ?? [];
    return {
      text: textOfLiterals(segment),
      span: spanOf(node, segment, 0),
      ...(!isLiteral(before) && { isPart: true as const }),
    };
  });
}

function isLiteral(parts: readonly UrlTextPart[]): boolean {
  return parts.every(({ kind }) => kind === "literal");
}

function readPath(
  node: TextNode,
  parts: readonly UrlTextPart[],
  styled: readonly PathEntry[],
  report: Report,
): readonly PathPiece[] {
  checkUrlText(node, parts, report);
  const pieces: PathPiece[] = [];
  for (const [index, segment] of split(node, parts, "/").entries()) {
    const span = spanOf(node, segment, parts[0]?.start ?? 0);
    if (index > 0) pieces.push({ kind: "text", text: "/", span });
    checkDotSegment(segment, span, report);
    pieces.push(readSegment(segment, span, styled, report));
  }
  return mergeTexts(pieces);
}

function readSegment(
  parts: readonly UrlTextPart[],
  span: Span,
  styled: readonly PathEntry[],
  report: Report,
): PathPiece {
  const values = parts.filter(isValuePart).map((part) => {
    const entry = styled.find(({ name }) => name === valueName(part));
    return entry === undefined ? part : ({ ...entry, kind: "styled", span: part.span } as const);
  });
  const fixed = [""];
  for (const part of parts) {
    if (isValuePart(part)) fixed.push("");
    if (part.kind === "literal") fixed.push(`${fixed.pop() ?? ""}${encodePath(part.text)}`);
    if (part.kind === "credential") refuseCredential(part.name, part.span, report);
  }
  if (values.length === 0) return { kind: "text", text: fixed.join(""), span };
  return { kind: "segment", fixed, values, span };
}

function refuseCredential(name: string, span: Span, report: Report): void {
  report.add({
    code: "http/credential-in-path",
    span,
    message: `\`\${${name}}\` is inside the path`,
    help: "put origin and base path into one setting and start the URL with it, or send the credential in a header",
  });
}

/** Joins neighbouring texts and drops empty ones. */
function mergeTexts(pieces: readonly PathPiece[]): readonly PathPiece[] {
  const merged: PathPiece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (piece.kind === "text" && last?.kind === "text") {
      const span = { ...last.span, end: Math.max(last.span.end, piece.span.end) };
      merged.splice(-1, 1, { kind: "text", text: last.text + piece.text, span });
    } else if (piece.kind === "segment" || piece.text !== "") merged.push(piece);
  }
  return merged;
}

interface QueryReading {
  readonly literal: { readonly text: string; readonly span: Span };
  readonly entries: readonly HttpEntry[];
  readonly names: readonly { readonly name: string; readonly span: Span }[];
  readonly literals: readonly UrlLiteral[];
}

function readQuery(
  node: TextNode,
  parts: readonly UrlTextPart[] | undefined,
  report: Report,
): QueryReading {
  const span = spanOf(node, parts ?? [], node.value.length);
  if (parts === undefined || parts.length === 0) {
    return { literal: { text: "", span }, entries: [], names: [], literals: [] };
  }
  checkUrlText(node, parts, report);
  const fixed: string[] = [];
  const literals: UrlLiteral[] = [];
  const entries: HttpEntry[] = [];
  const names: { name: string; span: Span }[] = [];
  for (const pair of split(node, parts, "&")) {
    if (pair.length === 0) continue;
    const { before, after = [] } = cut(node, pair, "=");
    const name = decodeQuery(textOfLiterals(before));
    const nameSpan = spanOf(node, before, pair[0]?.start ?? 0);
    if (before.some((part) => part.kind !== "literal"))
      refusePlaceholderName(before, nameSpan, report);
    names.push({ name, span: nameSpan });
    const valueSpan = spanOf(node, after, 0);
    if (isLiteral(after)) {
      fixed.push(encodeQuery(textOfLiterals(pair)));
      literals.push({ key: name, text: decodeQuery(textOfLiterals(after)), span: valueSpan });
    } else entries.push({ name, span: nameSpan, value: templateOf(after, valueSpan) });
  }
  const text = fixed.length === 0 ? "" : `?${fixed.join("&")}`;
  return { literal: { text, span }, entries, names, literals };
}

function refusePlaceholderName(parts: readonly UrlTextPart[], span: Span, report: Report): void {
  report.add({
    code: "http/placeholder-in-name",
    span: parts.find((part) => part.kind !== "literal")?.span ?? span,
    message: "the name of a query entry can't contain a placeholder",
    help: "write each name as fixed text, in an entry of its own",
  });
}

function templateOf(parts: readonly UrlTextPart[], span: Span): HttpEntry["value"] {
  const decoded = parts.map((part) =>
    part.kind === "literal" ? { ...part, text: decodeQuery(part.text) } : part,
  );
  return { kind: "template", template: { span, parts: decoded, whole: true } };
}

/**
 * Characters that a path or a query can't contain unencoded (RFC 3986). `%` stays, because
 * `checkUrlText` checks the digits after it.
 */
const keptInPath = /[^A-Za-z0-9\-._~!$&'()*+,;=:@%/]/gu;
const keptInQuery = /[^A-Za-z0-9\-._~!$&'()*+,;=:@%/?]/gu;

/** Percent-encodes literal text for a URL's path. */
function encodePath(text: string): string {
  return text.toWellFormed().replace(keptInPath, encodeURIComponent);
}

/** Percent-encodes literal text for a URL's query. */
function encodeQuery(text: string): string {
  return text.toWellFormed().replace(keptInQuery, encodeURIComponent);
}

/** Decodes a name or value of a URL's query, in which `+` is a space. */
function decodeQuery(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Reports characters that are surely mistakes in a URL. All others are encoded if necessary. */
function checkUrlText(node: TextNode, parts: readonly UrlTextPart[], report: Report): void {
  for (const part of parts) {
    if (part.kind !== "literal") continue;
    for (const match of part.text.matchAll(/[\s\\]|\p{Cc}|%(?![0-9A-Fa-f]{2})/gu)) {
      report.add({
        code: "http/bad-url-text",
        span: spanInLiteral(node, part, match.index, match.index + match[0].length),
        ...explain(match[0]),
      });
    }
  }
}

function explain(character: string): { message: string; help: string } {
  if (character === "\\") {
    return {
      message: "a URL can't contain a backslash",
      help: "write `/`, or `%5C` for a literal one",
    };
  }
  if (character === "%") {
    return {
      message: "`%` in a URL must be followed by two hexadecimal digits",
      help: "write `%25` for a literal `%`",
    };
  }
  if (character === " ") {
    return {
      message: "a URL can't contain a space",
      help: "write `%20`, or join the lines of the URL without spaces",
    };
  }
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return { message: `a URL can't contain the character U+${code}`, help: "remove it" };
}

/** Reports a literal path segment `.` or `..`, percent-encoded or not. */
function checkDotSegment(parts: readonly UrlTextPart[], span: Span, report: Report): void {
  if (!isLiteral(parts)) return;
  const text = textOfLiterals(parts);
  if (!hasDotSegment(text)) return;
  report.add({
    code: "http/bad-url-text",
    span,
    message: `the path segment \`${shown(text)}\` leads to another path`,
    help: "write the resulting path",
  });
}
