/** Tokens of an authorization server that nobody here wrote: how often it is asked, whatever becomes of its tokens. */
import { generateKeyPairSync } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { credential, text } from "../../../../../src/bindings/http/execute.js";
import { type OAuth2, oauth2 } from "../../../../../src/bindings/http/send/auth/oauth2.js";
import { createRuntime } from "../../../../../src/runtime/index.js";
import { type Answer, failure } from "../support.js";
import { type AuthorizationServer, client, serveAuthorization } from "./authorization-server.js";
import { callWith } from "./token-server.js";

afterEach(() => void vi.useRealTimers());

const newKeys = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });

const { privateKey, publicKey } = newKeys();
const strangers = newKeys();

const byClient = {
  clientId: text(credential("CLIENT_ID")),
  clientSecret: text(credential("CLIENT_SECRET")),
  scopes: ["orders.read"],
} as const;

const grants = {
  client_credentials: { grant: "client_credentials", ...byClient },
  refresh_token: {
    grant: "refresh_token",
    refreshToken: text(credential("REFRESH_TOKEN")),
    ...byClient,
  },
  jwt_bearer: {
    grant: "jwt_bearer",
    privateKey: text(credential("PRIVATE_KEY")),
    issuer: "desk@example.com",
    ...byClient,
  },
} as const;

type Call = () => ReturnType<typeof callWith>;

/** A caller of the API, by tokens of that server. */
async function callerOf(
  server: AuthorizationServer,
  by: Omit<OAuth2, "tokenUrl">,
  secret: string = client.secret,
): Promise<Call> {
  const runtime = createRuntime({
    inherit: false,
    ledger: false,
    credentials: {
      TOKEN_URL: server.tokenUrl,
      CLIENT_ID: client.id,
      CLIENT_SECRET: secret,
      PRIVATE_KEY: privateKey,
      REFRESH_TOKEN: by.grant === "refresh_token" ? await server.refreshToken() : "none-of-them",
    },
  });
  const contract = {
    auth: [oauth2({ ...by, tokenUrl: text(credential("TOKEN_URL")) })],
    request: () => ({ url: [server.apiUrl, "/orders"] }),
  };
  return () => callWith(runtime, contract);
}

const all = (call: Call) => Promise.all(Array.from({ length: 64 }, call));

/** Number of answers that are successes. */
const served = (answers: readonly Answer[]) =>
  answers.filter(({ status }) => status === "success").length;

describe.each(Object.entries(grants))("grant %s", (_grant, by) => {
  test("64 callers fetch one token, which has the scopes that they need", async () => {
    const server = await serveAuthorization({ assertedBy: publicKey });
    const call = await callerOf(server, by);
    const answers = await all(call);
    expect(served(answers)).toBe(64);
    expect(answers[0]?.data).toEqual({ scope: "orders.read" });
    expect(server.asked).toEqual({ granted: 1, refused: 0 });
  });

  test("64 callers fetch one new token each time that a token expires, before the API rejects the old one", async () => {
    const server = await serveAuthorization({ assertedBy: publicKey, life: 60 });
    const call = await callerOf(server, by);
    vi.useFakeTimers({ toFake: ["Date"] });
    for (const round of [1, 2, 3]) {
      expect(served(await all(call))).toBe(64);
      expect(server.asked).toEqual({ granted: round, refused: 0 });
      vi.setSystemTime(Date.now() + 60_000);
    }
    expect(server.served).toEqual(new Map([[200, 192]]));
  });

  test("64 callers fetch one new token if all their tokens are revoked, and no call is lost", async () => {
    const server = await serveAuthorization({ assertedBy: publicKey });
    const call = await callerOf(server, by);
    await call();
    await server.revokeAll();
    expect(served(await all(call))).toBe(64);
    expect(server.asked).toEqual({ granted: 2, refused: 0 });
  });

  test("64 callers fetch one new token if their token is revoked after half of the calls", async () => {
    const server = await serveAuthorization({ assertedBy: publicKey });
    const call = await callerOf(server, by);
    server.onApi = async (count) => {
      if (count === 32) await server.revokeAll();
    };
    expect(served(await all(call))).toBe(64);
    expect(server.asked).toEqual({ granted: 2, refused: 0 });
  });
});

test("the server accepts a client secret with any characters in the body, too", async () => {
  const server = await serveAuthorization({ clientAuth: "client_secret_post" });
  const call = await callerOf(server, { ...grants.client_credentials, clientAuth: "post" });
  expect(await call()).toMatchObject({ status: "success" });
});

test.each<[what: string, by: Omit<OAuth2, "tokenUrl">, secret: string, code: string]>([
  ["another secret", grants.client_credentials, "another secret", "invalid_client"],
  [
    "scopes that the client may not have",
    { ...byClient, grant: "client_credentials", scopes: ["orders.write"] },
    client.secret,
    "invalid_scope",
  ],
  ["no assertion of its own key", grants.jwt_bearer, client.secret, "invalid_grant"],
  [
    "a refresh token that it never gave",
    { ...grants.refresh_token, refreshToken: "stolen" },
    client.secret,
    "invalid_grant",
  ],
])("reports the error code of a server that rejects %s", async (_what, by, secret, code) => {
  const server = await serveAuthorization({ assertedBy: strangers.publicKey });
  const error = await failure((await callerOf(server, by, secret))());
  expect(error).toMatchObject({ code: "PROVIDER.PROTOCOL", outcome: "not-done" });
  expect(error.message).toContain(`\${TOKEN_URL} refused to issue a token: ${code}`);
  expect(server.asked.granted).toBe(0);
  expect(server.served.size).toBe(0);
});
