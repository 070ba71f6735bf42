import {
  addCredentialNames,
  type CredentialReference,
  isCredential,
  openText,
} from "../../../runtime/values/text.js";
import type { HttpMethod, HttpRequest } from "../contract.js";
import type { BaseUrl } from "./base-url.js";
import { openBody, type SealedBody, sealBody } from "./body.js";
import { type SealedHeaders, sealHeaders } from "./headers.js";
import { type SealedUrl, sealUrl } from "./url.js";

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
  idempotency: readonly [name: string, key: string] | undefined,
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
