/** The entry point `@skillc/runtime/v1/oauth2`: authentication with fetched tokens. */
import { createHash } from "node:crypto";
import type * as OAuth from "oauth4webapi";
import {
  type Attempt,
  httpReach,
  type HttpReach,
  ifMissing,
} from "../../../../runtime/executor.js";
import { isCredential, isCredentialText } from "../../../../runtime/values/text.js";
import { baseOfLiteral, baseOfSetting, type BaseUrl } from "../base-url.js";
import { unsentError } from "../failures.js";
import {
  type Authenticator,
  type AuthText,
  namesIn,
  openedFor,
  shownText,
} from "./authenticator.js";
import { tokenError, tokenFetch } from "./token-request.js";
import { type Token, tokensOf } from "./tokens.js";

/** How a token is requested (RFC 6749, RFC 7523). */
export interface OAuth2 {
  /** Grant with which the client gets its tokens. */
  readonly grant: "client_credentials" | "refresh_token" | "jwt_bearer";
  /** URL of the token endpoint. */
  readonly tokenUrl: AuthText;
  /** Id of the client. */
  readonly clientId?: AuthText;
  /** Secret of the client. */
  readonly clientSecret?: AuthText;
  /** How the client authenticates; `basic` by default. */
  readonly clientAuth?: "basic" | "post";
  /** First refresh token, for `refresh_token`. */
  readonly refreshToken?: AuthText;
  /** Private key, as PKCS #8 in PEM. */
  readonly privateKey?: AuthText;
  /** Algorithm of the assertion; `RS256` by default. */
  readonly algorithm?: string;
  /** Id of the private key, sent as `kid`. */
  readonly keyId?: AuthText;
  /** Issuer of the assertion; the client's id by default. */
  readonly issuer?: AuthText;
  /** Subject of the assertion; its issuer by default. */
  readonly subject?: AuthText;
  /** Audience of the assertion; the token endpoint by default. */
  readonly audience?: AuthText;
  /** Scopes to ask for. */
  readonly scopes?: readonly string[];
}

/** Replaces a token in records. No setting has this name. */
const shownToken = "access token";

/** Authenticates with an OAuth 2 bearer token, which is kept until it expires or is rejected. */
export function oauth2(by: OAuth2): Authenticator {
  const { scopes = [], tokenUrl, ...texts } = by;
  const used = namesIn(
    tokenUrl,
    texts.clientId,
    texts.clientSecret,
    texts.refreshToken,
    texts.privateKey,
    texts.keyId,
    texts.issuer,
    texts.subject,
    texts.audience,
  );
  return {
    credentials: used,
    proofs: [shownToken],
    shown: ["authorization", `Bearer \${${shownToken}}`],
    reach: (open) => [reachOf(tokenUrl, open)],
    async headers(_request, attempt) {
      const opened = openAll(by, attempt);
      const kept = tokensOf(attempt.runtime ?? attempt).of(keyOf(opened, scopes));
      const value = await kept
        .get((signal, last) => askFor(opened, scopes, last, attempt, signal), attempt.signal)
        .catch((error: unknown) => {
          throw attempt.signal.aborted ? error : tokenError(attempt, shownText(tokenUrl), error);
        });
      attempt.learn?.(shownToken, value);
      return ["authorization", `Bearer ${value}`];
    },
    refused(attempt, [, header = ""]) {
      const kept = tokensOf(attempt.runtime ?? attempt).of(keyOf(openAll(by, attempt), scopes));
      kept.forget(header.slice("Bearer ".length));
      return true;
    },
  };
}

/**
 * Returns the base URL of a token endpoint, which may have a query (RFC 6749, 3.2); undefined for
 * an unusable URL.
 */
function endpointOf(url: string): BaseUrl | undefined {
  const { place, query } = withoutQuery(url);
  return /[#\\\s\p{Cc}]/u.test(query) ? undefined : baseOfSetting(place);
}

function withoutQuery(url: string): { readonly place: string; readonly query: string } {
  const at = url.indexOf("?");
  return at === -1 ? { place: url, query: "" } : { place: url.slice(0, at), query: url.slice(at) };
}

function reachOf(tokenUrl: AuthText, open?: (name: string) => string): HttpReach {
  if (!isCredentialText(tokenUrl)) {
    const base = baseOfLiteral(withoutQuery(tokenUrl).place);
    return httpReach("POST", base?.origin ?? "", base?.path || "/");
  }
  const [first, rest = ""] = tokenUrl.parts;
  const tail = typeof rest === "string" ? withoutQuery(rest).place : "";
  if (!isCredential(first)) return httpReach("POST", "", "");
  if (open === undefined) return httpReach("POST", `\${${first.name}}`, tail);
  const base = endpointOf(open(first.name));
  return httpReach("POST", base?.origin ?? "", `${base?.path ?? ""}${tail}` || "/");
}

type Opened = {
  readonly [Key in keyof OAuth2]: OAuth2[Key] extends AuthText | undefined
    ? string | undefined
    : OAuth2[Key];
};

function openAll(by: OAuth2, attempt: Attempt): Opened & { readonly url: string } {
  const entries = Object.entries(by).map(([name, value]: [string, unknown]) => [
    name,
    isCredentialText(value) ? openedFor(attempt, value) : value,
  ]);
  // Only texts are opened, so the type stays the same.
  const opened = Object.fromEntries(entries) as Opened;
  return { ...opened, url: String(opened.tokenUrl) };
}

/** Returns the key of a token. It contains secrets only as a hash. */
function keyOf(opened: Opened, scopes: readonly string[]): string {
  const { clientSecret, privateKey, refreshToken, ...open } = opened;
  const hash = createHash("sha256").update(
    JSON.stringify([clientSecret, privateKey, refreshToken]),
  );
  return JSON.stringify([open, scopes, hash.digest("hex")]);
}

async function askFor(
  opened: ReturnType<typeof openAll>,
  scopes: readonly string[],
  lastRefreshToken: string | undefined,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Token> {
  const oauth = await import("oauth4webapi").catch(ifMissing("oauth4webapi"));
  const { clientId, grant, refreshToken = "", url } = opened;
  const base = endpointOf(url);
  if (base === undefined)
    throw unsentError(
      attempt,
      "the token endpoint must be an http or https URL without user and fragment",
    );
  const server = { issuer: base.origin, token_endpoint: url };
  // If there is no client, its name is never sent.
  const client = { client_id: clientId ?? "none" };
  const proof = proofOf(opened, oauth);
  const scope: Record<string, string> = scopes.length === 0 ? {} : { scope: scopes.join(" ") };
  const options = {
    [oauth.customFetch]: tokenFetch(attempt, signal),
    // Allow http, as for every other URL, because the setting's owner decides.
    [oauth.allowInsecureRequests]: true,
    signal,
  };
  const now = Date.now();
  if (grant === "client_credentials") {
    const answer = await oauth.clientCredentialsGrantRequest(server, client, proof, scope, options);
    return tokenFrom(await oauth.processClientCredentialsResponse(server, client, answer), now);
  }
  if (grant === "refresh_token") {
    const by = lastRefreshToken ?? refreshToken;
    const further = { ...options, additionalParameters: scope };
    const answer = await oauth.refreshTokenGrantRequest(server, client, proof, by, further);
    const token = tokenFrom(await oauth.processRefreshTokenResponse(server, client, answer), now);
    if (token.refreshToken !== undefined) attempt.learn?.("refresh token", token.refreshToken);
    return token;
  }
  const form = { ...scope, assertion: await assertionFor(opened, attempt) };
  const type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
  const answer = await oauth.genericTokenEndpointRequest(
    server,
    client,
    proof,
    type,
    form,
    options,
  );
  return tokenFrom(await oauth.processGenericTokenEndpointResponse(server, client, answer), now);
}

/** Returns how the client authenticates. Nothing is sent without a client. */
function proofOf(
  { clientAuth, clientId, clientSecret }: Opened,
  oauth: Pick<typeof OAuth, "ClientSecretPost" | "None">,
): OAuth.ClientAuth {
  if (clientId === undefined) return () => {};
  if (clientSecret === undefined) return oauth.None();
  if (clientAuth === "post") return oauth.ClientSecretPost(clientSecret);
  const both = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
  return (_server, _client, _body, headers) =>
    headers.set("authorization", `Basic ${Buffer.from(both).toString("base64")}`);
}

/**
 * Encodes as a form does (RFC 6749, appendix B), but only characters that need it. Many servers
 * don't decode the header, and oauth4webapi also encodes `-`, `_` and `.`.
 */
function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

/** Lifetime of an assertion, in seconds. */
const assertionSeconds = 300;

async function assertionFor(opened: ReturnType<typeof openAll>, attempt: Attempt): Promise<string> {
  const { importPKCS8, SignJWT } = await import("jose").catch(ifMissing("jose"));
  const {
    algorithm = "RS256",
    audience,
    clientId,
    issuer,
    keyId,
    privateKey = "",
    subject,
    url,
  } = opened;
  // Settings on one line have escaped line ends.
  const pem = privateKey.includes("\n") ? privateKey : privateKey.replaceAll("\\n", "\n");
  const key = await importPKCS8(pem, algorithm).catch(() => {
    throw unsentError(attempt, `\`private_key\` is not a PKCS #8 key in PEM for ${algorithm}`);
  });
  const by = issuer ?? clientId ?? "";
  const seconds = Math.floor(Date.now() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: "JWT", ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(by)
    .setSubject(subject ?? by)
    .setAudience(audience ?? url)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + assertionSeconds)
    .sign(key);
}

/** Margin before a token's end, in seconds, because the request has to arrive too. */
const marginSeconds = 30;

function tokenFrom(
  answer: {
    readonly access_token: string;
    readonly expires_in?: number;
    readonly refresh_token?: string;
  },
  askedAt: number,
): Token {
  const { access_token: value, expires_in: seconds, refresh_token: refreshToken } = answer;
  const life = seconds === undefined ? undefined : seconds - Math.min(marginSeconds, seconds / 10);
  return { value, staleAt: life === undefined ? undefined : askedAt + life * 1000, refreshToken };
}
