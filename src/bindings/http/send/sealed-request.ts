import { deepestJson } from "../../../runtime/json/json.js";
import { RefusedValue } from "../../../runtime/executor.js";
import {
  addCredentialNames,
  type CredentialReference,
  type CredentialText,
  isCredential,
  isCredentialText,
  openText,
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

/** A request as both modes share it: complete but for the credentials. */
export interface SealedRequest {
  readonly method: HttpMethod;
  readonly url: SealedUrl;
  readonly headers: SealedHeaders;
  readonly body: SealedBody;
  /** Names, each once. */
  readonly credentials: readonly string[];
}

/** A request with its credentials, or what stands for them, put in. */
export interface OpenRequest {
  readonly method: HttpMethod;
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
}

/** Gives what stands in a credential's place. */
export interface Opener {
  /** For the setting that a URL starts with. */
  base(reference: CredentialReference): BaseUrl;
  inQuery(reference: CredentialReference): string;
  inHeader(reference: CredentialReference, header: string): string;
  inBody(reference: CredentialReference): string;
}

/**
 * @param idempotency header and key
 * @throws RefusedValue when a parameter can't stand where the request puts it
 */
export function sealRequest(
  method: HttpMethod,
  request: HttpRequest,
  idempotency: readonly [name: string, key: HeaderValue] | undefined,
): SealedRequest {
  const names: string[] = [];
  const url = sealUrl(request);
  if (isCredential(url.base)) names.push(url.base.name);
  addCredentialNames(names, url.rest);
  const headers = sealHeaders(request, idempotency);
  for (const each of headers) if (typeof each !== "string") addCredentialNames(names, each.parts);
  return { method, url, headers, body: sealBody(request.body, names), credentials: names };
}

/** Both what is sent and what shadow mode records come from here; only the opener differs. */
export function openRequest(sealed: SealedRequest, opener: Opener): OpenRequest {
  const { method, url, body } = sealed;
  const { origin, path } = isCredential(url.base) ? opener.base(url.base) : url.base;
  return {
    method,
    origin,
    path: path + openText(url.rest, (reference) => opener.inQuery(reference)),
    headers: openHeaders(sealed.headers, opener),
    body: openBody(body, (reference) => opener.inBody(reference)),
  };
}

function openHeaders(headers: SealedHeaders, opener: Opener): readonly string[] {
  let name = "";
  return headers.map((each, index) => {
    if (typeof each !== "string") return openText(each.parts, (one) => opener.inHeader(one, name));
    if (index % 2 === 0) name = each;
    return each;
  });
}

/** A URL whose credentials are still closed. */
interface SealedUrl {
  /** A literal origin, or the setting that holds origin and base path. */
  readonly base: BaseUrl | CredentialReference;
  /** What comes after the base, in order; credentials only in the query. */
  readonly rest: readonly (string | CredentialReference)[];
}

/** @throws RefusedValue for a query value that can't be encoded */
function sealUrl({ url, query }: HttpRequest): SealedUrl {
  const [start, ...parts] = url;
  const base = baseOf(start);
  let path = isCredential(base) ? "" : base.path;
  for (const part of parts) path += pathText(part);
  // A base of origin alone; a setting's own path is not known yet.
  if (!isCredential(base) && !path.startsWith("/")) path = `/${path}`;
  const rest = query === undefined ? [path] : withQuery(path, query);
  return { base: isCredential(base) ? base : { origin: base.origin, path: "" }, rest };
}

function baseOf(start: UrlPart | undefined): BaseUrl | CredentialReference {
  if (isCredential(start)) return start;
  const base = typeof start === "string" ? baseOfLiteral(start) : undefined;
  // The compiler lets no other URL through.
  if (base === undefined) throw new Error("a URL must start with an origin");
  return base;
}

function pathText(part: UrlPart): string {
  if (typeof part === "string") return part;
  if (part.kind === "segment") return part.encoded;
  throw new Error("a credential can only start a URL");
}

/**
 * Names and values as RFC 3986 query text: `%20`, never `+`. Absent and null values are left out;
 * arrays repeat the name.
 */
function withQuery(
  path: string,
  query: readonly (readonly [name: string, value: QueryValue])[],
): readonly (string | CredentialReference)[] {
  const rest: (string | CredentialReference)[] = [];
  let at = path;
  let joint = path.includes("?") ? "&" : "?";
  for (const [name, value] of query) {
    for (const item of Array.isArray(value) ? value : [value]) {
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

function encodeQuery(value: string | number | boolean, name: string): string {
  try {
    return encodeURIComponent(value);
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

/** Names and values in turn, as undici takes them; values with credentials are still closed. */
type SealedHeaders = readonly (string | CredentialText)[];

export function isSendable(value: string): boolean {
  return !unsendableInHeader.test(value);
}

/**
 * The author's headers, then those that the author did not set.
 *
 * @param idempotency header and key
 * @throws RefusedValue for a value that no header can carry
 */
function sealHeaders(
  { headers, body }: HttpRequest,
  idempotency: readonly [name: string, key: HeaderValue] | undefined,
): SealedHeaders {
  const sealed: (string | CredentialText)[] = [];
  let accept = true;
  let encoding = true;
  let agent = true;
  let type = body !== undefined;
  const add = (name: string, value: HeaderValue): boolean => {
    if (value === undefined || value === null) return false;
    sealed.push(name, isCredentialText(value) ? sendableText(name, value) : sendable(name, value));
    return true;
  };
  for (const [name, value] of headers ?? []) {
    if (!add(name, value)) continue;
    const lower = name.toLowerCase();
    if (lower === "accept") accept = false;
    else if (lower === "accept-encoding") encoding = false;
    else if (lower === "user-agent") agent = false;
    else if (lower === "content-type") type = false;
  }
  if (type) sealed.push("content-type", "application/json");
  // Answers to writes are often no JSON, or nothing at all: a server that takes the header at its
  // word would refuse them with 406.
  if (accept) sealed.push("accept", "application/json, */*;q=0.1");
  if (encoding) sealed.push("accept-encoding", "gzip, deflate, br");
  if (agent) sealed.push("user-agent", "skillc");
  if (idempotency !== undefined) add(...idempotency);
  return sealed;
}

function sendable(name: string, value: string | number | boolean): string {
  const text = String(value);
  if (isSendable(text)) return text;
  throw new RefusedValue(
    "",
    "header-value",
    `the header \`${name}\` can't carry line breaks, control characters or characters beyond Latin-1`,
    (part) => typeof part === "string" && text.includes(part) && !isSendable(part),
  );
}

function sendableText(name: string, text: CredentialText): CredentialText {
  for (const part of text.parts) if (typeof part === "string") sendable(name, part);
  return text;
}

/** JSON text; a body with credentials in it waits for them. */
type SealedBody = string | undefined | { readonly unopened: HttpBody };

/**
 * Writes the body, unless it has credentials in it.
 *
 * @param names collects the names of those credentials
 * @throws RefusedValue for a body deeper than JSON writers can take
 */
function sealBody(body: HttpBody, names: string[]): SealedBody {
  if (body === undefined) return undefined;
  return findCredentials(body, names, 0) ? { unopened: body } : JSON.stringify(body);
}

function openBody(
  body: SealedBody,
  reveal: (reference: CredentialReference) => string,
): string | undefined {
  return typeof body === "object" ? JSON.stringify(filled(body.unopened, reveal)) : body;
}

function findCredentials(body: HttpBody, names: string[], depth: number): boolean {
  if (typeof body !== "object" || body === null) return false;
  if (depth > deepestJson) {
    throw new RefusedValue("", "depth", `must not nest deeper than ${deepestJson} levels`);
  }
  if (isCredentialText(body)) {
    addCredentialNames(names, body.parts);
    return true;
  }
  let found = false;
  if (isList(body)) {
    for (const item of body) if (findCredentials(item, names, depth + 1)) found = true;
    return found;
  }
  // `isCredentialText` knows its own by class; what is left of the union is an object of bodies.
  const fields = body as { readonly [name: string]: HttpBody };
  for (const name in fields) if (findCredentials(fields[name], names, depth + 1)) found = true;
  return found;
}

/** A copy with the credentials put in. */
function filled(body: HttpBody, reveal: (reference: CredentialReference) => string): HttpBody {
  if (typeof body !== "object" || body === null) return body;
  if (isCredentialText(body)) {
    return openText(body.parts, reveal);
  }
  if (isList(body)) return body.map((item) => filled(item, reveal));
  const fields = Object.entries(body).map(
    ([name, value]) => [name, filled(value, reveal)] as const,
  );
  // `fromEntries` defines own properties: one named `__proto__` stays a property.
  return Object.fromEntries(fields);
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(value: object): value is readonly HttpBody[] {
  return Array.isArray(value);
}
