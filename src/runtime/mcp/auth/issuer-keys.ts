import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import { type IssuerFetch, issuerFetch } from "./issuer-fetch.js";
import { requireIssuerUrl } from "./require-url.js";

/** Issuer of access tokens. */
export interface McpIssuer {
  /** The issuer's identifier: an HTTPS URL, or HTTP on this machine. Equal to `iss` of its tokens. */
  readonly issuer: string;
  /** URL of the issuer's keys. By default the issuer's metadata names it. */
  readonly jwks?: string;
}

/** Returns the keys of an issuer. */
export type IssuerKeys = () => Promise<JWTVerifyGetKey>;

/** Maximum time to wait for an issuer, in milliseconds. */
const timeoutMs = 5000;

/**
 * Returns the keys of an issuer, which are read at the first token and again for a new key.
 *
 * @throws TypeError if a URL is not valid
 */
export function keysOf({ issuer, jwks }: McpIssuer): IssuerKeys {
  const own = requireIssuerUrl("issuer", issuer);
  const given = jwks === undefined ? undefined : requireIssuerUrl("jwks", jwks);
  const fetch = issuerFetch();
  let known: Promise<JWTVerifyGetKey> | undefined;
  return () => {
    known ??= (given === undefined ? discoverKeys(own, fetch) : Promise.resolve(given)).then(
      (url) => createRemoteJWKSet(url, { timeoutDuration: timeoutMs, [customFetch]: fetch }),
    );
    // An issuer that could not be reached is asked again.
    known.catch(() => (known = undefined));
    return known;
  };
}

/** Reads the URL of the keys from the issuer's metadata. */
async function discoverKeys(issuer: URL, fetch: IssuerFetch): Promise<URL> {
  const oauth = await import("oauth4webapi");
  const options = {
    signal: () => AbortSignal.timeout(timeoutMs),
    // Such an issuer is on this machine.
    [oauth.allowInsecureRequests]: issuer.protocol === "http:",
    [oauth.customFetch]: fetch,
  };
  const read = async (algorithm: "oidc" | "oauth2"): Promise<URL> => {
    const answer = await oauth.discoveryRequest(issuer, { ...options, algorithm });
    const { jwks_uri: keys } = await oauth.processDiscoveryResponse(issuer, answer);
    return requireIssuerUrl("jwks_uri", keys ?? "");
  };
  return read("oidc").catch(() => read("oauth2"));
}
