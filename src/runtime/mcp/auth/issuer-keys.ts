import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose";

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

/** Returns the keys of an issuer, which are read at the first token and again for a new key. */
export function keysOf({ issuer, jwks }: McpIssuer): IssuerKeys {
  let known: Promise<JWTVerifyGetKey> | undefined;
  return () => {
    known ??= (jwks === undefined ? discoverKeys(issuer) : Promise.resolve(jwks)).then((url) =>
      createRemoteJWKSet(new URL(url), { timeoutDuration: timeoutMs }),
    );
    // An issuer that could not be reached is asked again.
    known.catch(() => (known = undefined));
    return known;
  };
}

/** Reads the URL of the keys from the issuer's metadata. */
async function discoverKeys(issuer: string): Promise<string> {
  const { discoveryRequest, processDiscoveryResponse, allowInsecureRequests } =
    await import("oauth4webapi");
  const url = new URL(issuer);
  const options = {
    signal: () => AbortSignal.timeout(timeoutMs),
    // `oauth` accepts HTTP for issuers on this machine alone.
    [allowInsecureRequests]: url.protocol === "http:",
  };
  const read = async (algorithm: "oidc" | "oauth2"): Promise<string> => {
    const answer = await discoveryRequest(url, { ...options, algorithm });
    const { jwks_uri: keys } = await processDiscoveryResponse(url, answer);
    if (keys === undefined) throw new TypeError("the issuer's metadata names no keys");
    return keys;
  };
  return read("oidc").catch(() => read("oauth2"));
}
