/** The entry point `@skillc/runtime/v1/oauth2`: tokens that are fetched. */
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

/** How tokens are asked for (RFC 6749, RFC 7523). */
export interface OAuth2 {
  readonly grant: "client_credentials" | "refresh_token" | "jwt_bearer";
  readonly tokenUrl: AuthText;
  readonly clientId?: AuthText;
  readonly clientSecret?: AuthText;
  /** `basic` when not given. */
  readonly clientAuth?: "basic" | "post";
  readonly refreshToken?: AuthText;
  /** PKCS #8 in PEM. */
  readonly privateKey?: AuthText;
  /** Of the assertion: `RS256` when not given. */
  readonly algorithm?: string;
  readonly keyId?: AuthText;
  readonly issuer?: AuthText;
  readonly subject?: AuthText;
  /** The token endpoint when not given. */
  readonly audience?: AuthText;
  readonly scopes?: readonly string[];
}

/** What stands for a token in records; no setting has such a name. */
const shownToken = "access token";

/** A bearer token by OAuth 2, kept until it is stale or refused. */
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

/** Base URL of a token endpoint, which may have a query (RFC 6749, 3.2); undefined for an unusable URL. */
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
  // Each text is opened, and nothing else is touched.
  const opened = Object.fromEntries(entries) as Opened;
  return { ...opened, url: String(opened.tokenUrl) };
}

/** Secrets are in it as a hash alone. */
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
  // Where there is no client, nothing sends its name.
  const client = { client_id: clientId ?? "none" };
  const proof = proofOf(opened, oauth);
  const scope: Record<string, string> = scopes.length === 0 ? {} : { scope: scopes.join(" ") };
  const options = {
    [oauth.customFetch]: tokenFetch(attempt, signal),
    // Whether a setting says http is its owner's to know, as for every other URL.
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

/** How the client proves itself; of none, nothing is sent. */
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
 * Encodes as a form does (RFC 6749, appendix B), and no character that needs none of it: many servers
 * don't decode the header, and oauth4webapi also encodes `-`, `_` and `.`.
 */
function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

/** Seconds that an assertion is good for. */
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
  // Settings of one line have their line ends escaped.
  const pem = privateKey.includes("\n") ? privateKey : privateKey.replaceAll("\\n", "\n");
  const key = await importPKCS8(pem, algorithm).catch(() => {
    throw unsentError(attempt, `\`private_key\` is no PKCS #8 key in PEM for ${algorithm}`);
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

/** Of its life, so much is left aside: it has to arrive, too. */
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
