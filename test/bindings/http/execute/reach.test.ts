import { expect, test } from "vitest";
import { credential, segment, text } from "../../../../src/bindings/http/execute.js";
import { type Connecting, ToolError } from "../../../../src/runtime/executor.js";
import { attempt, call, failure, get, prepare, serve } from "./support.js";

const orders = () =>
  prepare({
    method: "POST",
    request: () => ({
      url: [credential("ORDERS_URL"), "/orders/", segment("/id", "a/b")],
      query: [["key", text(credential("KEY"))]],
    }),
  });

test("a request reports its target by the names of settings, without its query", () => {
  expect(orders().reach()).toEqual([
    {
      kind: "http",
      capabilities: ["net.http:post ${ORDERS_URL}/orders/a%2Fb"],
      method: "POST",
      origin: "${ORDERS_URL}",
      path: "/orders/a%2Fb",
    },
  ]);
});

test("a request reports its target by value, with the path of the setting", () => {
  const reach = orders().reach(() => "https://api.example.com/v2/");
  expect(reach).toMatchObject([
    { kind: "http", method: "POST", origin: "https://api.example.com", path: "/v2/orders/a%2Fb" },
  ]);
});

test("a request to a setting without a URL reports no origin", () => {
  expect(orders().reach(() => "not-a-url")[0]).toMatchObject({ origin: "" });
});

test("a request without a path goes to the root", () => {
  const request = prepare({ request: () => ({ url: [credential("ORDERS_URL")] }) });
  expect(request.reach(() => "https://api.example.com")[0]).toMatchObject({ path: "/" });
});

const refusal = () =>
  new ToolError(
    "test-skill/test-tool",
    { code: "PROVIDER.PROTOCOL", reason: "refused" },
    "refused",
  );

test("a hook sees each redirect before the request follows it, and ends the call by throwing", async () => {
  const server = await serve((response, { path }) =>
    path === "/third"
      ? response.end('"here"')
      : response.writeHead(302, { location: path === "/first" ? "/second?a=1" : "/third" }).end(),
  );
  const seen: string[] = [];
  const hooks = { redirecting: ({ path }: { path: string }) => void seen.push(path) };
  const { result } = await get(`${server.url}/first`, {}, { ...attempt(), hooks });
  expect(result.data).toBe("here");
  expect(seen).toEqual(["/second", "/third"]);
  const refusing = {
    redirecting: () => {
      throw refusal();
    },
  };
  const error = await failure(get(`${server.url}/first`, {}, { ...attempt(), hooks: refusing }));
  expect(error.message).toBe("refused");
  expect(server.received.map(({ path }) => path)).toEqual([
    "/first",
    "/second?a=1",
    "/third",
    "/first",
  ]);
});

test("a hook sees the address behind a host name, and the address in a URL", async () => {
  const server = await serve();
  const seen: Connecting[] = [];
  const hooks = { connecting: (peer: Connecting) => void seen.push(peer) };
  await get(server.url, {}, { ...attempt(), hooks });
  await get(`http://localhost:${server.port}`, {}, { ...attempt(), hooks });
  expect(seen).toContainEqual({ host: "127.0.0.1", address: "127.0.0.1" });
  expect(seen).toContainEqual({ host: "localhost", address: "127.0.0.1" });
});

test.each(["127.0.0.1", "localhost"])(
  "a hook that rejects the connection to %s keeps the request from leaving",
  async (host) => {
    const server = await serve();
    // The connection that another call left open is not this call's.
    await get(`http://${host}:${server.port}/before`);
    const hooks = {
      connecting: () => {
        throw refusal();
      },
    };
    const contract = {
      method: "DELETE",
      request: () => ({ url: [`http://${host}:${server.port}/`] }),
    } as const;
    const error = await failure(call(contract, { ...attempt(), hooks }));
    expect([error.message, error.outcome]).toEqual(["refused", "not-done"]);
    expect(server.received.map(({ path }) => path)).toEqual(["/before"]);
  },
);
