import { type HttpReach, httpReach, type JsonValue, RefusedValue } from "@skillc/runtime/executor";
import type { GraphqlContract } from "./contract.js";
import { Credential, Text, text } from "./text.js";

/**
 * A complete request in which credentials are still references. Calls and shadow mode start from
 * it.
 */
export interface SealedRequest {
  readonly endpoint: Text;
  readonly query: string;
  readonly variables: readonly (readonly [name: string, value: unknown])[];
  readonly headers: readonly (readonly [name: string, value: Text])[];
}

/** A request with credentials, or with placeholders in their place. */
export interface OpenRequest {
  readonly endpoint: string;
  readonly query: string;
  readonly variables: { readonly [name: string]: JsonValue };
  readonly headers: { readonly [name: string]: string };
}

/**
 * Matches characters that a header value can't contain (RFC 9110, 5.5), and those beyond Latin-1.
 */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

export function isSendable(value: string): boolean {
  return !unsendable.test(value);
}

/** @throws RefusedValue if a header value is no scalar, or contains an invalid character */
export function sealRequest<Arguments>(
  { endpoint, query, request }: GraphqlContract<Arguments>,
  args: Arguments,
): SealedRequest {
  const { headers = [], variables = {} } = request(args);
  return {
    endpoint,
    query,
    variables: Object.entries(variables).filter(([, value]) => value !== undefined),
    headers: [
      ...headers
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => [name, headerText(name, value)] as const),
      ["content-type", text("application/json")],
      ["accept", text("application/graphql-response+json, application/json")],
      ["accept-encoding", text("gzip, deflate, br")],
    ],
  };
}

function headerText(name: string, value: unknown): Text {
  const sealed = value instanceof Text ? value : text(value);
  if (sealed.parts.every((part) => part instanceof Credential || isSendable(part))) return sealed;
  const what = "can't carry line breaks, control characters or characters beyond Latin-1";
  throw new RefusedValue("", "header-value", `the header \`${name}\` ${what}`);
}

/** Names of the credentials, each once. */
export function credentialsOf({ endpoint, variables, headers }: SealedRequest): readonly string[] {
  const texts = [endpoint, ...[...variables, ...headers].map(([, value]) => value)];
  const parts = texts.flatMap((each) => (each instanceof Text ? each.parts : []));
  return [...new Set(parts.flatMap((part) => (part instanceof Credential ? [part.name] : [])))];
}

/** Builds the request, for a call and for the record of shadow mode. Only `reveal` differs. */
export function openRequest(sealed: SealedRequest, reveal: (name: string) => string): OpenRequest {
  const opened = (value: unknown) => (value instanceof Text ? value.open(reveal) : value);
  return {
    endpoint: openEndpoint(sealed.endpoint, reveal),
    query: sealed.query,
    // The validator accepted the parameters, so they are JSON.
    variables: Object.fromEntries(
      sealed.variables.map(([name, value]) => [name, opened(value) as JsonValue]),
    ),
    headers: Object.fromEntries(sealed.headers.map(([name, value]) => [name, value.open(reveal)])),
  };
}

/** Capability of the call: a POST to the endpoint. */
export function reachOf(sealed: SealedRequest, open?: (name: string) => string): HttpReach {
  const reveal = open ?? ((name: string) => `\${${name}}`);
  const endpoint = openEndpoint(sealed.endpoint, reveal);
  const [, origin = "", path = ""] = /^(\$\{\w+\}|https?:\/\/[^/]+)(.*)$/is.exec(endpoint) ?? [];
  return httpReach("POST", origin, path);
}

/** Joins a setting that ends in `/` and a path without a double slash. */
function openEndpoint(endpoint: Text, reveal: (name: string) => string): string {
  const hasPath = endpoint.parts.length > 1;
  return endpoint.open((name) => (hasPath ? reveal(name).replace(/\/$/, "") : reveal(name)));
}
