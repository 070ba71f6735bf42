import { RefusedValue } from "../../../runtime/executor.js";
import {
  addCredentialNames,
  type CredentialReference,
  type CredentialText,
  isCredential,
  isCredentialText,
  openText,
  type Scalar,
  text,
} from "../../../runtime/values/text.js";
import {
  type HeaderValue,
  type HttpBody,
  type HttpMethod,
  type HttpRequest,
  type QueryValue,
  type UrlPart,
  unsendableInHeader,
} from "../contract.js";
import { baseOfLiteral, type BaseUrl } from "./base-url.js";
import { jsonBody } from "./json-body.js";
import { requireOwnNames } from "./map-names.js";
import type { OpenRequest } from "./open-request.js";
import { Payload, type SealedBody } from "./payloads.js";
import { percentEncoded } from "./percent-encoding.js";
import { emptyPart } from "./segments.js";
import { styledPairs, styledText, StyledValue } from "./styles.js";

/** A request for both modes, complete except for credentials. */
export interface SealedRequest {
  readonly method: HttpMethod;
  readonly url: SealedUrl;
  readonly headers: SealedHeaders;
  readonly body: SealedBody | undefined;
  /** Names of the credentials, without repetition. */
  readonly credentials: readonly string[];
  /** Names in the query whose values contain credentials. */
  readonly querySecrets: readonly string[];
}

/** Replaces credentials by their values or by placeholders. */
export interface Opener {
  /** Opens the setting at the start of a URL. */
  base(reference: CredentialReference): BaseUrl;
  inQuery(reference: CredentialReference): string;
  inHeader(reference: CredentialReference, header: string): string;
  inBody(reference: CredentialReference): string;
}

/**
 * @param accept the value of `Accept` if the author sets none
 * @param idempotency header and key
 * @throws RefusedValue if a parameter can't be used where the request puts it
 */
export function sealRequest(
  method: HttpMethod,
  request: HttpRequest,
  accept: string,
  idempotency: readonly [name: string, key: HeaderValue] | undefined,
): SealedRequest {
  const names: string[] = [];
  const url = sealUrl(request);
  if (isCredential(url.base)) names.push(url.base.name);
  addCredentialNames(names, url.rest);
  const body = sealBody(request.body);
  const headers = sealHeaders(request, body?.type, accept, idempotency);
  for (const each of headers) if (typeof each !== "string") addCredentialNames(names, each.parts);
  for (const each of body?.credentials ?? []) if (!names.includes(each)) names.push(each);
  const querySecrets = request.query === undefined ? noNames : secretsIn(request.query);
  return { method, url, headers, body, credentials: names, querySecrets };
}

const noNames: readonly string[] = [];

function secretsIn(query: NonNullable<HttpRequest["query"]>): readonly string[] {
  return query.flatMap(([name, value]) =>
    isCredentialText(value instanceof StyledValue ? value.value : value) ? [name] : [],
  );
}

function sealBody(body: HttpBody): SealedBody | undefined {
  if (body === undefined) return undefined;
  return body instanceof Payload ? body : jsonBody(body);
}

/** Opens a request. Sending and recording both use this function, with different openers. */
export function openRequest(sealed: SealedRequest, opener: Opener): OpenRequest {
  const { method, url, body } = sealed;
  const { origin, path } = isCredential(url.base) ? opener.base(url.base) : url.base;
  return {
    method,
    origin,
    path: path + openText(url.rest, (reference) => opener.inQuery(reference)),
    headers: withBoundary(openHeaders(sealed.headers, opener), body),
    body: body?.open((reference) => opener.inBody(reference)),
  };
}

/** Adds the boundary to a body that is sent. Records leave it out because it is random. */
function withBoundary(headers: readonly string[], body: SealedBody | undefined): readonly string[] {
  if (body?.boundary === undefined) return headers;
  const { boundary } = body;
  return headers.map((each, at) =>
    at % 2 === 1 && headers[at - 1] === "content-type" ? `${each}; boundary=${boundary}` : each,
  );
}

function openHeaders(headers: SealedHeaders, opener: Opener): readonly string[] {
  let name = "";
  return headers.map((each, index) => {
    if (typeof each !== "string") return openText(each.parts, (one) => opener.inHeader(one, name));
    if (index % 2 === 0) name = each;
    return each;
  });
}

/** A URL whose credentials are not opened yet. */
interface SealedUrl {
  /** A literal origin, or the setting that contains origin and base path. */
  readonly base: BaseUrl | CredentialReference;
  /** The rest of the URL in order. Credentials occur only in the query. */
  readonly rest: readonly (string | CredentialReference)[];
}

/** @throws RefusedValue for a query value that can't be encoded */
function sealUrl({ url, query }: HttpRequest): SealedUrl {
  const [start, ...parts] = url;
  const base = baseOf(start);
  let path = isCredential(base) ? "" : base.path;
  let last: UrlPart | undefined;
  for (const part of parts) {
    const text = pathText(part);
    if (text.startsWith("/")) requireNoSlashAfter(last);
    path += text;
    last = part;
  }
  // A literal base without a path needs a slash. The path of a setting is not known yet.
  if (!isCredential(base) && !path.startsWith("/")) path = `/${path}`;
  if (query !== undefined) requireOwnNames(query, () => literalNames(path));
  const rest = query === undefined ? [path] : withQuery(path, query);
  return { base: isCredential(base) ? base : { origin: base.origin, path: "" }, rest };
}

function baseOf(start: UrlPart | undefined): BaseUrl | CredentialReference {
  if (isCredential(start)) return start;
  const base = typeof start === "string" ? baseOfLiteral(start) : undefined;
  // The compiler accepts no other URL.
  if (base === undefined) throw new Error("a URL must start with an origin");
  return base;
}

function pathText(part: UrlPart): string {
  if (typeof part === "string") return part;
  if (part.kind === "segment") return part.encoded;
  throw new Error("a credential can only start a URL");
}

/** The names in the literal query of the URL. */
function literalNames(path: string): readonly string[] {
  const at = path.indexOf("?");
  return at === -1 ? [] : [...new URLSearchParams(path.slice(at)).keys()];
}

/** @throws RefusedValue for a parameter that ends with a slash, if another slash follows */
function requireNoSlashAfter(part: UrlPart | undefined): void {
  if (typeof part !== "object" || part.kind !== "segment" || part.pointer === undefined) return;
  throw new RefusedValue(part.pointer, "path-segment", emptyPart);
}

/**
 * Appends names and values as RFC 3986 query text: `%20`, never `+`. Absent and null values are
 * left out; arrays repeat the name.
 */
function withQuery(
  path: string,
  query: readonly (readonly [name: string, value: QueryValue])[],
): readonly (string | CredentialReference)[] {
  const rest: (string | CredentialReference)[] = [];
  let at = path;
  let joint = path.includes("?") ? "&" : "?";
  for (const [name, value] of query) {
    if (value instanceof StyledValue && !isCredentialText(value.value)) {
      for (const pair of queryPairs(name, value)) {
        at += `${joint}${pair}`;
        joint = "&";
      }
      continue;
    }
    for (const item of itemsOf(value)) {
      if (item === undefined || item === null) continue;
      at += `${joint}${encodeQuery(name, name)}=`;
      joint = "&";
      if (!isCredentialText(item)) {
        at += encodeQuery(item, name);
        continue;
      }
      for (const part of item.parts) {
        if (typeof part === "string") at += encodeQuery(part, name);
        else {
          rest.push(at, part);
          at = "";
        }
      }
    }
  }
  rest.push(at);
  return rest;
}

/**
 * The items of a value. Styled values with parts are handled before, and a credential has no parts.
 */
function itemsOf(value: QueryValue): readonly (Scalar | CredentialText | null | undefined)[] {
  // The caller passes only styled credentials here.
  if (value instanceof StyledValue) return [value.value as CredentialText];
  return Array.isArray(value) ? value : [value as Scalar];
}

function queryPairs(name: string, value: StyledValue): readonly string[] {
  const reserved = value.reserved ? "query" : undefined;
  const pairs = styledPairs(name, value, (each, isName) =>
    encodeQuery(each, name, isName ? undefined : reserved),
  );
  return pairs.map(([key, text]) => `${key}=${text}`);
}

function encodeQuery(value: Scalar, name: string, reserved?: "query"): string {
  try {
    return percentEncoded(value, reserved);
  } catch {
    throw new RefusedValue(
      "",
      "query-value",
      `the query's \`${name}\` must be well-formed Unicode`,
      (part) => typeof part === "string" && String(value).includes(part) && !isWellFormed(part),
    );
  }
}

function isWellFormed(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Names and values in turn, as undici expects. Values with credentials are not opened yet. */
type SealedHeaders = readonly (string | CredentialText)[];

export function isSendable(value: string): boolean {
  return !unsendableInHeader.test(value);
}

/**
 * The author's headers, then those that the author did not set.
 *
 * @param accept the value of `Accept`
 * @param idempotency header and key
 * @throws RefusedValue for a value that no header can contain
 */
function sealHeaders(
  { headers, cookies }: HttpRequest,
  contentType: SealedBody["type"],
  accept: string,
  idempotency: readonly [name: string, key: HeaderValue] | undefined,
): SealedHeaders {
  const sealed: (string | CredentialText)[] = [];
  let hasNoAccept = true;
  let encoding = true;
  let agent = true;
  let type = contentType;
  const add = (name: string, value: HeaderValue): boolean => {
    if (value === undefined || value === null) return false;
    sealed.push(name, headerValue(name, value));
    return true;
  };
  for (const [name, value] of headers ?? []) {
    if (!add(name, value)) continue;
    const lower = name.toLowerCase();
    if (lower === "accept") hasNoAccept = false;
    else if (lower === "accept-encoding") encoding = false;
    else if (lower === "user-agent") agent = false;
    else if (lower === "content-type") type = undefined;
  }
  const cookie = cookies === undefined ? "" : cookieValue(cookies);
  if (cookie !== "") sealed.push("cookie", cookie);
  if (type !== undefined) sealed.push("content-type", headerValue("content-type", type));
  if (hasNoAccept) sealed.push("accept", accept);
  if (encoding) sealed.push("accept-encoding", "gzip, deflate, br");
  if (agent) sealed.push("user-agent", "skillc");
  if (idempotency !== undefined) add(...idempotency);
  return sealed;
}

function headerValue(name: string, value: HeaderValue): string | CredentialText {
  if (isCredentialText(value)) return sendableText(name, value);
  if (!(value instanceof StyledValue)) return sendableWhole(name, value as Scalar);
  const isList = typeof value.value === "object";
  return styledText(value, (each) => listItem(name, each, isList));
}

/** An item can't contain a comma, because a header has no escape for it. */
function listItem(name: string, value: Scalar, isList: boolean): string {
  const text = sendableWhole(name, value);
  if (!isList || !text.includes(",")) return text;
  throw new RefusedValue(
    "",
    "header-value",
    `must not have an item with a comma, which the header \`${name}\` would split in two`,
  );
}

/**
 * Joins all cookies to one header. Values are percent-encoded, except credentials, which are sent
 * unchanged.
 */
function cookieValue(
  cookies: readonly (readonly [name: string, value: QueryValue])[],
): string | CredentialText {
  requireOwnNames(cookies, () => []);
  const parts: (string | CredentialReference)[] = [];
  for (const [name, value] of cookies) {
    for (const pair of cookiePairs(name, value)) {
      if (parts.length > 0) parts.push("; ");
      parts.push(...pair);
    }
  }
  return text(...parts);
}

type Pair = readonly (string | CredentialReference)[];

function cookiePairs(name: string, value: QueryValue): readonly Pair[] {
  const encode = (each: Scalar) => encodeQuery(each, name);
  if (value instanceof StyledValue && !isCredentialText(value.value))
    return styledPairs(name, value, encode).map(([key, each]) => [`${key}=${each}`]);
  return itemsOf(value).flatMap((item) => {
    if (item === undefined || item === null) return [];
    const texts = isCredentialText(item)
      ? item.parts.map((part) => (typeof part === "string" ? encode(part) : part))
      : [encode(item)];
    return [[`${name}=`, ...texts]];
  });
}

function sendable(name: string, value: Scalar): string {
  const text = String(value);
  if (isSendable(text)) return text;
  throw new RefusedValue(
    "",
    "header-value",
    `the header \`${name}\` can't carry line breaks, control characters or characters beyond Latin-1`,
    (part) => typeof part === "string" && text.includes(part) && !isSendable(part),
  );
}

/**
 * Checks a whole value. Receivers strip blanks around it (RFC 9110, 5.5) after a policy has seen
 * them, so blanks are rejected.
 */
function sendableWhole(name: string, value: Scalar): string {
  const text = sendable(name, value);
  if (firstBlank.test(text) || lastBlank.test(text)) throw blankError(name, text);
  return text;
}

const firstBlank = /^[\t ]/;
const lastBlank = /[\t ]$/;

function blankError(name: string, text: string): RefusedValue {
  return new RefusedValue(
    "",
    "header-value",
    `must not start or end with a space, which the header \`${name}\` would lose`,
    (part) => typeof part === "string" && text.includes(part) && part !== part.trim(),
  );
}

function sendableText(name: string, text: CredentialText): CredentialText {
  const { parts } = text;
  for (const part of parts) if (typeof part === "string") sendable(name, part);
  const [first] = parts;
  if (typeof first === "string" && firstBlank.test(first)) throw blankError(name, first);
  const last = parts.at(-1);
  if (typeof last === "string" && lastBlank.test(last)) throw blankError(name, last);
  return text;
}
