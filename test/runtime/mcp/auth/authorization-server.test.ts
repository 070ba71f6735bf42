/** `oauth` and clients of the SDK, with an independent authorization server (oidc-provider). */
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { SkillcMcpServer } from "@skillc/runtime/mcp";
import { oauth, type OAuthOptions } from "@skillc/runtime/mcp/oauth";
import { currentCaller } from "@skillc/runtime";
import { Provider } from "oidc-provider";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connectClient, listen } from "../clients.js";
import { serveDesk } from "../order-desk.js";
import { serve } from "./issuer.js";

const secret = "s3cret";
const back = "https://desk.example/back";

/** Starts an authorization server, in which everybody can register clients and log in. */
async function startAuthorization(): Promise<string> {
  const issuer = await serve((request, response) => void handle(request, response));
  // The library warns that its keys, its memory and its pages are only for tests.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const info = vi.spyOn(console, "info").mockImplementation(() => {});
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "billing",
        client_secret: secret,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ["offline_access", "mcp", "other"],
    ttl: { AccessToken: 600, ClientCredentials: 600, Grant: 600, Interaction: 600, Session: 600 },
    features: {
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, audience) => ({
          scope: "mcp other",
          audience,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  });
  const handle = provider.callback();
  warn.mockRestore();
  info.mockRestore();
  return issuer;
}

/** Serves the example skills for tokens of an issuer. */
async function serveProtected(issuer: string, options: Partial<OAuthOptions> = {}) {
  const served: { server?: SkillcMcpServer } = {};
  const url = await listen({
    fetch: async (request, given) =>
      served.server?.fetch(request, given) ?? new Response("not yet", { status: 503 }),
  });
  const auth = oauth({ resource: url, issuers: [{ issuer }], requiredScopes: ["mcp"], ...options });
  const callers: unknown[] = [];
  const { ledger, server } = await serveDesk({
    auth,
    quote: () => {
      callers.push(currentCaller());
      return { price: 4.9, currency: "EUR" };
    },
  });
  served.server = server;
  return { url, server, ledger, callers };
}

async function clientToken(issuer: string, resource: string, scope = "mcp"): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`billing:${secret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials", resource, scope }),
  });
  const { access_token: token } = (await response.json()) as { readonly access_token: string };
  return token;
}

const quote = { name: "order-desk__quote-shipping", arguments: { country: "DE", weight_kg: 1 } };

/** A client that keeps everything in memory, and whose user is `ada`. */
function clientOfAda() {
  const kept: { information?: never; tokens?: never; verifier?: string; url?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: back,
    clientMetadata: {
      redirect_uris: [back],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => kept.information,
    saveClientInformation: (information) => void Object.assign(kept, { information }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(kept, { url }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? "",
  };
  return { kept, provider };
}

/** Logs `ada` in as a browser does, and returns the parameters of the way back. */
async function logIn(start: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (;;) {
    const cookie = [...cookies].map((each) => each.join("=")).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie },
      ...(form && { method: "POST", body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    const to = response.headers.get("location") ?? /action="([^"]+)"/.exec(page)?.[1] ?? "";
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    form =
      prompt === undefined
        ? undefined
        : new URLSearchParams({ prompt, login: "ada", password: "x" });
    url = new URL(to, url);
    if (url.href.startsWith(back)) return url.searchParams;
  }
}

test("a client of the SDK gets from the URL alone to an answer, and its token stays outside of calls", async () => {
  const issuer = await startAuthorization();
  const { callers, ledger, url } = await serveProtected(issuer);
  const { kept, provider } = clientOfAda();
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
    const client = new Client({ name: "test", version: "1" });
    onTestFinished(() => client.close().catch(() => undefined));
    return { client, transport, connected: client.connect(transport) };
  };
  const first = await connect();
  await expect(first.connected).rejects.toThrow(UnauthorizedError);
  const answer = await logIn(kept.url ?? new URL(issuer));
  await first.transport.finishAuth(answer);
  const second = await connect();
  await second.connected;
  expect((await second.client.callTool(quote)).structuredContent).toMatchObject({
    status: "success",
  });
  await second.client.callTool({
    name: "order-desk__get-order",
    arguments: { order_id: "ord_1001" },
  });
  expect(callers).toEqual([{ subject: "ada", origin: "llm", scopes: ["mcp"] }]);
  const { access_token: token } = kept.tokens ?? { access_token: "" };
  expect(token).toMatch(/^ey/);
  expect(JSON.stringify([callers, ledger.records])).not.toContain(token);
});

describe("a program with the client credentials grant", () => {
  test("calls with the origin api if the project lists it", async () => {
    const issuer = await startAuthorization();
    const { callers, server, url } = await serveProtected(issuer, { apiClients: ["billing"] });
    const token = await clientToken(issuer, url);
    const client = await connectClient(server, { era: "2026-07-28", way: "http", token });
    await client.callTool(quote);
    expect(callers).toEqual([{ subject: "billing", origin: "api", scopes: ["mcp"] }]);
  });

  test("gets 401 for a token of another resource, and 403 without the scope", async () => {
    const issuer = await startAuthorization();
    const { url } = await serveProtected(issuer);
    const status = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(url, { method: "POST", headers })).status;
    };
    expect(await status(await clientToken(issuer, "https://other.example/mcp"))).toBe(401);
    expect(await status(await clientToken(issuer, url, "other"))).toBe(403);
    expect(await status(await clientToken(issuer, url))).toBe(415);
  });
});

test("the challenge of a request without a token leads to the metadata, with all issuers", async () => {
  const issuer = await startAuthorization();
  const issuers = [{ issuer }, { issuer: "https://login.example" }];
  const { url } = await serveProtected(issuer, { issuers });
  const refused = await fetch(url, { method: "POST" });
  expect(refused.status).toBe(401);
  const challenge = refused.headers.get("www-authenticate") ?? "";
  const [, metadata = ""] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  expect(metadata).toBe(url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp"));
  const document = await fetch(metadata);
  expect(document.headers.get("access-control-allow-origin")).toBe("*");
  expect(await document.json()).toEqual({
    resource: url,
    authorization_servers: [issuer, "https://login.example"],
    scopes_supported: ["mcp"],
  });
  expect((await fetch(metadata, { method: "POST" })).status).toBe(401);
  expect((await fetch(metadata, { headers: { origin: "https://evil.example" } })).status).toBe(403);
});
