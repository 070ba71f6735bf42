/** An independent authorization server (oidc-provider), and an API that accepts its tokens. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { importSPKI, jwtVerify } from "jose";
import { errors, Provider, type TokenEndpointGrantContext } from "oidc-provider";
import { onTestFinished, vi } from "vitest";

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

export const client = { id: "client of:7%", secret: "s3cret of+the/d%sk:=&" } as const;

export interface AuthorizationServer {
  readonly tokenUrl: string;
  readonly apiUrl: string;
  /** Number of requests to the token endpoint, by result. */
  readonly asked: { readonly granted: number; readonly refused: number };
  /** Number of requests to the API, by status. */
  readonly served: ReadonlyMap<number, number>;
  /** Revokes every token that the server issued. */
  revokeAll(): Promise<void>;
  /** Issues a refresh token, as after a person's log-in. */
  refreshToken(): Promise<string>;
  /** Called for each request to the API, before the API checks the token. */
  onApi: (count: number) => Promise<void> | void;
}

interface Options {
  /** Lifetime of an access token, in seconds. */
  readonly life?: number;
  /** Public key for the signatures of assertions: SPKI in PEM. */
  readonly assertedBy?: string;
  readonly clientAuth?: "client_secret_basic" | "client_secret_post";
}

/** Access tokens of every grant. */
type AccessToken = InstanceType<Provider["AccessToken" | "ClientCredentials"]>;

export async function serveAuthorization({
  life = 3600,
  assertedBy = "",
  clientAuth = "client_secret_basic",
}: Options = {}): Promise<AuthorizationServer> {
  const issuer = await listen((request, response) => void handle(request, response));
  // The library warns that its keys and its memory are only for tests.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        grant_types: ["client_credentials", "refresh_token", "authorization_code", jwtBearer],
        response_types: ["code"],
        scope: "openid offline_access orders.read",
        redirect_uris: ["https://desk.example/back"],
        token_endpoint_auth_method: clientAuth,
      },
    ],
    scopes: ["orders.read", "orders.write", "offline_access"],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: { AccessToken: life, ClientCredentials: life, Grant: 86_400, RefreshToken: 86_400 },
    rotateRefreshToken: true,
  });
  warn.mockRestore();
  provider.registerGrantType(
    jwtBearer,
    (context) => grantByAssertion(provider, assertedBy, context),
    ["assertion", "scope"],
  );
  const handle = provider.callback();
  const asked = { granted: 0, refused: 0 };
  const given: AccessToken[] = [];
  provider.on("grant.success", () => (asked.granted += 1));
  provider.on("grant.error", () => (asked.refused += 1));
  provider.on("client_credentials.saved", (token) => given.push(token));
  provider.on("access_token.saved", (token) => given.push(token));

  const served = new Map<number, number>();
  let count = 0;
  const server: AuthorizationServer = {
    tokenUrl: `${issuer}/token`,
    apiUrl: await listen(async (request, response) => {
      count += 1;
      await server.onApi(count);
      const value = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
      const token =
        (await provider.ClientCredentials.find(value)) ?? (await provider.AccessToken.find(value));
      const status = token === undefined ? 401 : 200;
      served.set(status, (served.get(status) ?? 0) + 1);
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ scope: token?.scope ?? null }));
    }),
    asked,
    served,
    onApi: () => {},
    async revokeAll() {
      for (const token of given.splice(0)) await token.destroy();
    },
    refreshToken: () => refreshTokenOf(provider),
  };
  return server;
}

/** Implements the grant of RFC 7523 (3), which the library leaves to its users. */
async function grantByAssertion(
  provider: Provider,
  assertedBy: string,
  context: TokenEndpointGrantContext,
): Promise<void> {
  const { client: by, params } = context.oidc;
  const verified = await jwtVerify(
    String(params["assertion"]),
    await importSPKI(assertedBy, "RS256"),
    { audience: `${provider.issuer}/token`, requiredClaims: ["iss", "sub", "exp"] },
  ).catch(() => undefined);
  if (verified === undefined) throw new errors.InvalidGrant("assertion");
  const scope = String(params["scope"] ?? "");
  const token = new provider.ClientCredentials({ client: by, scope });
  const value = await token.save();
  context.body = {
    access_token: value,
    expires_in: token.expiration,
    token_type: token.tokenType,
    scope,
  };
}

async function refreshTokenOf(provider: Provider): Promise<string> {
  const by = await provider.Client.find(client.id);
  if (by === undefined) throw new Error("the client is not there");
  const scope = "openid offline_access orders.read";
  const grant = new provider.Grant({ accountId: "ada", clientId: client.id });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  const token = new provider.RefreshToken({
    accountId: "ada",
    client: by,
    grantId,
    scope,
    gty: "authorization_code",
    authTime: 1,
    expiresWithSession: false,
    // The type lacks properties that a log-in sets.
  } as ConstructorParameters<Provider["RefreshToken"]>[0]);
  return token.save();
}

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // The address of a TCP server that listens has this type.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
