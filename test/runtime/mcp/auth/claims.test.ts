import type { JWTPayload } from "jose";
import { describe, expect, test } from "vitest";
import { authOf, send, startIssuer } from "./issuer.js";

describe("the subject of a token", () => {
  test.each<[string, unknown]>([
    ["a control character", "ada\u0000"],
    ["a line break", "ada\nbob"],
    ["a terminal escape", "\u001b[2Jada"],
    ["an invisible character", "ada\u200b"],
    ["text that turns around", "\u202eada"],
    ["300 characters", "a".repeat(300)],
    ["a letter that is not in Unicode form NFC", "e\u0301mile"],
    ["a space around it", " ada"],
    ["half of a pair of surrogates", "\ud800"],
    ["no character", ""],
    ["a number", 7],
    ["a list", ["ada"]],
    ["an object", { name: "ada" }],
    ["null", null],
    ["a name of JavaScript", "__proto__"],
  ])("rejects a subject with %s", async (_what, sub) => {
    const issuer = await startIssuer();
    // A hostile issuer signs claims of other types too.
    const claims = { sub } as JWTPayload;
    expect(await send(authOf([issuer]), await issuer.sign(claims))).toMatchObject({
      status: 401,
      challenge: expect.stringContaining('error="invalid_token"'),
    });
  });

  test("the same subject of two issuers makes two callers", async () => {
    const one = await startIssuer("one");
    const two = await startIssuer("two");
    const auth = authOf([one, two]);
    for (const issuer of [one, two])
      expect(await send(auth, await issuer.sign())).toMatchObject({
        caller: { subject: `${issuer.issuer}|ada` },
      });
  });

  test("an issuer can't sign for another one", async () => {
    const one = await startIssuer("one");
    const two = await startIssuer("two");
    const forged = await two.sign({ iss: one.issuer });
    expect(await send(authOf([one, two]), forged)).toHaveProperty("status", 401);
  });

  test("another claim can be the subject", async () => {
    const issuer = await startIssuer();
    const auth = authOf([issuer], { claims: { subject: "email" } });
    const token = await issuer.sign({ email: "ada@shop.example" });
    expect(await send(auth, token)).toMatchObject({ caller: { subject: "ada@shop.example" } });
    expect(await send(auth, await issuer.sign())).toHaveProperty("status", 401);
  });
});

describe("the tenant of a token", () => {
  test("no claim is the tenant unless the project names one", async () => {
    const issuer = await startIssuer();
    const client = await send(authOf([issuer]), await issuer.sign({ tenant: "acme" }));
    expect(client).toMatchObject({ caller: { subject: "ada" } });
    expect(client).not.toHaveProperty("caller.tenant");
  });

  test.each<[string, string, JWTPayload]>([
    ["a name", "tenant", { tenant: "acme" }],
    ["a path", "org.id", { org: { id: "acme" } }],
    [
      "a name that has dots",
      "https://shop.example/tenant",
      { "https://shop.example/tenant": "acme" },
    ],
  ])("a claim with %s can be the tenant", async (_what, tenant, claims) => {
    const issuer = await startIssuer();
    const auth = authOf([issuer], { claims: { tenant } });
    expect(await send(auth, await issuer.sign(claims))).toMatchObject({
      caller: { tenant: "acme", subject: "ada" },
    });
  });

  test.each<[string, JWTPayload]>([
    ["no tenant", {}],
    ["a tenant that is null", { org: { id: null } }],
    ["an empty tenant", { org: { id: "" } }],
    ["two tenants", { org: { id: ["acme", "other"] } }],
    ["text where the path goes on", { org: "acme" }],
    ["a tenant with a line break", { org: { id: "acme\n" } }],
  ])("rejects a token with %s", async (_what, claims) => {
    const issuer = await startIssuer();
    const auth = authOf([issuer], { claims: { tenant: "org.id" } });
    expect(await send(auth, await issuer.sign(claims))).toHaveProperty("status", 401);
  });

  test("a path reads no property that the token does not have", async () => {
    const issuer = await startIssuer();
    for (const tenant of ["constructor.name", "__proto__.x", "toString.name", "sub.length"]) {
      const auth = authOf([issuer], { claims: { tenant } });
      expect(await send(auth, await issuer.sign())).toHaveProperty("status", 401);
    }
  });
});

describe("the roles and scopes of a token", () => {
  test("roles and scopes are read from lists, and from text with spaces", async () => {
    const issuer = await startIssuer();
    const auth = authOf([issuer], {
      claims: { roles: "realm_access.roles", scopes: "permissions" },
    });
    const token = await issuer.sign({
      realm_access: { roles: ["buyer", "agent"] },
      permissions: "orders:read orders:write",
      scope: "openid",
    });
    expect(await send(auth, token)).toMatchObject({
      caller: { roles: ["buyer", "agent"], scopes: ["orders:read", "orders:write"] },
    });
  });

  test.each<[string, JWTPayload]>([
    ["a number as role", { roles: [1] }],
    ["an object as roles", { roles: { admin: true } }],
    ["a role with a control character", { roles: ["admin\u0007"] }],
    ["1,001 roles", { roles: Array.from({ length: 1001 }, (_, at) => `r${at}`) }],
    ["a number as scope", { scope: 7 }],
  ])("rejects a token with %s", async (_what, claims) => {
    const issuer = await startIssuer();
    expect(await send(authOf([issuer]), await issuer.sign(claims))).toHaveProperty("status", 401);
  });
});

describe("the client of a token", () => {
  test.each(["client_id", "azp"])(
    "calls of a listed client by %s have the origin api",
    async (name) => {
      const issuer = await startIssuer();
      const auth = authOf([issuer], { apiClients: ["billing"] });
      expect(await send(auth, await issuer.sign({ [name]: "billing" }))).toMatchObject({
        caller: { origin: "api" },
        clientId: "billing",
      });
      expect(await send(auth, await issuer.sign({ [name]: "chat" }))).toMatchObject({
        caller: { origin: "llm" },
        clientId: "chat",
      });
    },
  );

  test("a token can't choose its origin", async () => {
    const issuer = await startIssuer();
    const token = await issuer.sign({ origin: "api", client_id: ["billing"] });
    const client = await send(authOf([issuer], { apiClients: ["billing", ""] }), token);
    expect(client).toMatchObject({ caller: { origin: "llm" } });
  });
});
