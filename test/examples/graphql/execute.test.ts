import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GraphqlContract } from "../../../examples/graphql/binding/contract.js";
import { graphql } from "../../../examples/graphql/binding/execute.js";
import { credential, pick, text } from "../../../examples/graphql/binding/text.js";
import { type Attempt, RefusedValue, ToolError } from "../../../src/runtime/executor.js";

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A server that keeps what it receives; closed when the test ends. */
async function serve(respond: (response: ServerResponse) => void) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
    received.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(body) });
    respond(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}

function attempt(credentials: Readonly<Record<string, string>>): Attempt {
  return {
    tool: "stock-desk/get-product",
    number: 1,
    directory: ".",
    hooks: {},
    signal: AbortSignal.timeout(10_000),
    onAbort() {},
    open: (name) => credentials[name] ?? "",
  };
}

type Contract = Partial<GraphqlContract<undefined>>;

function prepare(contract: Contract) {
  const whole = { endpoint: text(credential("URL")), query: "{ a }", request: () => ({}) };
  return graphql<undefined>({ ...whole, ...contract }).prepare(undefined, {
    id: "a-call",
    toolId: "skill/tool",
  });
}

/** The result of a call if the server gives this answer. */
async function answerTo(status: number, body: string, contract: Contract = {}) {
  const { url } = await serve((response) => response.writeHead(status).end(body));
  return prepare(contract).send(attempt({ URL: url }));
}

async function failure(promise: Promise<unknown>): Promise<ToolError> {
  const thrown: unknown = await promise.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof ToolError) return thrown;
  throw thrown;
}

const request: GraphqlContract<undefined>["request"] = () => ({
  headers: [
    ["authorization", text("Bearer ", credential("TOKEN"))],
    ["x-absent", undefined],
    ["x-null", null],
    ["x-number", 5],
  ],
  variables: {
    a: null,
    b: undefined,
    c: { d: [1, "é"] },
    e: text("k-", credential("TOKEN")),
    ["__proto__"]: "own",
  },
});

function json(text: string): unknown {
  return JSON.parse(text);
}

describe("request", () => {
  it("sends its credentials, and hides them in the record", async () => {
    const { url, received } = await serve((response) => response.end('{"data":{"a":1}}'));
    const endpoint = text(credential("URL"), "/v1/graphql");
    const call = prepare({ endpoint, request });
    expect(call.credentials).toEqual(["URL", "TOKEN"]);
    const { result } = await call.send(attempt({ URL: `${url}/`, TOKEN: "s3cret" }));
    expect(result).toEqual({ status: "success", data: { a: 1 } });
    expect(received[0]?.path).toBe("/v1/graphql");
    expect(received[0]?.headers).toMatchObject({
      authorization: "Bearer s3cret",
      "x-number": "5",
      "content-type": "application/json",
    });
    expect(received[0]?.headers).not.toHaveProperty("x-absent");
    expect(received[0]?.headers).not.toHaveProperty("x-null");
    const variables = '{"a":null,"c":{"d":[1,"é"]},"e":"k-TOKEN","__proto__":"own"}';
    const sent = `{"query":"{ a }","variables":${variables.replace("TOKEN", "s3cret")}}`;
    expect(received[0]?.body).toEqual(json(sent));
    expect(call.describe()).toEqual({
      endpoint: "${URL}/v1/graphql",
      query: "{ a }",
      variables: json(variables.replace("TOKEN", "${TOKEN}")),
      headers: {
        authorization: "Bearer ${TOKEN}",
        "x-number": "5",
        "content-type": "application/json",
        accept: "application/graphql-response+json, application/json",
        "accept-encoding": "gzip, deflate, br",
      },
    });
  });

  it("sends an object that looks like a credential unchanged", () => {
    const parameter = JSON.parse('{"name":"TOKEN","parts":[{"name":"TOKEN"}]}') as unknown;
    const call = prepare({ request: () => ({ variables: { a: parameter } }) });
    expect(call.credentials).toEqual(["URL"]);
    expect(call.describe()).toMatchObject({ variables: { a: parameter } });
    expect(() => text(parameter)).toThrow(RefusedValue);
  });

  it.each(["a\r\nb: c", "a\0", "\u2028", "𝕏"])("rejects the header %j", (value) => {
    const headers = [["x-note", text("n ", value)]] as const;
    expect(() => prepare({ request: () => ({ headers }) })).toThrow(RefusedValue);
  });

  it.each([
    "stock.example.com",
    "file:///etc/passwd",
    "http://a@b",
    "http://a?b",
    "http:a",
    " http://a",
  ])("sends nothing if the setting is %j", async (URL) => {
    const { failure: why, message } = await failure(prepare({}).send(attempt({ URL })));
    expect(why.code).toBe("PROVIDER.PROTOCOL");
    expect(message).not.toContain(URL);
  });

  it("names the header that a credential is invalid in, and hides the credential", async () => {
    const { url, received } = await serve((response) => response.end());
    const error = await failure(
      prepare({ request }).send(attempt({ URL: url, TOKEN: "one\r\ntwo" })),
    );
    expect(error.failure).toMatchObject({ code: "PROVIDER.PROTOCOL" });
    expect(error.message).toContain("`authorization`");
    expect(error.message).not.toContain("two");
    expect(received).toEqual([]);
  });
});

describe("answer", () => {
  it.each([200, 400, 500])(
    "an answer with errors becomes `graphql_error`, also at status %i",
    async (status) => {
      const body = '{"data":{"a":null},"errors":[{"message":"no a"},{"message":5},null]}';
      const nothing = "the server gives no message";
      expect(await answerTo(status, body)).toEqual({
        result: { status: "graphql_error", error: ["no a", nothing, nothing] },
      });
    },
  );

  it.each([
    [401, '{"reason":"who?"}', "HTTP 401"],
    [302, "", "HTTP 302"],
    [500, "<html>", "HTTP 500"],
    [200, "<html>", "the body has neither `data` nor `errors`"],
    [200, "", "the body has neither `data` nor `errors`"],
    [200, "[]", "the body has neither `data` nor `errors`"],
    [200, '{"data":null}', "the body has neither `data` nor `errors`"],
    [200, '{"data":[],"errors":[]}', "the body has neither `data` nor `errors`"],
  ])("rejects an answer with %i %j", async (status, body, reason) => {
    const { failure: why } = await failure(answerTo(status, body));
    expect(why).toEqual({ code: "PROVIDER.PROTOCOL", reason });
  });

  it.each([429, 502, 503, 504])("fails as unavailable at %i", async (status) => {
    const { failure: why } = await failure(answerTo(status, '{"errors":[{"message":"busy"}]}'));
    expect(why).toEqual({ code: "PROVIDER.UNAVAILABLE", reason: `HTTP ${status}` });
  });

  it("reports the Retry-After time of a busy server", async () => {
    const { url } = await serve((response) =>
      response.writeHead(429, { "retry-after": "3" }).end(),
    );
    const { failure: why } = await failure(prepare({}).send(attempt({ URL: url })));
    const told = { code: "PROVIDER.UNAVAILABLE", reason: "HTTP 429", retryAfterMs: 3000 };
    expect(why).toEqual(told);
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("decodes a compressed answer: %s", async (coding, compress) => {
    const { url, received } = await serve((response) =>
      response.writeHead(200, { "content-encoding": coding }).end(compress('{"data":{"a":"é"}}')),
    );
    const { result } = await prepare({}).send(attempt({ URL: url }));
    expect(result).toEqual({ status: "success", data: { a: "é" } });
    expect(received[0]?.headers["accept-encoding"]).toBe("gzip, deflate, br");
  });

  it.each([
    ["gzip", gzipSync("x".repeat(11_000_000)), "the body is longer than 10485760 bytes"],
    ["gzip", "plain", "the body is not valid gzip"],
    ["rot13", "plain", "the body has an unknown content encoding"],
  ])("rejects an invalid answer in %s", async (coding, body, reason) => {
    const { url } = await serve((response) =>
      response.writeHead(200, { "content-encoding": coding }).end(body),
    );
    const { failure: why } = await failure(prepare({}).send(attempt({ URL: url })));
    expect(why).toEqual({ code: "PROVIDER.PROTOCOL", reason });
  });

  it("stops reading at 10 MiB", async () => {
    const body = `{"data":{"a":"${"x".repeat(11_000_000)}"}}`;
    const { failure: why } = await failure(answerTo(200, body));
    expect(why).toEqual({ code: "PROVIDER.PROTOCOL", reason: "UND_ERR_RES_EXCEEDED_MAX_SIZE" });
  });

  it("fails as unavailable if the connection fails", async () => {
    const { url } = await serve((response) => response.destroy());
    const reset = await failure(prepare({}).send(attempt({ URL: url })));
    expect(reset.failure).toEqual({ code: "PROVIDER.UNAVAILABLE", reason: "UND_ERR_SOCKET" });
    const refused = await failure(prepare({}).send(attempt({ URL: "http://127.0.0.1:1" })));
    expect(refused.failure).toEqual({ code: "PROVIDER.UNAVAILABLE", reason: "ECONNREFUSED" });
  });
});

it("`pick` reads only own properties", () => {
  expect(pick({ a: [{ b: 1 }] }, "a", 0, "b")).toBe(1);
  expect(pick({}, "constructor")).toBeUndefined();
  expect(pick("text", "length")).toBeUndefined();
  expect(pick(undefined, "a")).toBeUndefined();
});

it("a hook that rejects the connection keeps the request from leaving", async () => {
  const { url, received } = await serve((response) => response.end('{"data":{}}'));
  const refused = new ToolError("a/b", { code: "PROVIDER.PROTOCOL", reason: "refused" }, "refused");
  const hooks = {
    connecting: () => {
      throw refused;
    },
  };
  expect(await failure(prepare({}).send({ ...attempt({ URL: url }), hooks }))).toBe(refused);
  expect(received).toEqual([]);
});
