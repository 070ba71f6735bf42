import { createPublicKey } from "node:crypto";
import { oauth } from "@skillc/runtime/mcp/oauth";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test, vi } from "vitest";
import {
  authOf,
  type Issuer,
  now,
  resource,
  send,
  sendHeader,
  serve,
  sign,
  signingKey,
  startIssuer,
} from "./issuer.js";

test("a token of the issuer for the server makes its subject the caller", async () => {
  const issuer = await startIssuer();
  const client = await send(authOf([issuer]), await issuer.sign({ scope: "read write" }));
  expect(client).toEqual({
    caller: { subject: "ada", scopes: ["read", "write"], origin: "llm" },
    door: "http",
  });
});

test.each(["RS256", "PS512", "ES256", "EdDSA"])("accepts signatures with %s", async (alg) => {
  const issuer = await startIssuer();
  const { jwk, privateKey } = await signingKey("other", alg);
  issuer.keys = [issuer.key.jwk, jwk];
  const token = await sign({ iss: issuer.issuer }, { alg, kid: "other" }, privateKey);
  expect(await send(authOf([issuer]), token)).toMatchObject({ caller: { subject: "ada" } });
});

test("a token for several audiences is accepted if the server is one of them", async () => {
  const issuer = await startIssuer();
  const auth = authOf([issuer]);
  const both = await issuer.sign({ aud: ["https://other.example", resource] });
  expect(await send(auth, both)).toHaveProperty("caller");
  const others = await issuer.sign({ aud: ["https://other.example", `${resource}/more`] });
  expect(await send(auth, others)).toHaveProperty("status", 401);
});

test("a resource without a path is the same with and without its slash", async () => {
  const issuer = await startIssuer();
  const auth = authOf([issuer], { resource: "https://mcp.example.com" });
  for (const aud of ["https://mcp.example.com", "https://mcp.example.com/"])
    expect(await send(auth, await issuer.sign({ aud }))).toHaveProperty("caller");
});

/** A refusal that leads to the metadata, and of which no text contains a part of the token. */
const rejected = { status: 401, isChallenge: true, shown: [] };

/** Sends a token, and looks for its parts in everything that is answered, printed or reported. */
async function refusal(issuer: Issuer, token: string) {
  const printed = ["log", "warn", "error", "info", "debug"] as const;
  const spies = printed.map((name) => vi.spyOn(console, name));
  const errors: unknown[] = [];
  const answer = await send(authOf([issuer], { onError: (error) => errors.push(error) }), token);
  const texts = JSON.stringify([answer, errors.map(String), spies.map(({ mock }) => mock.calls)]);
  for (const spy of spies) spy.mockRestore();
  if (!("status" in answer)) return answer;
  const { challenge, status } = answer;
  const form = /^Bearer error="invalid_token".*resource_metadata="https:\/\//;
  const parts = token.split(".").filter((each) => each !== "");
  return {
    status,
    isChallenge: form.test(challenge),
    shown: parts.filter((each) => texts.includes(each)),
  };
}

describe("the check of tokens", () => {
  test.each<[string, JWTPayload]>([
    ["another audience", { aud: "https://other.example/mcp" }],
    ["the audience of an ID token", { aud: "desk-client", nonce: "n", auth_time: 1 }],
    ["no audience", { aud: [] }],
    ["an audience that begins like the server", { aud: `${resource}.evil.example` }],
    ["another issuer", { iss: "https://evil.example" }],
    ["an issuer with a slash more", { iss: "http://127.0.0.1/" }],
    ["a past expiry", { exp: now() - 10 }],
    ["a beginning in the future", { nbf: now() + 600 }],
    [
      "a proof key that nobody checks",
      { cnf: { jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" } },
    ],
    [
      "a certificate that nobody checks",
      { cnf: { "x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2" } },
    ],
  ])("rejects a token because of %s", async (_why, claims) => {
    const issuer = await startIssuer();
    expect(await refusal(issuer, await issuer.sign(claims))).toEqual(rejected);
  });

  test.each(["exp", "sub", "iss", "aud"])("rejects a token without the claim %s", async (claim) => {
    const issuer = await startIssuer();
    const claims: JWTPayload = {
      iss: issuer.issuer,
      aud: resource,
      sub: "ada",
      exp: now() + 600,
      [claim]: undefined,
    };
    expect(await refusal(issuer, await sign(claims, {}, issuer.key.privateKey))).toEqual(rejected);
  });

  test("rejects a token that is not signed", async () => {
    const issuer = await startIssuer();
    const claims = { iss: issuer.issuer, aud: resource, sub: "ada", exp: now() + 600 };
    expect(await refusal(issuer, new UnsecuredJWT(claims).encode())).toEqual(rejected);
    const [, body = ""] = (await issuer.sign()).split(".");
    for (const alg of ["none", "None", "NONE"]) {
      const head = Buffer.from(JSON.stringify({ alg, kid: "k1" })).toString("base64url");
      expect(await refusal(issuer, `${head}.${body}.`)).toEqual(rejected);
    }
  });

  test("rejects a token whose secret is the public key", async () => {
    const issuer = await startIssuer();
    const { alg: _alg, kid: _kid, use: _use, ...jwk } = issuer.key.jwk;
    const pem = createPublicKey({ key: jwk as never, format: "jwk" }).export({
      type: "spki",
      format: "pem",
    });
    for (const secret of [String(pem), JSON.stringify({ keys: issuer.keys }), jwk.n ?? ""]) {
      const key = new TextEncoder().encode(secret);
      expect(
        await refusal(issuer, await sign({ iss: issuer.issuer }, { alg: "HS256" }, key)),
      ).toEqual(rejected);
    }
  });

  test("rejects a token that another key signed, and one that was changed", async () => {
    const issuer = await startIssuer();
    const { privateKey } = await signingKey("k1");
    expect(await refusal(issuer, await sign({ iss: issuer.issuer }, {}, privateKey))).toEqual(
      rejected,
    );
    const [head = "", , signature = ""] = (await issuer.sign()).split(".");
    const claims = { iss: issuer.issuer, aud: resource, sub: "eve", exp: now() + 600 };
    const body = Buffer.from(JSON.stringify(claims)).toString("base64url");
    expect(await refusal(issuer, `${head}.${body}.${signature}`)).toEqual(rejected);
  });

  test("rejects a token that brings its own key, without reading the key", async () => {
    const issuer = await startIssuer();
    const evil = await signingKey("k1");
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url ?? "");
      response.end(JSON.stringify({ keys: [evil.jwk] }));
    });
    const headers = [{ jwk: evil.jwk }, { jku: `${url}/jwks` }, { x5u: `${url}/cert` }];
    for (const header of headers) {
      const token = await new SignJWT({ sub: "ada" })
        .setIssuer(issuer.issuer)
        .setAudience(resource)
        .setExpirationTime("10m")
        .setProtectedHeader({ alg: "RS256", kid: "k1", ...header })
        .sign(evil.privateKey);
      expect(await refusal(issuer, token)).toEqual(rejected);
    }
    expect(asked).toEqual([]);
  });

  test.each(["dpop+jwt", "logout+jwt", "secevent+jwt", "id_token+jwt"])(
    "rejects a token of the type %s",
    async (typ) => {
      const issuer = await startIssuer();
      expect(await refusal(issuer, await issuer.sign({}, { typ }))).toEqual(rejected);
    },
  );

  test("rejects text that is no token", async () => {
    const auth = authOf([await startIssuer()]);
    const texts = ["a", "a.b", "a.b.c", "....", "e30.e30.e30", `${"a".repeat(100_000)}.b.c`];
    for (const text of texts) expect(await send(auth, text)).toHaveProperty("status", 401);
  });
});

test.each(["JWT", "at+jwt", "application/at+jwt", "AT+JWT"])("accepts the type %s", async (typ) => {
  const issuer = await startIssuer();
  expect(await send(authOf([issuer]), await issuer.sign({}, { typ }))).toHaveProperty("caller");
});

test("a key that the issuer shows later is read for the first token that names it", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const issuer = await startIssuer();
    const auth = authOf([issuer]);
    expect(await send(auth, await issuer.sign())).toHaveProperty("caller");
    const next = await signingKey("k2");
    issuer.keys = [next.jwk];
    const signed = () => sign({ iss: issuer.issuer }, { kid: "k2" }, next.privateKey);
    // An unknown key makes the server ask at most twice a minute.
    expect(await send(auth, await signed())).toHaveProperty("status", 401);
    expect(issuer.asked).toHaveLength(1);
    vi.setSystemTime(Date.now() + 31_000);
    expect(await send(auth, await signed())).toHaveProperty("caller");
    expect(await send(auth, await issuer.sign())).toHaveProperty("status", 401);
  } finally {
    vi.useRealTimers();
  }
});

describe("the header Authorization", () => {
  test.each(["bearer", "BEARER", "bEaReR"])("the header may say %s", async (word) => {
    const issuer = await startIssuer();
    const answer = await sendHeader(authOf([issuer]), `${word} ${await issuer.sign()}`);
    expect(answer).toHaveProperty("caller");
  });

  test.each(["", "Bearer", "Bearer ", "Basic YWRhOnB3", "DPoP $", "$", "Bearer $, Bearer $"])(
    "rejects the header `%s`",
    async (form) => {
      const issuer = await startIssuer();
      const token = await issuer.sign();
      const answer = await sendHeader(authOf([issuer]), form.replaceAll("$", token));
      expect(answer).toHaveProperty("status", 401);
    },
  );

  test("a token in the query string is ignored", async () => {
    const issuer = await startIssuer();
    const url = `${resource}?access_token=${await issuer.sign()}`;
    const answer = await authOf([issuer]).authenticate(new Request(url, { method: "POST" }));
    expect(answer).toHaveProperty("status", 401);
  });
});

test("a token that lacks a required scope gets 403, with the scopes and the metadata", async () => {
  const issuer = await startIssuer();
  const auth = authOf([issuer], { requiredScopes: ["orders", "mcp"] });
  const answer = await send(auth, await issuer.sign({ scope: "orders" }));
  expect(answer).toMatchObject({
    status: 403,
    challenge:
      'Bearer error="insufficient_scope", error_description="Insufficient scope", scope="orders mcp", ' +
      'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
  });
  expect(await send(auth, await issuer.sign({ scope: "mcp orders" }))).toHaveProperty("caller");
});

describe("the options of `oauth`", () => {
  test.each([
    ["no issuer", { issuers: [] }],
    ["an issuer of HTTP on another machine", { issuers: [{ issuer: "http://login.example" }] }],
    [
      "a second issuer of HTTP on another machine",
      {
        issuers: [{ issuer: "https://login.example" }, { issuer: "http://login.example" }],
      },
    ],
    [
      "keys of HTTP on another machine",
      {
        issuers: [{ issuer: "https://login.example", jwks: "http://login.example/jwks" }],
      },
    ],
    [
      "keys in the URL itself",
      { issuers: [{ issuer: "https://login.example", jwks: "data:,{}" }] },
    ],
    [
      "an issuer twice",
      { issuers: [{ issuer: "https://a.example" }, { issuer: "https://a.example" }] },
    ],
    ["a resource that is no URL", { resource: "mcp" }],
    ["a resource with a fragment", { resource: `${resource}#part` }],
    ["a resource of another protocol", { resource: "file:///etc/passwd" }],
  ])("the options of `oauth` can't have %s", (_what, options) => {
    const usual = { resource, issuers: [{ issuer: "https://login.example" }] };
    expect(() => oauth({ ...usual, ...options })).toThrow(TypeError);
  });
});
