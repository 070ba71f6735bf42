import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { credential, http, text } from "../../../../src/bindings/http/execute.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import type { AnyResult } from "../../../../src/runtime/result.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";

const token = "s3cret-token";

/** A service that sends back where it was asked, and with what. */
async function startEcho(status: number): Promise<string> {
  const server = createServer((request, response) => {
    const { host } = request.headers;
    response.writeHead(status, { "content-type": "application/json" });
    const { authorization, "x-key": key } = request.headers;
    response.end(JSON.stringify({ url: `http://${host}`, authorization, key, query: request.url }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  // A TCP server's address is one.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const anything: Validator<object> = Object.assign(
  (value: unknown): value is object => typeof value === "object",
  { errors: null },
);

async function callEcho(status: number) {
  const url = await startEcho(status);
  const credentials = { API_URL: url, TOKEN: token };
  const runtime = createRuntime({ ledger: false, inherit: false, credentials });
  const contract = {
    skill: "desk",
    name: "echo",
    version: { skill: "s1", binding: "b1", manifest: "t1" },
    effect: "read",
    mode: "active",
    retry: { maxAttempts: 1, backoffMs: 1, backoffMultiplier: 1 },
    params: anything,
    binding: http<object, unknown, AnyResult>({
      method: "GET",
      maxResponseBytes: 10_000,
      statuses: {},
      request: () => ({
        url: [credential("API_URL"), "/echo"],
        query: [["key", text(credential("TOKEN"))]],
        headers: [
          ["authorization", text("Bearer ", credential("TOKEN"))],
          ["x-key", text(credential("TOKEN"))],
        ],
      }),
    }),
  } as const;
  return { url, result: await callTool(contract, {}, { runtime }) };
}

test("an echoed token is replaced in `data` if it is a whole text, and the origin of the call stays readable", async () => {
  const { result, url } = await callEcho(200);
  expect(result).toEqual({
    status: "success",
    data: { url, authorization: "Bearer ${TOKEN}", key: "${TOKEN}", query: `/echo?key=${token}` },
  });
});

test("an echoed token is replaced everywhere in `error`", async () => {
  const { result } = await callEcho(400);
  expect(result).toEqual({
    status: "error",
    status_code: 400,
    error: {
      url: "${API_URL}",
      authorization: "Bearer ${TOKEN}",
      key: "${TOKEN}",
      query: "/echo?key=${TOKEN}",
    },
  });
});
