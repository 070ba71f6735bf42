import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  valueOf,
} from "../../../core/syntax-node.js";
import { literalText, parseTemplate, spanInLiteral, textNode } from "../../../kit/text-template.js";
import type { ScalarModel } from "../../../kit/values/model.js";
import { checkLiteralName, readScalar } from "../../../kit/values/read-value.js";
import {
  type BodyModel,
  type HttpEntry,
  httpTemplates,
  type HttpText,
  type IdempotencyModel,
} from "../model.js";
import { queryStyles, readStyled } from "./styles.js";

/** A token, such as a header's name (RFC 9110, 5.6.2). */
export const headerToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Headers that the HTTP client sets, with the reason. An author's value would break the request or
 * split it in two.
 */
const forbidden: ReadonlyMap<string, string> = new Map([
  ["host", "it follows from the URL"],
  ["content-length", "it follows from the body"],
  ["transfer-encoding", "it follows from the body"],
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "expect"].map(
    (name): [string, string] => [name, "it belongs to the connection, not to the request"],
  ),
]);

/** The `headers:` mapping. The idempotency header counts as one of them. */
export function readHeaders(
  node: SyntaxNode | undefined,
  idempotency: IdempotencyModel | undefined,
  body: BodyModel,
  report: Report,
): readonly HttpEntry[] {
  if (node?.kind !== "map") return [];
  const seen = new Map<string, Span>();
  if (idempotency) seen.set(idempotency.header.toLowerCase(), idempotency.span);
  return node.entries.flatMap(({ key, value }) => {
    checkHeaderName(key.value, key.span, report);
    checkTwin(key.value, key.span, seen, report);
    const entry = { name: key.value, span: key.span };
    const styled = readStyled(value, ["simple"], report);
    if (styled !== undefined) return [{ ...entry, ...styled }];
    if (value.kind !== "scalar") return [];
    const model = readScalar(value, { language: httpTemplates, report });
    checkHeaderValue(value, model, report);
    if (model.kind === "template") checkOwnName(key.value, model.template, report);
    if (key.value.toLowerCase() === "content-type")
      checkContentType(model, value.span, body, report);
    return [{ ...entry, value: model }];
  });
}

/** The `cookies:` mapping; a `Cookie` header beside it would be a second one. */
export function readCookies(binding: MapNode, report: Report): readonly HttpEntry[] {
  const node = entryOf(binding, "cookies");
  if (node?.value.kind !== "map") return [];
  const seen = new Map([["cookie", node.key.span]]);
  const headers = valueOf(binding, "headers");
  for (const { key } of headers?.kind === "map" ? headers.entries : [])
    if (key.value.toLowerCase() === "cookie") checkTwin(key.value, key.span, seen, report);
  return node.value.entries.flatMap(({ key, value }) => {
    checkCookieName(key.value, key.span, report);
    const entry = { name: key.value, span: key.span };
    const styled = readStyled(value, ["form"], report);
    if (styled !== undefined) return [{ ...entry, ...styled }];
    if (value.kind !== "scalar") return [];
    return [{ ...entry, value: readScalar(value, { language: httpTemplates, report }) }];
  });
}

export function checkCookieName(name: string, span: Span, report: Report): void {
  if (/\$?\{[^{}]*\}/.test(name))
    return checkLiteralName(name, span, { language: httpTemplates, report });
  if (headerToken.test(name)) return;
  report.add({
    code: "http/bad-header-name",
    span,
    message: `\`${shown(name)}\` is not the name of a cookie`,
    help: "use letters, digits and `-`",
  });
}

/** Reads `idempotency: { header, key }`; undefined for the form that all kinds of tools share. */
export function readIdempotency(
  node: SyntaxNode | undefined,
  report: Report,
): IdempotencyModel | undefined {
  const header = textNode(valueOf(node, "header"));
  if (header === undefined) return undefined;
  checkHeaderName(header.value, header.span, report);
  const keyNode = textNode(valueOf(node, "key"));
  if (keyNode === undefined) return { header: header.value, span: header.span };
  const key = parseTemplate(keyNode, httpTemplates, report);
  checkHeaderValue(keyNode, { kind: "template", template: key }, report);
  return { header: header.value, span: header.span, key };
}

/** Reports invalid header names, and headers that a binding can't set. */
export function checkHeaderName(name: string, span: Span, report: Report): void {
  const reason = forbidden.get(name.toLowerCase());
  if (reason !== undefined) {
    const message = `\`${name}\` can't be set by a binding: ${reason}`;
    report.add({ code: "http/forbidden-header", span, message, help: "remove it" });
  } else if (/\$?\{[^{}]*\}/.test(name))
    checkLiteralName(name, span, { language: httpTemplates, report });
  else if (!headerToken.test(name)) {
    report.add({
      code: "http/bad-header-name",
      span,
      message: `\`${shown(name)}\` is not a header name`,
      help: "use letters, digits and `-`",
    });
  }
}

function checkTwin(name: string, span: Span, seen: Map<string, Span>, report: Report): void {
  const lower = name.toLowerCase();
  const twin = seen.get(lower);
  seen.set(lower, twin ?? span);
  if (twin === undefined) return;
  report.add({
    code: "http/duplicate-header",
    span,
    message: `\`${shown(name)}\` is set twice: header names ignore case`,
    help: "keep one of the two",
    related: [{ span: twin, message: "the other one" }],
  });
}

/**
 * Characters that a header can't contain: all outside Latin-1, and control characters except tab
 * (RFC 9110, 5.5). CR and LF would end the header. Another check reports lone surrogates in any
 * text.
 */
const unsendable = /[^\t\u0020-\u007e\u00a0-\u00ff\p{Cs}]/u;

/** Reports text that no header can hold; returns false for it. */
export function checkHeaderValue(
  node: SyntaxNode,
  model: ScalarModel<"caller">,
  report: Report,
): boolean {
  const text = textNode(node);
  if (text === undefined || model.kind === "literal") return true;
  for (const part of model.template.parts) {
    const bad = part.kind === "literal" && unsendable.exec(part.text);
    if (!bad) continue;
    const [character] = bad;
    const span = spanInLiteral(text, part, bad.index, bad.index + character.length);
    report.add({ code: "http/bad-header-value", span, ...explain(character) });
    return false;
  }
  return true;
}

function explain(character: string): { readonly message: string; readonly help: string } {
  if (character === "\n" || character === "\r") {
    const help = "write it on one line; in YAML, `>-` folds lines and drops the last line end";
    return { message: "a header value must be one line", help };
  }
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return {
    message: `a header value can't hold the character U+${code}`,
    help: "remove or encode it",
  };
}

/** Reports a value that begins with the name of its own entry: `X-Key: ${KEY}` for `X-Key`. */
export function checkOwnName(name: string, { parts, span }: HttpText, report: Report): void {
  const [first] = parts;
  const text = first?.kind === "literal" ? first.text.trimStart().toLowerCase() : "";
  if (!text.startsWith(name.toLowerCase()) || !/^\s*[:=]/.test(text.slice(name.length))) return;
  report.add({
    code: "http/repeated-prefix",
    span,
    message: `the value begins with ${quote(name)}, so the service would get the name twice`,
    help: "write the value alone, without the name before it",
  });
}

function checkContentType(
  model: ScalarModel<"caller">,
  span: Span,
  body: BodyModel,
  report: Report,
): void {
  if (body.kind === "form" || body.kind === "multipart" || body.kind === "raw") {
    report.add({
      code: "http/content-type",
      span,
      message: `the body is sent as \`${body.kind}\`, which sets the content type itself`,
      help:
        body.kind === "raw" ? "write the content type as `type` beside `raw`" : "remove the header",
    });
    return;
  }
  const text = model.kind === "template" ? literalText(model.template) : String(model.value);
  if (text !== undefined && /^\s*application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i.test(text))
    return;
  report.add({
    code: "http/content-type",
    span,
    message: "the body is sent as JSON, but this header names another type",
    help: "write `application/json` or a type that ends in `+json`, or remove the header",
  });
}

/** The `query:` mapping; a list gives one entry for each item. */
export function readQuery(
  node: SyntaxNode | undefined,
  urlNames: readonly { readonly name: string; readonly span: Span }[],
  report: Report,
): readonly HttpEntry[] {
  if (node?.kind !== "map") return [];
  return node.entries.flatMap((entry) => {
    checkLiteralName(entry.key.value, entry.key.span, { language: httpTemplates, report });
    checkNotInUrl(entry, urlNames, report);
    const named = { name: entry.key.value, span: entry.key.span };
    const styled = readStyled(entry.value, queryStyles, report);
    if (styled !== undefined) return [{ ...named, ...styled }];
    const values = entry.value.kind === "list" ? entry.value.items : [entry.value];
    return values.flatMap((value) =>
      value.kind === "scalar"
        ? [{ ...named, value: readScalar(value, { language: httpTemplates, report }) }]
        : [],
    );
  });
}

function checkNotInUrl(
  { key }: MapEntry,
  urlNames: readonly { readonly name: string; readonly span: Span }[],
  report: Report,
): void {
  const twin = urlNames.find(({ name }) => name === key.value);
  if (twin === undefined) return;
  report.add({
    code: "http/query-key-twice",
    span: key.span,
    message: `\`${shown(key.value)}\` is also in the query of the URL`,
    help: "keep one of the two",
    related: [{ span: twin.span, message: "the other one" }],
  });
}
