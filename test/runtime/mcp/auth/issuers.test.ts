import type { RequestListener } from "node:http";
import { oauth } from "@skillc/runtime/mcp/oauth";
import { afterEach, describe, expect, test, vi } from "vitest";
import { authOf, json, resource, send, serve, startIssuer } from "./issuer.js";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Keys of another issuer at the end of a redirect. */
async function redirect(): Promise<RequestListener> {
  const { key } = await startIssuer();
  const target = await serve(json({ keys: [key.jwk] }));
  return (_request, response) => void response.writeHead(302, { location: target }).end();
}

const endless: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const chunk = `"${"a".repeat(65_536)}",`;
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  response.write('{"keys":[');
  more();
};

const faults: readonly [string, () => RequestListener | Promise<RequestListener>][] = [
  ["an error", () => (_request, response) => void response.writeHead(500).end("down")],
  ["a page of HTML", () => (_request, response) => void response.end("<html></html>")],
  ["JSON without keys", () => json({ hello: "world" })],
  ["a list", () => json([])],
  ["10 MB", () => json({ keys: [], more: "a".repeat(10_000_000) })],
  ["text without an end", () => endless],
  ["a redirect", redirect],
  [
    "half an answer",
    () => (_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("{", () => response.destroy());
    },
  ],
];

describe("an issuer whose keys can't be read", () => {
  test.each(faults)("answers 500 while the keys are %s, and recovers", async (_what, fault) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const issuer = await startIssuer();
    issuer.answerKeys = await fault();
    const errors: unknown[] = [];
    const auth = authOf([issuer], { onError: (error) => errors.push(error) });
    const token = await issuer.sign();
    const answer = await send(auth, token);
    expect(answer).toEqual({
      status: 500,
      challenge: "",
      body: '{"error":"server_error","error_description":"the issuer\'s keys can\'t be read"}',
    });
    expect(errors).toHaveLength(1);
    expect(String(errors)).not.toContain(token);
    issuer.answerKeys = undefined;
    vi.setSystemTime(Date.now() + 2000);
    expect(await send(auth, token)).toHaveProperty("caller");
  });

  test.each(faults)("answers 500 while the metadata is %s", async (_what, fault) => {
    const issuer = await startIssuer();
    issuer.answerMetadata = await fault();
    const auth = oauth({ resource, issuers: [{ issuer: issuer.issuer }] });
    expect(await send(auth, await issuer.sign())).toHaveProperty("status", 500);
    expect(issuer.asked).not.toContain("/jwks");
  });

  test("the metadata must name the issuer itself", async () => {
    const issuer = await startIssuer();
    const other = await startIssuer("other");
    issuer.answerMetadata = json({ issuer: other.issuer, jwks_uri: other.jwks });
    const auth = oauth({ resource, issuers: [{ issuer: issuer.issuer }] });
    expect(await send(auth, await issuer.sign())).toHaveProperty("status", 500);
    expect(await send(auth, await other.sign({ iss: issuer.issuer }))).toHaveProperty(
      "status",
      500,
    );
    expect(other.asked).toEqual([]);
  });

  test.each(["http://10.0.0.1/jwks", "file:///etc/passwd", "data:application/json,{}", "", 7])(
    "the metadata can't name keys at `%s`",
    async (keys) => {
      const issuer = await startIssuer();
      issuer.answerMetadata = json({ issuer: issuer.issuer, jwks_uri: keys });
      const auth = oauth({ resource, issuers: [{ issuer: issuer.issuer }] });
      expect(await send(auth, await issuer.sign())).toHaveProperty("status", 500);
    },
  );

  test("many tokens ask a broken issuer once a second", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const issuer = await startIssuer();
    issuer.answerKeys = (_request, response) => void response.writeHead(503).end();
    const auth = authOf([issuer]);
    const token = await issuer.sign();
    for (let count = 0; count < 20; count += 1)
      expect(await send(auth, token)).toHaveProperty("status", 500);
    expect(issuer.asked).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1001);
    await send(auth, token);
    expect(issuer.asked).toHaveLength(2);
  });
});

describe("an issuer that hangs", () => {
  test.each(["before the answer", "in the middle of the answer"])(
    "delays its own tokens alone if it hangs %s, and only until the limit",
    async (moment) => {
      const limits: AbortController[] = [];
      vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
        expect(ms).toBeLessThanOrEqual(5000);
        const controller = new AbortController();
        limits.push(controller);
        return controller.signal;
      });
      const hanging = await startIssuer("hanging");
      const other = await startIssuer("other");
      const asked = new Promise<void>((resolve) => {
        hanging.answerKeys = (_request, response) => {
          if (moment !== "before the answer") response.write('{"keys":[');
          resolve();
        };
      });
      const auth = authOf([hanging, other]);
      let isAnswered = false;
      const answer = send(auth, await hanging.sign()).finally(() => (isAnswered = true));
      await asked;
      expect(await send(auth, await other.sign())).toHaveProperty("caller");
      expect(isAnswered).toBe(false);
      limits[0]?.abort(new DOMException("the limit", "TimeoutError"));
      expect(await answer).toMatchObject({ status: 500 });
    },
  );

  test("metadata that hangs is given up at the limit", async () => {
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() =>
      AbortSignal.abort(new DOMException("the limit", "TimeoutError")),
    );
    const issuer = await startIssuer();
    issuer.answerMetadata = () => undefined;
    const auth = oauth({ resource, issuers: [{ issuer: issuer.issuer }] });
    expect(await send(auth, await issuer.sign())).toHaveProperty("status", 500);
  });
});

test("the issuer's metadata is read once, in either form", async () => {
  const issuer = await startIssuer();
  const auth = oauth({ resource, issuers: [{ issuer: issuer.issuer }] });
  const oidc = issuer.answerMetadata;
  issuer.answerMetadata = (request, response) => {
    if (request.url === "/.well-known/oauth-authorization-server") oidc(request, response);
    else response.writeHead(404).end();
  };
  const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.sign()));
  const answers = await Promise.all(tokens.map((token) => send(auth, token)));
  for (const answer of answers) expect(answer).toHaveProperty("caller");
  expect(issuer.asked).toEqual([
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
    "/jwks",
  ]);
});
