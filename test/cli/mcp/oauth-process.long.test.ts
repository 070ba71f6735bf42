/** `skillc mcp --http` as a process, for callers with an access token. */
import { expect, test } from "vitest";
import { resource, startIssuer } from "../../runtime/mcp/auth/issuer.js";
import { ledgerOf, servedProjects, startHeldService, startHttp } from "./served-project.js";

const projectOf = servedProjects();

const settings = `mcp:
  auth:
    resource: ${resource}
    issuers: [{ issuer: "\${LOGIN_URL}" }]
    claims: { tenant: org.id }
`;

test("a token makes the caller, and neither calls nor outputs contain it", async () => {
  const issuer = await startIssuer();
  const service = await startHeldService();
  const root = projectOf(settings);
  const env = { LOGIN_URL: issuer.issuer, ORDERS_URL: service.url };
  const served = await startHttp(root, [], env);
  const post = (token: string, name: string, args: Readonly<Record<string, string>>) =>
    fetch(served.url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: args },
      }),
    });
  const token = await issuer.sign({ org: { id: "acme" } });
  const said = await (await post(token, "desk__say", { text: "hello", how: "print" })).text();
  expect(said).toContain('"tenant":"acme"');
  const placing = post(token, "desk__place-order", { note: "tea" });
  const order = await service.next();
  order.answer();
  expect(await (await placing).text()).toContain("success");
  const expired = await issuer.sign({ org: { id: "acme" }, exp: 1 });
  expect((await post(expired, "desk__say", { text: "hello" })).status).toBe(401);
  served.child.kill("SIGTERM");
  expect(await served.exited).toBe(0);
  const texts = JSON.stringify([said, order, ledgerOf(root), served.output]);
  for (const part of [...token.split("."), ...expired.split(".").slice(1)])
    expect(texts).not.toContain(part);
});

test("the server prints why the keys of an issuer can't be read", async () => {
  const issuer = await startIssuer();
  issuer.answerKeys = (_request, response) => void response.writeHead(503).end();
  const served = await startHttp(projectOf(settings), [], { LOGIN_URL: issuer.issuer });
  const token = await issuer.sign({ org: { id: "acme" } });
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(served.url, { method: "POST", headers })).status).toBe(500);
  await served.has("stderr", `the keys of \`${issuer.issuer}\` can't be read`);
  expect(served.output.stderr).toContain("the issuer answered with status 503");
  expect(served.output.stderr).not.toContain(token);
});
