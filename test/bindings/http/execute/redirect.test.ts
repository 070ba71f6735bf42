import { describe, expect, it } from "vitest";
import { credential, text } from "../../../../src/bindings/http/execute.js";
import { attempt, call, failure, get, rawAnswer, serve, serveRaw } from "./support.js";

const secret = { Authorization: text("Bearer ", credential("TOKEN")) };
const headers = Object.entries(secret);

/** Redirects /from and answers everything else with its path. */
function redirecting(status: number, location: (url: string) => string) {
  return serve((response, { path, headers: { host } }) => {
    if (path === "/from")
      response.writeHead(status, { location: location(`http://${host}`) }).end("moved");
    else response.end(JSON.stringify(path));
  });
}

describe("redirect within the origin", () => {
  it.each([301, 302, 303, 307, 308])("follows %i by GET, with the credentials", async (status) => {
    const { url, received } = await redirecting(status, (origin) => `${origin}/to?a=1#fragment`);
    const { result } = await call(
      { request: () => ({ url: [`${url}/from`], headers }) },
      attempt({ TOKEN: "t" }),
    );
    expect(result.data).toBe("/to?a=1");
    expect(received.map((each) => each.headers.authorization)).toEqual(["Bearer t", "Bearer t"]);
  });

  it.each([
    ["/to", "/to"],
    ["to", "/to"],
    ["?b=2", "/from?b=2"],
    ["../../to", "/to"],
    ["/t%2Fo", "/t%2Fo"],
  ])("follows the relative location %s", async (location, path) => {
    const server = await serve((response, { path: at }) =>
      at === "/from"
        ? response.writeHead(302, { location }).end()
        : response.end(JSON.stringify(at)),
    );
    expect((await get(`${server.url}/from`)).result.data).toBe(path);
  });

  it.each([307, 308])("repeats a write at %i", async (status) => {
    const { url, received } = await redirecting(status, () => "/to");
    await call({
      method: "PATCH",
      request: () => ({ url: [`${url}/from`], body: { a: 1 } }),
      idempotencyHeader: "Idempotency-Key",
    });
    const [first, second] = received;
    expect(second).toEqual({ ...first, path: "/to" });
    expect(second).toMatchObject({ method: "PATCH", body: '{"a":1}' });
  });

  it("turns a write into a GET at 303, without the headers of its body", async () => {
    const { url, received } = await redirecting(303, () => "/to");
    await call({ method: "POST", request: () => ({ url: [`${url}/from`], body: { a: 1 } }) });
    expect(received[1]).toMatchObject({ method: "GET", path: "/to", body: "" });
    expect(received[1]?.headers["content-type"]).toBeUndefined();
  });

  it.each([301, 302])("does not follow %i for a write", async (status) => {
    const { url, received } = await redirecting(status, () => "/to");
    const { result } = await call({ method: "POST", request: () => ({ url: [`${url}/from`] }) });
    expect(result).toEqual({ status: "error", error: "moved", status_code: status });
    expect(received).toHaveLength(1);
  });

  it("gives the redirect as the answer if the author named its status", async () => {
    const { url } = await redirecting(302, () => "/to");
    expect((await get(`${url}/from`, { statuses: { "302": "moved" } })).result).toMatchObject({
      status: "moved",
      status_code: 302,
    });
  });

  it("follows five redirects and no more", async () => {
    const server = await serve((response, { path }) => {
      const left = Number(path.slice(1));
      if (left === 0) response.end('"there"');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect((await get(`${server.url}/5`)).result.data).toBe("there");
    expect((await failure(get(`${server.url}/6`))).failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: "more than 5 redirects",
    });
    expect(server.received).toHaveLength(12);
  });

  it.each([undefined, "", "http://["])("does not follow a redirect to %j", async (location) => {
    const server = await serve((response, { path }) => {
      if (path === "/") response.writeHead(302, location === undefined ? {} : { location }).end();
      else response.end("{}");
    });
    const got =
      location === ""
        ? failure(get(server.url)).then(({ code }) => code)
        : get(server.url).then(({ result }) => result.status);
    expect(await got).toBe(location === "" ? "PROVIDER.PROTOCOL" : "error");
  });
});

describe("redirect to another origin", () => {
  it.each<[string, (port: number, evil: number) => string]>([
    ["host", (_port, evil) => `http://localhost:${evil}/`],
    ["port", (_port, evil) => `http://127.0.0.1:${evil}/`],
    ["scheme", (port) => `https://127.0.0.1:${port}/`],
    ["protocol-relative", (_port, evil) => `//127.0.0.1:${evil}/`],
    ["backslashes", (_port, evil) => `\\\\127.0.0.1:${evil}/`],
    ["slash and backslash", (_port, evil) => `/\\127.0.0.1:${evil}/`],
    ["tab inside", (_port, evil) => `/\t/127.0.0.1:${evil}/`],
    ["user before the host", (port) => `http://user:pass@127.0.0.1:${port}/`],
    ["user alone", (port) => `http://user@127.0.0.1:${port}/`],
    ["host as user", (port, evil) => `http://127.0.0.1:${port}@127.0.0.1:${evil}/`],
    ["triple slash", (_port, evil) => `http:///127.0.0.1:${evil}/`],
    ["other scheme", () => "file:///etc/passwd"],
    ["script", () => "javascript:alert(1)"],
    ["data", () => "data:application/json,{}"],
  ])("does not follow the location: %s", async (_trick, location) => {
    const evil = await serve();
    const server = await serveRaw((socket, request) => {
      const to = location(server.port, evil.port);
      socket.write(
        request.startsWith("GET /from")
          ? rawAnswer(302, [`location: ${to}`], "moved")
          : rawAnswer(200, [], "{}"),
      );
    });
    const { result } = await call(
      { request: () => ({ url: [`${server.url}/from`], headers }) },
      attempt({ TOKEN: "hunter2" }),
    );
    expect(result).toEqual({ status: "error", error: "moved", status_code: 302 });
    expect(evil.received).toEqual([]);
  });
});
