import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createRuntime, type HttpOptions } from "../../../src/runtime/index.js";

const runtimeWith = (http: unknown) =>
  createRuntime({ inherit: false, ledger: false, http: http as HttpOptions });

describe("invalid options for HTTP", () => {
  test.each<[string, unknown, RegExp]>([
    [
      "a host without a scheme",
      { origins: { "api.example": {} } },
      /`http\.origins` must be an origin/,
    ],
    ["an origin with a path", { origins: { "https://api.example/v1": {} } }, /must be an origin/],
    [
      "half a request at once",
      { origins: { "*": { concurrency: 0.5 } } },
      /concurrency` must be a whole number/,
    ],
    [
      "no request a second",
      { origins: { "*": { requestsPerSecond: 0 } } },
      /requestsPerSecond` must be/,
    ],
    [
      "a rate that is text",
      { origins: { "*": { requestsPerSecond: "5" } } },
      /requestsPerSecond` must be/,
    ],
    ["HTTP/2 as text", { http2: "yes" }, /`http\.http2` must be true or false/],
    [
      "an exception with a comma",
      { proxy: { url: "http://p:1", except: ["a,b"] } },
      /`http\.proxy\.except` must be a list/,
    ],
  ])("cause an error: %s", (_, http, message) => {
    expect(() => runtimeWith(http)).toThrow(message);
  });

  test("cause an error without the URL of a proxy, which may contain a password", () => {
    for (const proxy of ["socks5://user:hunter22@proxy", "user:hunter22@proxy:8080", "https://"]) {
      expect(() => runtimeWith({ proxy })).toThrow(/`http\.proxy` must be the URL of a proxy/);
      expect(() => runtimeWith({ proxy })).not.toThrow(/hunter22/);
    }
  });

  test("do not include a proxy's URL in a printed runtime", () => {
    const runtime = runtimeWith({ proxy: "http://user:hunter22@proxy.internal:3128" });
    expect(inspect(runtime, { depth: 9, showHidden: true })).not.toContain("hunter22");
  });
});
