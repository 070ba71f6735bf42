/**
 * An OAuth resource server: it accepts access tokens that listed issuers signed for it. The SDK
 * reads the header and writes the challenges; jose verifies the tokens.
 */
import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  buildOAuthProtectedResourceMetadata,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  verifyBearerToken,
} from "@modelcontextprotocol/server";
import { decodeJwt, errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from "jose";
import type { Caller } from "../../caller.js";
import { type McpClient, modelClient, programClient } from "../mcp-client.js";
import { type ClaimNames, callerOfClaims, usualClaims } from "./claims.js";
import { type IssuerKeys, keysOf, type McpIssuer } from "./issuer-keys.js";
import type { McpAuth } from "./mcp-auth.js";
import { requireResourceUrl } from "./require-url.js";

/** Options of `oauth`. */
export interface OAuthOptions {
  /** Public URL of the MCP server. Tokens must have it as their audience. */
  readonly resource: string;
  /** Issuers whose tokens are accepted. With several, subjects begin with their issuer. */
  readonly issuers: readonly McpIssuer[];
  /** Scopes that every token needs; none by default. */
  readonly requiredScopes?: readonly string[];
  /** Names of the claims that become the caller. */
  readonly claims?: Partial<ClaimNames>;
  /** Ids of clients that are programs without a model. The origin of their calls is `api`. */
  readonly apiClients?: readonly string[];
  /** Receives errors of issuers, whose keys can't be read. No token is in them. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Signature algorithms with a key pair. Others would let everybody with the public key sign tokens.
 */
const algorithms = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

/**
 * Accepts requests with an OAuth access token in the form of a JWT.
 *
 * @throws TypeError if there is no issuer, an issuer is listed twice, or a URL is not valid
 */
export function oauth(options: OAuthOptions): McpAuth {
  const resource = requireResourceUrl(options.resource);
  const { requiredScopes = [] } = options;
  const verifier = { verifyAccessToken: verifierOf(options, resource) };
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resource);
  const gate = { verifier, requiredScopes: [...requiredScopes], resourceMetadataUrl };
  const metadata = metadataOf(options, resource);
  const metadataPath = new URL(resourceMetadataUrl).pathname;
  return {
    hosts: [resource.hostname],
    async authenticate(request) {
      try {
        const info = await verifyBearerToken(request.headers.get("authorization"), gate);
        return clientOf(info, options);
      } catch (error) {
        return bearerAuthChallengeResponse(error, gate);
      }
    },
    document: ({ method, url }) =>
      (method === "GET" || method === "HEAD") && new URL(url).pathname === metadataPath
        ? Response.json(metadata, { headers: { "access-control-allow-origin": "*" } })
        : undefined,
  };
}

/** Returns the metadata of the protected resource (RFC 9728). */
function metadataOf({ issuers, requiredScopes = [] }: OAuthOptions, resource: URL) {
  const [first] = issuers;
  if (first === undefined) throw new TypeError("`issuers` of `oauth` must have one issuer or more");
  const described = buildOAuthProtectedResourceMetadata({
    // The SDK uses only `issuer`, and checks its form. Its type wants the other fields.
    oauthMetadata: {
      issuer: first.issuer,
      authorization_endpoint: first.issuer,
      token_endpoint: first.issuer,
      response_types_supported: ["code"],
    },
    resourceServerUrl: resource,
    ...(requiredScopes.length > 0 && { scopesSupported: [...requiredScopes] }),
  });
  return { ...described, authorization_servers: issuers.map(({ issuer }) => issuer) };
}

/** Returns the function with which the SDK verifies a token. */
function verifierOf(options: OAuthOptions, { href }: URL) {
  const { claims, issuers, onError, resource: written } = options;
  const keys = new Map(issuers.map((each) => [each.issuer, keysOf(each)]));
  if (keys.size < issuers.length) throw new TypeError("`issuers` of `oauth` has an issuer twice");
  // Clients ask for tokens with the URL of the metadata, where `https://a.b` is `https://a.b/`.
  const audience = [...new Set([written, href])];
  const names = { ...usualClaims, ...claims };
  return async (token: string): Promise<AuthInfo> => {
    const payload = await verify(token, { keys, audience, onError });
    const caller = callerOrRefuse(payload, names, issuers.length > 1);
    return {
      // The token must not reach a call, so it ends here.
      token: "",
      clientId: clientIdOf(payload),
      scopes: [...(caller.scopes ?? [])],
      ...(payload.exp !== undefined && { expiresAt: payload.exp }),
      extra: { caller },
    };
  };
}

interface Verification {
  readonly keys: ReadonlyMap<string, IssuerKeys>;
  readonly audience: string[];
  readonly onError: OAuthOptions["onError"];
}

async function verify(
  token: string,
  { audience, keys, onError }: Verification,
): Promise<JWTPayload> {
  let issuer = "";
  try {
    issuer = decodeJwt(token).iss ?? "";
    const found = keys.get(issuer);
    if (found === undefined) throw refused("the token is of an unknown issuer");
    const options = { issuer, audience, algorithms, requiredClaims: ["exp"] };
    return requireBearer(await jwtVerify(token, await found(), options));
  } catch (error) {
    if (error instanceof OAuthError) throw error;
    if (!isUnreachable(error)) throw refused("the token is not valid here");
    onError?.(new Error(`the keys of \`${issuer}\` can't be read: ${reasonOf(error)}`));
    throw new OAuthError(OAuthErrorCode.ServerError, "the issuer's keys can't be read");
  }
}

/** Types of tokens that grant access. Many issuers use the general one. */
const tokenTypes = /^(?:application\/)?(?:at\+)?jwt$/i;

/**
 * Returns the claims of a bearer token: everybody who has the token may use it.
 *
 * @throws OAuthError for a token of another type, or for one that belongs to a client's key, because
 * nobody checks here that the client has the key
 */
function requireBearer({ payload, protectedHeader: { typ } }: JWTVerifyResult): JWTPayload {
  if (typ !== undefined && !tokenTypes.test(typ)) throw refused("the token is no access token");
  if (payload["cnf"] !== undefined) throw refused("the token belongs to a key");
  return payload;
}

/** `fetch` puts the reason of a failure into the cause. */
function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message : String(cause);
}

/** Returns whether the keys are missing, which says nothing about the token. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  // jose has no class for an answer of the issuer that is an error.
  const codes = [errors.JWKSTimeout.code, errors.JWKSInvalid.code, errors.JOSEError.code];
  return codes.includes(error.code);
}

function callerOrRefuse(payload: JWTPayload, names: ClaimNames, isPrefixed: boolean): Caller {
  try {
    return callerOfClaims(payload, names, isPrefixed);
  } catch (error) {
    if (error instanceof TypeError) throw refused("the token's claims can't be those of a caller");
    throw error;
  }
}

function refused(message: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, message);
}

function clientIdOf(payload: JWTPayload): string {
  const id = payload["client_id"] ?? payload["azp"];
  return typeof id === "string" ? id : "";
}

function clientOf({ clientId, extra }: AuthInfo, { apiClients = [] }: OAuthOptions): McpClient {
  // `verifierOf` made it.
  const caller = extra?.["caller"] as Caller;
  const make = clientId !== "" && apiClients.includes(clientId) ? programClient : modelClient;
  return { ...make(caller, "http"), ...(clientId !== "" && { clientId }) };
}
