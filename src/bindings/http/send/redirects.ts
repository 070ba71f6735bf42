import type { OpenRequest } from "./open-request.js";
import { sameOriginUrl } from "./same-origin.js";

/**
 * Makes the request for a redirect. Returns undefined if the redirect must not be followed; its
 * status is then the result. Only redirects within the same origin are followed, so that no
 * credential is sent elsewhere. A write is repeated only for statuses that say it was not carried
 * out (307, 308). Only 303, which says that it was, turns it into a GET.
 */
export function redirected(
  request: OpenRequest,
  status: number,
  location: string | undefined,
): OpenRequest | undefined {
  if (location === undefined || !isRedirect(status)) return undefined;
  const target = sameOriginUrl(request, location);
  if (target === undefined) return undefined;
  const path = target.pathname + target.search;
  const { method, headers } = request;
  if (method === "GET" || status === 307 || status === 308) return { ...request, path };
  if (status !== 303) return undefined;
  return { ...request, method: "GET", path, headers: withoutContent(headers), body: undefined };
}

export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** Removes headers that describe the removed body. */
function withoutContent(headers: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name, value] = headers.slice(at, at + 2);
    if (name !== undefined && value !== undefined && !/^content-/i.test(name))
      kept.push(name, value);
  }
  return kept;
}
