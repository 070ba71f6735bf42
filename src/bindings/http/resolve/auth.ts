import { getOwn } from "../../../core/json.js";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  textOf,
  valueOf,
} from "../../../core/syntax-node.js";
import { literalText, parseTemplate, type TextNode, textNode } from "../../../kit/text-template.js";
import { checkLiteralName } from "../../../kit/values/read-value.js";
import { authWays } from "../auth-schema.js";
import {
  type AuthModel,
  type AuthTexts,
  type HttpEntry,
  httpTemplates,
  type HttpText,
} from "../model.js";
import { checkCookieName, checkHeaderName, checkOwnName } from "./request.js";
import { readOrigin } from "./url-origin.js";
import { cut } from "./url-parts.js";

/** Result of reading `auth`: methods with a step of their own, and plain entries of the request. */
export interface AuthReading {
  readonly auth: readonly AuthModel[];
  readonly query: readonly HttpEntry[];
  readonly headers: readonly HttpEntry[];
  readonly cookies: readonly HttpEntry[];
}

const nothing: AuthReading = { auth: [], query: [], headers: [], cookies: [] };

/** Reads the `auth` of a binding: one method, or a list of methods that apply together. */
export function readAuth(binding: MapNode, report: Report): AuthReading {
  const node = valueOf(binding, "auth");
  if (node === undefined || textOf(node) === "none") return nothing;
  const maps = node.kind === "list" ? node.items : [node];
  const entries = maps.flatMap((each) =>
    each.kind === "map" ? each.entries.filter(({ key }) => authWays.includes(key.value)) : [],
  );
  const hasCertificate = entries.some(({ key }) => key.value === "client_certificate");
  const reading = { report, isOfTool: contains(binding.span, node.span), hasCertificate };
  const readings = entries.map((entry) => readWay(entry, reading));
  checkPlaces(entries, binding, report);
  return {
    auth: readings.flatMap(({ auth }) => auth),
    query: readings.flatMap(({ query }) => query),
    headers: readings.flatMap(({ headers }) => headers),
    cookies: readings.flatMap(({ cookies }) => cookies),
  };
}

interface Reading {
  readonly report: Report;
  /** False if the skill declares `auth` for all of its tools. */
  readonly isOfTool: boolean;
  /** True if a client certificate can prove who the client is (RFC 8705). */
  readonly hasCertificate: boolean;
}

function contains(outer: Span, { end, file, start }: Span): boolean {
  return outer.file === file && outer.start <= start && end <= outer.end;
}

function readWay({ key, value }: MapEntry, reading: Reading): AuthReading {
  const way = key.value;
  if (way === "bearer") {
    const token = readText(value, reading);
    if (token === undefined) return nothing;
    checkToken(token, reading.report);
    const template = { ...token, parts: [literalPart("Bearer ", token), ...token.parts] };
    const entry = { name: "Authorization", span: key.span, value: asScalar(template) };
    return { ...nothing, headers: [entry] };
  }
  if (way === "api_key") return readApiKey(value, reading);
  const base = { kind: way as AuthModel["kind"], span: key.span };
  if (way === "basic") {
    const [user, password] = (value.kind === "list" ? value.items : []).map((each) =>
      readText(each, reading),
    );
    if (user) checkUser(user, reading.report);
    const texts = { ...(user && { user }), ...(password && { password }) };
    return user && password
      ? { ...nothing, auth: [{ ...base, texts, words: {}, scopes: [] }] }
      : nothing;
  }
  if (value.kind !== "map") return nothing;
  if (way === "oauth2") checkOAuth2(key, value, reading);
  return { ...nothing, auth: [{ ...base, ...readKeys(value, reading) }] };
}

/** Reports a space in a token (RFC 6750, 2.1): the token probably begins with its scheme. */
function checkToken({ parts, span }: HttpText, report: Report): void {
  if (!parts.some((part) => part.kind === "literal" && /\s/.test(part.text))) return;
  const [first] = parts;
  const isTwice = first?.kind === "literal" && /^\s*bearer\s/i.test(first.text);
  report.add({
    code: "http/repeated-prefix",
    span,
    message: isTwice
      ? "`bearer` writes `Bearer ` itself, so the service would get the word twice"
      : "a bearer token has no spaces",
    help: 'write the token alone: `bearer: "${TOKEN}"`; for another scheme, write the header `Authorization` under `headers`',
  });
}

/** Reports a user name that begins with the scheme: `Basic ${USER}`. */
function checkUser({ parts: [first, second], span }: HttpText, report: Report): void {
  if (first?.kind !== "literal" || second?.kind !== "credential") return;
  if (!/^\s*basic\s+$/i.test(first.text)) return;
  report.add({
    code: "http/repeated-prefix",
    span,
    message: "`basic` writes `Basic ` itself, so the word would be part of the user's name",
    help: `write the name alone: \`\${${second.name}}\``,
  });
}

/** Keys whose value is one of a few words. */
const wordKeys = new Set(["grant", "client_auth", "algorithm"]);

function readKeys(node: MapNode, reading: Reading): Pick<AuthModel, "texts" | "words" | "scopes"> {
  const texts: Record<string, HttpText> = {};
  const words: Record<string, string> = {};
  const scopes: string[] = [];
  for (const { key, value } of node.entries) {
    if (wordKeys.has(key.value)) words[key.value] = textOf(value) ?? "";
    else if (key.value === "scopes")
      scopes.push(
        ...(value.kind === "list" ? value.items : []).flatMap((each) => textOf(each) ?? []),
      );
    else {
      const text = readText(value, reading);
      if (text !== undefined) texts[key.value] = text;
    }
  }
  return { texts: texts as AuthTexts, words, scopes };
}

function readApiKey(node: SyntaxNode, reading: Reading): AuthReading {
  const { report } = reading;
  const place = textOf(valueOf(node, "in"));
  const name = textNode(valueOf(node, "name"));
  const value = valueOf(node, "value");
  const text = value && readText(value, reading);
  if (name === undefined || text === undefined) return nothing;
  checkOwnName(name.value, text, report);
  const entry = { name: name.value, span: name.span, value: asScalar(text) };
  if (place === "query") {
    checkLiteralName(name.value, name.span, { language: httpTemplates, report });
    return { ...nothing, query: [entry] };
  }
  if (place === "cookie") {
    checkCookieName(name.value, name.span, report);
    return { ...nothing, cookies: [entry] };
  }
  if (place !== "header") return nothing;
  checkHeaderName(name.value, name.span, report);
  return { ...nothing, headers: [entry] };
}

/** Reads a text of `auth`. Rejects parameters: a caller of the tool can't choose the identity. */
function readText(node: SyntaxNode, { isOfTool, report }: Reading): HttpText | undefined {
  const text = textNode(node);
  if (text === undefined) return undefined;
  const template = parseTemplate(text, httpTemplates, report);
  const parts = template.parts.filter(({ kind }) => kind === "literal" || kind === "credential");
  for (const part of template.parts) {
    if (parts.includes(part)) continue;
    report.add({
      code: "http/parameter-in-auth",
      span: part.span,
      message: "a value of `auth` must be the same for every caller",
      help: "write a `${NAME}` and create a runtime for each caller, or send the value in `headers`",
    });
  }
  // Drop the rejected parts of a skill's `auth`, so that its tools don't report them again.
  return isOfTool ? template : { ...template, parts };
}

function asScalar(template: HttpText): HttpEntry["value"] {
  return { kind: "template", template };
}

function literalPart(text: string, { span }: HttpText) {
  return { kind: "literal", text, start: 0, end: 0, span } as const;
}

/** Keys that each `grant` needs. */
const needed: Readonly<Record<string, readonly string[]>> = {
  client_credentials: ["client_id", "client_secret"],
  refresh_token: ["client_id", "refresh_token"],
  jwt_bearer: ["private_key", "issuer"],
};

function checkOAuth2(
  key: MapEntry["key"],
  node: MapNode,
  { hasCertificate, report }: Reading,
): void {
  const grant = textOf(valueOf(node, "grant")) ?? "";
  for (const name of getOwn(needed, grant) ?? []) {
    const isReplaced =
      (name === "client_secret" && hasCertificate) ||
      (name === "issuer" && entryOf(node, "client_id") !== undefined);
    if (entryOf(node, name) !== undefined || isReplaced) continue;
    report.add({
      code: "http/auth-lacks",
      span: key.span,
      message: `the grant \`${shown(grant)}\` needs \`${name}\``,
      help: `write \`${name}: \${…}\``,
    });
  }
  const url = textNode(valueOf(node, "token_url"));
  if (url !== undefined) checkTokenUrl(url, report);
}

/** Checks a token endpoint like a request's URL: its origin gets the client's secret. */
function checkTokenUrl(node: TextNode, report: Report): void {
  const { parts } = parseTemplate(node, httpTemplates, { ...report, add() {} });
  if (parts.some((part) => part.kind !== "literal" && part.kind !== "credential")) return;
  readOrigin(node, cut(node, parts, "?").before, report);
  const text = literalText({ span: node.span, parts, whole: true }) ?? node.value;
  if (!text.includes("#")) return;
  report.add({
    code: "http/bad-origin",
    span: node.span,
    message: "the URL of a token endpoint can't have a fragment",
    help: "remove `#` and what comes after it",
  });
}

const authorizing = new Set(["basic", "bearer", "oauth2", "aws_sigv4"]);

/** Place in the request in which a method writes its credential. */
interface WrittenPlace {
  /** The binding's key for other entries in this place. */
  readonly key: "headers" | "query" | "cookies";
  /** Name of the entry; in lower case for a header. */
  readonly name: string;
}

function placeOf({ key, value }: MapEntry): WrittenPlace | undefined {
  if (authorizing.has(key.value)) return { key: "headers", name: "authorization" };
  const name = key.value === "api_key" ? textOf(valueOf(value, "name")) : undefined;
  if (name === undefined) return undefined;
  const place = textOf(valueOf(value, "in"));
  if (place === "query") return { key: "query", name };
  if (place === "cookie") return { key: "cookies", name };
  return place === "header" ? { key: "headers", name: name.toLowerCase() } : undefined;
}

const placeWords: Readonly<Record<WrittenPlace["key"], string>> = {
  headers: "header",
  query: "query parameter",
  cookies: "cookie",
};

/**
 * Reports two entries for one place. One would be lost, or the server could read a caller's value
 * instead of the credential.
 */
function checkPlaces(ways: readonly MapEntry[], binding: MapNode, report: Report): void {
  for (const [index, way] of ways.entries()) {
    const place = placeOf(way);
    if (place === undefined) continue;
    const isHere = (other: WrittenPlace | undefined): boolean =>
      other?.key === place.key && other.name === place.name;
    const before = ways.slice(0, index).find((each) => isHere(placeOf(each)));
    const written = valueOf(binding, place.key);
    const own = written?.kind === "map" ? written.entries : [];
    const beside = own.find(({ key: { value } }) =>
      isHere({ key: place.key, name: place.key === "headers" ? value.toLowerCase() : value }),
    );
    const word = placeWords[place.key];
    const [other, help] = before
      ? [before, "keep one of the two"]
      : [beside, `remove the ${word}, or write \`auth: none\``];
    if (other === undefined) continue;
    const [at, first] = before ? [way, before] : [other, way];
    report.add({
      code: "http/auth-twice",
      span: at.key.span,
      message: `\`${first.key.value}\` of \`auth\` already sets the ${word} \`${shown(place.name)}\``,
      help,
      related: [{ span: first.key.span, message: "`auth`" }],
    });
  }
}
