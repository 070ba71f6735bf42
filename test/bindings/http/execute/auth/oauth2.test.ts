import { generateKeyPairSync } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { credential, text } from "../../../../../src/bindings/http/execute.js";
import { type OAuth2, oauth2 } from "../../../../../src/bindings/http/send/auth/oauth2.js";
import {
  createRuntime,
  createMemoryLedger,
  type Runtime,
} from "../../../../../src/runtime/index.js";
import { failure, serve } from "../support.js";
import { callWith, json, serveTokens } from "./token-server.js";

afterEach(() => void vi.useRealTimers());

const settings = { CLIENT_ID: "client-of-7", CLIENT_SECRET: "s3cret-of-the-desk" };

function runtimeWith(
  credentials: Readonly<Record<string, string>>,
  ledger = createMemoryLedger(),
): Runtime {
  return createRuntime({ inherit: false, ledger, credentials: { ...settings, ...credentials } });
}

const grant = (more: Partial<OAuth2> = {}): OAuth2 => ({
  grant: "client_credentials",
  tokenUrl: text(credential("TOKEN_URL")),
  clientId: text(credential("CLIENT_ID")),
  clientSecret: text(credential("CLIENT_SECRET")),
  ...more,
});

const contract = (url: string, more: Partial<OAuth2> = {}) => ({
  auth: [oauth2(grant(more))],
  request: () => ({ url: [`${url}/orders`] }),
});

describe("client credentials", () => {
  it("the credentials go only to the token endpoint, and the token goes only to the API", async () => {
    const server = await serveTokens();
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    const result = await callWith(runtime, contract(server.url, { scopes: ["read", "write"] }));
    expect(result).toEqual({ status: "success", data: { ok: true } });
    const [asked] = server.asked();
    // Both are encoded as in a form first (RFC 6749, 2.3.1).
    const [scheme, both = ""] = asked?.headers.authorization?.split(" ") ?? [];
    expect(scheme).toBe("Basic");
    expect(decodeURIComponent(Buffer.from(both, "base64").toString())).toBe(
      `client-of-7:${settings.CLIENT_SECRET}`,
    );
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      grant_type: "client_credentials",
      scope: "read write",
    });
  });

  it.each([
    ["desk-1_a.b~c", "s-e_c.r~t", "desk-1_a.b~c:s-e_c.r~t"],
    ["a:b c", "50%+é", "a%3Ab+c:50%25%2B%C3%A9"],
  ])("the header holds the credentials in form encoding: %s", async (id, secret, sent) => {
    const server = await serveTokens();
    const own = { TOKEN_URL: `${server.url}/token`, CLIENT_ID: id, CLIENT_SECRET: secret };
    await callWith(runtimeWith(own), contract(server.url));
    const [, both = ""] = server.asked()[0]?.headers.authorization?.split(" ") ?? [];
    expect(Buffer.from(both, "base64").toString()).toBe(sent);
  });

  it("the body holds the credentials if the endpoint expects them there", async () => {
    const server = await serveTokens();
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    await callWith(runtime, contract(server.url, { clientAuth: "post" }));
    expect(server.asked()[0]?.headers.authorization).toBeUndefined();
    expect(server.asked()[0]?.body).toContain(`client_secret=${settings.CLIENT_SECRET}`);
  });

  it("64 callers fetch one token together, and one more after a 401 for all of them", async () => {
    const server = await serveTokens();
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    const all = () =>
      Promise.all(Array.from({ length: 64 }, () => callWith(runtime, contract(server.url))));
    expect((await all()).every(({ status }) => status === "success")).toBe(true);
    expect(server.asked()).toHaveLength(1);
    server.valid.clear();
    expect((await all()).every(({ status }) => status === "success")).toBe(true);
    expect(server.asked()).toHaveLength(2);
  });

  it("a new token is fetched shortly before the old one expires, and not earlier", async () => {
    const server = await serveTokens((response, token) =>
      json(response, 200, { access_token: token, token_type: "bearer", expires_in: 100 }),
    );
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    vi.useFakeTimers({ toFake: ["Date"] });
    await callWith(runtime, contract(server.url));
    vi.setSystemTime(Date.now() + 89_000);
    await callWith(runtime, contract(server.url));
    expect(server.asked()).toHaveLength(1);
    vi.setSystemTime(Date.now() + 2_000);
    await callWith(runtime, contract(server.url));
    expect(server.asked()).toHaveLength(2);
  });

  it.each<[what: string, credentials: Record<string, string>, more: Partial<OAuth2>]>([
    ["another secret", { CLIENT_SECRET: "another-secret" }, {}],
    ["other scopes", {}, { scopes: ["other"] }],
    ["another client", { CLIENT_ID: "other" }, {}],
  ])("a caller with %s gets a token of its own", async (_what, credentials, more) => {
    const server = await serveTokens();
    const own = { TOKEN_URL: `${server.url}/token`, ...credentials };
    const runtime = runtimeWith(own);
    await callWith(runtime, contract(server.url, { scopes: ["usual"] }));
    await callWith(runtimeWith(own), contract(server.url, { scopes: ["usual"], ...more }));
    expect(server.asked()).toHaveLength(2);
  });

  it("a call that still gets 401 with a new token does not fetch a third token", async () => {
    const server = await serveTokens((response) =>
      json(response, 200, { access_token: "never-taken", token_type: "bearer" }),
    );
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    const result = await callWith(runtime, contract(server.url));
    expect(result).toEqual({ status: "error", error: { error: "stale" }, status_code: 401 });
    expect(server.asked()).toHaveLength(2);
  });
});

describe("fetched token", () => {
  it("no record and no answer shows the token, even if a server echoes it", async () => {
    const ledger = createMemoryLedger();
    const server = await serveTokens();
    const echo = await serve((response, { headers }) =>
      json(response, headers["x-fail"] ? 400 : 200, { got: headers.authorization }),
    );
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` }, ledger);
    const good = await callWith(runtime, contract(echo.url));
    const bad = await callWith(runtime, {
      ...contract(echo.url),
      request: () => ({ url: [echo.url], headers: [["x-fail", "1"]] }),
    });
    expect(good.data).toEqual({ got: "Bearer ${access token}" });
    expect(bad.error).toEqual({ got: "Bearer ${access token}" });
    const records = JSON.stringify(ledger.records);
    expect(records).not.toContain("token-1-secret");
    expect(echo.received[0]?.headers.authorization).toBe("Bearer token-1-secret");
  });

  it("does not follow a redirect to another origin", async () => {
    const other = await serve();
    const server = await serveTokens();
    const api = await serve((response) =>
      response.writeHead(302, { location: `${other.url}/orders` }).end(),
    );
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    await callWith(runtime, contract(api.url));
    expect(other.received).toEqual([]);
  });

  it("shadow mode fetches no token, and its record names the token by a placeholder", async () => {
    const server = await serveTokens();
    const runtime = createRuntime({
      inherit: false,
      ledger: false,
      mode: "shadow",
      credentials: { ...settings, TOKEN_URL: `${server.url}/token` },
    });
    const result = await callWith(runtime, contract(server.url), { effect: "write" });
    expect(result).toMatchObject({
      status: "shadow",
      request: { headers: { authorization: "Bearer ${access token}" } },
    });
    expect(server.received).toEqual([]);
  });
});

describe("refresh token", () => {
  it("a refresh token that comes with an access token replaces the old one", async () => {
    const server = await serveTokens((response, token) =>
      json(response, 200, {
        access_token: token,
        token_type: "bearer",
        refresh_token: `r-of-${token}`,
      }),
    );
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token`, REFRESH: "first-refresh" });
    const by = { grant: "refresh_token", refreshToken: text(credential("REFRESH")) } as const;
    await callWith(runtime, contract(server.url, by));
    server.valid.clear();
    await callWith(runtime, contract(server.url, by));
    const given = server.asked().map(({ body }) => new URLSearchParams(body).get("refresh_token"));
    expect(given).toEqual(["first-refresh", "r-of-token-1-secret"]);
  });
});

describe("assertion", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const by = {
    grant: "jwt_bearer",
    privateKey: text(credential("PRIVATE_KEY")),
    issuer: "desk@example.com",
    keyId: "k1",
    tokenUrl: text(credential("TOKEN_URL")),
  } as const;

  it("signs the assertion with the private key, for the token endpoint", async () => {
    const server = await serveTokens();
    const TOKEN_URL = `${server.url}/token`;
    const runtime = runtimeWith({ TOKEN_URL, PRIVATE_KEY: privateKey.replaceAll("\n", "\\n") });
    const own = { auth: [oauth2(by)], request: () => ({ url: [`${server.url}/orders`] }) };
    expect(await callWith(runtime, own)).toMatchObject({ status: "success" });
    const form = new URLSearchParams(server.asked()[0]?.body);
    expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const assertion = form.get("assertion") ?? "";
    await jwtVerify(assertion, await importSPKI(publicKey, "RS256"), { audience: TOKEN_URL });
    expect(decodeJwt(assertion)).toMatchObject({
      iss: "desk@example.com",
      sub: "desk@example.com",
    });
    expect(decodeProtectedHeader(assertion)).toMatchObject({ alg: "RS256", kid: "k1" });
  });

  it("sends nothing if the private key is invalid, and does not show the key", async () => {
    const server = await serveTokens();
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token`, PRIVATE_KEY: "no-key-at-all" });
    const own = { auth: [oauth2(by)], request: () => ({ url: [`${server.url}/orders`] }) };
    const error = await failure(callWith(runtime, own));
    expect(error.message).toBe(
      "`desk/get` was not sent: `private_key` is not a PKCS #8 key in PEM for RS256",
    );
    expect(server.received).toEqual([]);
  });
});

describe("token endpoints", () => {
  const asking = async (give: Parameters<typeof serveTokens>[0], timeoutMs = 10_000) => {
    const server = await serveTokens(give);
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    const error = await failure(callWith(runtime, contract(server.url), { timeoutMs }));
    expect(server.received.every(({ path }) => path === "/token")).toBe(true);
    expect(JSON.stringify([error.message, error.failure])).not.toMatch(/s3cret|evil/);
    expect(error.outcome).toBe("not-done");
    return error.failure;
  };

  it.each<[what: string, body: unknown]>([
    ["gives no token", { token_type: "bearer" }],
    ["gives a list", []],
    ["gives one of no text", { access_token: 5, token_type: "bearer" }],
    ["gives one of two lines", { access_token: "evil\r\nX-Evil: 1", token_type: "bearer" }],
    ["gives another kind", { access_token: "evil", token_type: "mac" }],
    ["gives an endless one", { access_token: "evil".repeat(10_000), token_type: "bearer" }],
    ["lies of its time", { access_token: "evil", token_type: "bearer", expires_in: "soon" }],
  ])("rejects the answer of a token endpoint that %s", async (_what, body) => {
    const found = await asking((response) => json(response, 200, body));
    expect(found).toMatchObject({ code: "PROVIDER.PROTOCOL" });
  });

  it.each<[field: string, body: unknown]>([
    ["access_token", { token_type: "bearer" }],
    ["access_token", { access_token: "evil evil" }],
    ["token_type", { access_token: "evil", token_type: "DPoP" }],
    ["token_type", { access_token: "evil", token_type: 1 }],
    ["expires_in", { access_token: "evil", expires_in: -1 }],
    ["expires_in", { access_token: "evil", expires_in: "evil" }],
    ["refresh_token", { access_token: "evil", refresh_token: 7 }],
  ])("an error names the wrong field `%s` of a token answer: %j", async (field, body) => {
    const found = await asking((response) => json(response, 200, body));
    expect(found).toMatchObject({
      reason: expect.stringMatching(new RegExp(`\`${field}\``)) as string,
    });
  });

  it("an error names the number of a token answer that is too large for JavaScript", async () => {
    const found = await asking((response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(`{"access_token":"evil","expires_in":1e999}`),
    );
    expect(found).toMatchObject({ reason: expect.stringContaining("/expires_in") as string });
  });

  it("reports why a token endpoint sent an error with status 200", async () => {
    expect(
      await asking((response) => json(response, 200, { error: "invalid_grant" })),
    ).toMatchObject({ reason: expect.stringContaining("invalid_grant") as string });
  });

  it.each<[what: string, more: object]>([
    ["no type, as Shopify and LinkedIn", { scope: "read", expires_in: 86_399 }],
    ["an empty type", { token_type: null }],
    ["the type of Apigee", { token_type: "BearerToken" }],
    ["a type in capitals", { token_type: "BEARER" }],
    ["scopes in a list, as Twitch", { token_type: "bearer", scope: ["a", "b"] }],
    ["no scopes", { token_type: "bearer", scope: null }],
    ["no end", { token_type: "bearer", expires_in: null, refresh_token: null }],
    ["its end as text", { token_type: "bearer", expires_in: "3600" }],
    ["an ID token of another issuer", { token_type: "bearer", id_token: "e30.e30.e30" }],
  ])("accepts a token answer with %s", async (_what, more) => {
    const server = await serveTokens((response, token) =>
      json(response, 200, { access_token: token, ...more }),
    );
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    expect(await callWith(runtime, contract(server.url))).toMatchObject({ status: "success" });
  });

  it.each(["text/html", "application/json", "text/plain; charset=utf-8"])(
    "accepts a token answer of status 201 with JSON as %s",
    async (type) => {
      const server = await serveTokens((response, token) =>
        response
          .writeHead(201, { "content-type": type })
          .end(JSON.stringify({ access_token: token, token_type: "bearer" })),
      );
      const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
      expect(await callWith(runtime, contract(server.url))).toMatchObject({ status: "success" });
    },
  );

  it("sends the query of its URL to a token endpoint", async () => {
    const api = await serve((response, { path }) =>
      json(response, 200, path.startsWith("/token") ? { access_token: "a" } : { ok: true }),
    );
    const query = "?p=B2C_1_sign-in";
    const credentials = { TOKEN_URL: `${api.url}/token${query}`, ID: api.url };
    for (const tokenUrl of [
      text(credential("TOKEN_URL")),
      text(credential("ID"), `/token${query}`),
      `${api.url}/token${query}`,
    ]) {
      const own = contract(api.url, { tokenUrl });
      expect(await callWith(runtimeWith(credentials), own)).toMatchObject({ status: "success" });
      expect(api.received.at(-2)?.path).toBe(`/token${query}`);
      const open = (name: string) => credentials[name as keyof typeof credentials];
      expect(oauth2(grant({ tokenUrl })).reach?.(open)).toMatchObject([
        { origin: api.url, path: "/token" },
      ]);
    }
  });

  it("sends no request to a token URL with a fragment", async () => {
    const api = await serve();
    const runtime = runtimeWith({ TOKEN_URL: `${api.url}/token?a#b` });
    const error = await failure(callWith(runtime, contract(api.url)));
    expect(error.message).toContain("without user and fragment");
    expect(api.received).toEqual([]);
  });

  it("reports a refusal of a token endpoint by its standard error code alone", async () => {
    expect(
      await asking((response) =>
        json(response, 400, {
          error: "invalid_client",
          error_description: "evil s3cret-of-the-desk",
        }),
      ),
    ).toMatchObject({ reason: expect.stringContaining("invalid_client") as string });
    expect(await asking((response) => json(response, 400, { error: "evil" }))).toMatchObject({
      reason: expect.stringContaining("an unknown error") as string,
    });
  });

  it("does not follow a redirect of a token endpoint", async () => {
    const other = await serve();
    const found = await asking((response) =>
      response.writeHead(307, { location: `${other.url}/token` }).end(),
    );
    expect(found).toMatchObject({ code: "PROVIDER.PROTOCOL" });
    expect(other.received).toEqual([]);
  });

  it("stops reading a token endpoint that sends more than a token", async () => {
    const found = await asking((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (error?: Error | null) => {
        if (!error && !response.destroyed) response.write("x".repeat(65_536), more);
      };
      more();
    });
    expect(found).toMatchObject({ code: "PROVIDER.PROTOCOL" });
  });

  it("a token endpoint that hangs fails only its own call, and the next caller asks again", async () => {
    let isHanging = true;
    const server = await serveTokens((response, token) => {
      if (!isHanging) json(response, 200, { access_token: token, token_type: "bearer" });
    });
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    const error = await failure(
      callWith(runtime, contract(server.url), { timeoutMs: 200, effect: "write" }),
    );
    expect(error).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "not-done" });
    isHanging = false;
    expect(await callWith(runtime, contract(server.url))).toMatchObject({ status: "success" });
  });

  it("retries if a token endpoint is down", async () => {
    expect(await asking((response) => json(response, 503, {}))).toMatchObject({
      code: "PROVIDER.UNAVAILABLE",
    });
    expect(await asking((response) => response.destroy())).toMatchObject({
      code: "PROVIDER.UNAVAILABLE",
    });
  });

  const all = (runtime: Runtime, url: string, options: Parameters<typeof callWith>[2] = {}) =>
    Promise.allSettled(Array.from({ length: 64 }, () => callWith(runtime, contract(url), options)));

  it("64 callers send one request together to a token endpoint that was down", async () => {
    let asked = 0;
    const server = await serveTokens((response, token) => {
      asked += 1;
      if (asked === 1) return json(response, 503, {});
      json(response, 200, { access_token: token, token_type: "bearer" });
    });
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    const ended = await all(runtime, server.url, { maxAttempts: 2 });
    expect(ended.every(({ status }) => status === "fulfilled")).toBe(true);
    expect(asked).toBe(2);
  });

  it("64 callers send one request to a token endpoint that hangs, and none to the API", async () => {
    const server = await serveTokens(() => {});
    const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
    const ended = await all(runtime, server.url, { timeoutMs: 500 });
    expect(ended.every(({ status }) => status === "rejected")).toBe(true);
    expect(server.received.map(({ path }) => path)).toEqual(["/token"]);
  });

  it.each([0, 1, 1e300])(
    "a token with a lifetime of %d seconds still serves the callers that wait for it",
    async (life) => {
      const server = await serveTokens((response, token) =>
        json(response, 200, { access_token: token, token_type: "bearer", expires_in: life }),
      );
      const runtime = runtimeWith({ TOKEN_URL: `${server.url}/token` });
      const ended = await all(runtime, server.url);
      expect(ended.every(({ status }) => status === "fulfilled")).toBe(true);
      expect(server.asked().length).toBeLessThan(3);
    },
  );
});
