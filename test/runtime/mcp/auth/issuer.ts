/** An issuer of access tokens whose answers a test chooses, and requests with its tokens. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpAuth, McpClient } from "@skillc/runtime/mcp";
import { oauth, type OAuthOptions } from "@skillc/runtime/mcp/oauth";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";
import { onTestFinished } from "vitest";

/** URL of the MCP server that tokens are for. */
export const resource = "https://mcp.example.com/mcp";

/** A pair of keys with which an issuer signs. */
export interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** An issuer on a port of this machine. */
export interface Issuer {
  readonly issuer: string;
  readonly jwks: string;
  readonly key: SigningKey;
  /** The keys that it shows. */
  keys: readonly JWK[];
  /** Answers requests for keys instead of the issuer. */
  answerKeys: RequestListener | undefined;
  /** Answers requests for metadata; by default with `issuer` and `jwks`. */
  answerMetadata: RequestListener;
  /** Paths of all requests. */
  readonly asked: readonly string[];
  /** Signs a token for `resource`; claims and header are added, and replace the usual ones. */
  sign(claims?: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
}

/** Makes a pair of keys with an id. */
export async function signingKey(kid: string, alg = "RS256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** Seconds since 1970. */
export const now = (): number => Math.floor(Date.now() / 1000);

/** Keys of issuers by name, because a key of RSA takes long to make. */
const madeKeys = new Map<string, Promise<SigningKey>>();

/** Starts an issuer until the test ends. Issuers with another name have another key. */
export async function startIssuer(name = "one"): Promise<Issuer> {
  const making = madeKeys.get(name) ?? signingKey("k1");
  madeKeys.set(name, making);
  const key = await making;
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url ?? "");
    if (request.url !== "/jwks") issuer.answerMetadata(request, response);
    else if (issuer.answerKeys !== undefined) issuer.answerKeys(request, response);
    else json({ keys: issuer.keys })(request, response);
  });
  const issuer: Issuer = {
    issuer: url,
    jwks: `${url}/jwks`,
    key,
    keys: [key.jwk],
    answerKeys: undefined,
    answerMetadata: json({ issuer: url, jwks_uri: `${url}/jwks` }),
    asked,
    sign: (claims, header) => sign({ iss: url, ...claims }, header, key.privateKey),
  };
  return issuer;
}

/** Signs a token of `ada` for `resource`. */
export function sign(
  claims: JWTPayload,
  header: Partial<JWTHeaderParameters> | undefined,
  key: CryptoKey | Uint8Array,
): Promise<string> {
  return new SignJWT({ sub: "ada", aud: resource, exp: now() + 600, ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "k1", ...header })
    .sign(key);
}

/** Answers with JSON. */
export function json(value: unknown): RequestListener {
  return (_request, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Serves HTTP on a port of this machine until the test ends, and returns the URL. */
export async function serve(answer: RequestListener): Promise<string> {
  const http = createServer((request: IncomingMessage, response) => answer(request, response));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  // A server on a port has such an address.
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

/** Makes the check of tokens of some issuers. */
export function authOf(issuers: readonly Issuer[], options: Partial<OAuthOptions> = {}): McpAuth {
  const listed = issuers.map(({ issuer, jwks }) => ({ issuer, jwks }));
  return oauth({ resource, issuers: listed, ...options });
}

/** Sends a token, and returns the client, or the status and the texts of the refusal. */
export async function send(auth: McpAuth, token: string): Promise<McpClient | Refusal> {
  return sendHeader(auth, `Bearer ${token}`);
}

/** A rejected request. */
export interface Refusal {
  readonly status: number;
  readonly challenge: string;
  readonly body: string;
}

/** Sends a header `Authorization`. */
export async function sendHeader(
  auth: McpAuth,
  authorization: string,
): Promise<McpClient | Refusal> {
  const headers = { authorization };
  const answer = await auth.authenticate(new Request(resource, { method: "POST", headers }));
  if (!(answer instanceof Response)) return answer;
  return {
    status: answer.status,
    challenge: answer.headers.get("www-authenticate") ?? "",
    body: await answer.text(),
  };
}
