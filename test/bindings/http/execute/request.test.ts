import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HttpRequest } from "../../../../src/bindings/http/contract.js";
import { credential, segment, segmentOf, text } from "../../../../src/bindings/http/execute.js";
import { ndjson, sse } from "../../../../src/bindings/http/send/streams.js";
import { RefusedValue } from "../../../../src/runtime/call/refused-value.js";
import { attempt, call, failure, prepare, serve } from "./support.js";
import { unicodeText } from "../../../support/unicode-text.js";

/** Origin and segments of a URL with the value as a segment, as a URL parser sees them. */
function structureWith(value: string) {
  try {
    const request = () => ({ url: ["https://api.example/a/", segment("/p", value), "/b"] });
    const { url } = prepare({ request }).describe() as { readonly url: string };
    const { href, origin, pathname } = new URL(url);
    return href === url && { origin, segments: pathname.split("/").map(decodeURIComponent) };
  } catch (error) {
    return error instanceof RefusedValue && "refused";
  }
}

/** Sends a body, and returns the request that the server receives. */
const sent = async (body: HttpRequest["body"], credentials?: Record<string, string>) => {
  const server = await serve();
  await call(
    { method: "POST", request: () => ({ url: [server.url], body }) },
    attempt(credentials),
  );
  return server.received[0];
};

describe("URL", () => {
  it.each([
    ["", "/orders", "/orders"],
    ["/", "/orders", "/orders"],
    ["/base", "/orders", "/base/orders"],
    ["/base//", "/orders", "/base/orders"],
    ["/base/v1/", "", "/base/v1"],
    ["", "", "/"],
    ["", "?a=1", "/?a=1"],
    ["/base", "?a=1", "/base?a=1"],
  ])("joins a base that ends in %j and %j", async (base, rest, path) => {
    const server = await serve();
    await call(
      { request: () => ({ url: [credential("URL"), rest] }) },
      attempt({ URL: server.url + base }),
    );
    expect(server.received[0]?.path).toBe(path);
  });

  it.each(["", "/", "?a=1", "/x?a=1"])("keeps a literal rest %j", async (rest) => {
    const server = await serve();
    await call({ request: () => ({ url: [server.url + rest], query: [["b", 2]] }) });
    const joined = rest.includes("?") ? `${rest}&b=2` : `${rest}?b=2`;
    expect(server.received[0]?.path).toBe(joined.startsWith("/") ? joined : `/${joined}`);
  });

  it("encodes a segment so that it stays one segment", async () => {
    const server = await serve();
    const values = [
      "/",
      "%2F",
      "a/b",
      "a%2f",
      "?x",
      "#x",
      "@evil",
      "//evil.example",
      "\\evil",
      "\t",
      "é😀",
      "%2ea",
      "...",
    ];
    for (const value of values) {
      await call({ request: () => ({ url: [`${server.url}/v/`, segment("/p", value), "/end"] }) });
      const path = server.received.at(-1)?.path ?? "";
      const [, v, one, end, ...more] = new URL(path, server.url).pathname.split("/");
      expect([v, decodeURIComponent(one ?? ""), end, more]).toEqual(["v", value, "end", []]);
    }
    expect(server.received).toHaveLength(values.length);
  });

  it("never lets a parameter change origin or path structure", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          unicodeText(),
          fc.constantFrom("..", ".", "%2e%2e", "//x", "\\\\x", "@x:80", "http://x"),
        ),
        (value) => {
          const refused = value === "" || !value.isWellFormed();
          const structure = { origin: "https://api.example", segments: ["", "a", value, "b"] };
          // Dots, and what may come to some, are refused where they lead elsewhere: dot-segments.test.ts
          const possible: unknown[] = refused ? ["refused"] : [structure];
          if (/[.%．․‥…]/.test(value)) possible.push("refused");
          expect(possible).toContainEqual(structureWith(value));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each(["", ".", ".."])("rejects the segment %j", (value) => {
    expect(() => segment("/order/id", value)).toThrow(
      expect.objectContaining({
        name: "RefusedValue",
        pointer: "/order/id",
        keyword: "path-segment",
      }),
    );
    expect(() => segmentOf(["", ""], ["/id", value])).toThrow(RefusedValue);
  });

  it("rejects dots that only the whole segment forms", () => {
    expect(() => segmentOf([".", ""], ["/id", "."])).toThrow(RefusedValue);
    expect(() => segmentOf(["%2E", ""], ["/id", "."])).toThrow(RefusedValue);
    expect(() => segmentOf(["", "", ""], ["/a", "."], ["/b", "."])).toThrow(
      expect.objectContaining({ pointer: "/b" }),
    );
    expect(segmentOf(["v", ""], ["/id", ".."]).encoded).toBe("v..");
    expect(segmentOf(["", ".json"], ["/id", ""]).encoded).toBe(".json");
  });

  it("rejects half a surrogate pair in path and query", () => {
    expect(() => segment("/id", "a\ud800")).toThrow(
      expect.objectContaining({ pointer: "/id", keyword: "path-segment" }),
    );
    const query: HttpRequest["query"] = [["q", "\udc00"]];
    expect(() => prepare({ request: () => ({ url: ["http://h/"], query }) })).toThrow(
      expect.objectContaining({ keyword: "query-value" }),
    );
  });

  it.each([
    "",
    "ftp://h",
    "http:h",
    "http:/h",
    "http:///h",
    "//h",
    "h",
    "http://",
    "http://u:p@h",
    "http://u@h",
    "http://h?x",
    "http://h#x",
    "http://h/?",
    "http://h\\x",
    "http://h/a\\b",
    "http://h\t",
    "http://h/a b",
    "http://h\n",
    " http://h",
    "http://[",
    "http://h:99999",
    "javascript:alert(1)",
    "http://h\\@evil",
  ])("rejects the setting %j and does not show its value", async (URL) => {
    const error = await failure(
      call({ request: () => ({ url: [credential("MY_URL"), "/x"] }) }, attempt({ MY_URL: URL })),
    );
    const must = /^https?:\/\//.test(URL)
      ? "must be an http or https URL without user, query and fragment"
      : "must start with http:// or https://";
    const reason = `the value of \`\${MY_URL}\` ${must}`;
    expect(error.failure).toEqual({ code: "PROVIDER.PROTOCOL", reason });
    expect(error.message).toBe(`\`test-skill/test-tool\` was not sent: ${reason}`);
    expect(error.attempts).toBe(0);
    // One letter may well stand in any message.
    expect(URL.trim().length > 1 && error.message.includes(URL)).toBe(false);
  });
});

describe("headers", () => {
  it.each(["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "snow ☃", "\x7f", "\x1b[31m"])(
    "rejects %j",
    (value) => {
      const refused = expect.objectContaining({
        name: "RefusedValue",
        pointer: "",
        keyword: "header-value",
        message: expect.stringContaining("`X-Note`"),
      });
      expect(() =>
        prepare({ request: () => ({ url: ["http://h/"], headers: [["X-Note", value]] }) }),
      ).toThrow(refused);
      expect(() =>
        prepare({
          request: () => ({
            url: ["http://h/"],
            headers: [["X-Note", text(value, credential("T"))]],
          }),
        }),
      ).toThrow(refused);
    },
  );

  it("rejects a credential with a line break, and does not show it", async () => {
    const server = await serve();
    const request = (): HttpRequest => ({
      url: [server.url],
      headers: [["Authorization", text("Bearer ", credential("TOKEN"))]],
    });
    const error = await failure(call({ request }, attempt({ TOKEN: "hunter2\n" })));
    expect(error.code).toBe("PROVIDER.PROTOCOL");
    expect(error.message).toContain("${TOKEN}");
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain(
      "hunter2",
    );
    expect(server.received).toEqual([]);
  });

  it("keeps headers that the author set and adds the rest", async () => {
    const server = await serve();
    await call({
      method: "POST",
      request: () => ({
        url: [server.url],
        headers: [
          ["Content-Type", "application/vnd.api+json"],
          ["USER-AGENT", "mine"],
        ],
        body: {},
      }),
    });
    expect(server.received[0]?.headers).toMatchObject({
      "content-type": "application/vnd.api+json",
      "user-agent": "mine",
      accept: "application/json, */*;q=0.1",
    });
  });

  it.each([
    [undefined, "application/json, */*;q=0.1"],
    [{ as: "json", types: ["application/hal+json"] }, "application/hal+json, */*;q=0.1"],
    [{ as: "text" }, "text/*, */*;q=0.1"],
    [{ as: "text", types: ["text/csv", "text/*"] }, "text/csv, text/*, */*;q=0.1"],
    [{ as: "bytes" }, "*/*"],
    [{ as: "bytes", types: ["application/pdf"] }, "application/pdf, */*;q=0.1"],
    [
      ndjson({}),
      "application/x-ndjson, application/ndjson, application/jsonl, application/json;q=0.5, */*;q=0.1",
    ],
    [sse({}), "text/event-stream, */*;q=0.1"],
  ] as const)(
    "sends an Accept header for the content that the tool reads: of %j for %s",
    (content, accept) => {
      const request = (headers: HttpRequest["headers"] = []) => ({
        ...(content && { content }),
        request: () => ({ url: ["https://api.example/a"], headers }),
      });
      expect(prepare(request()).describe()).toMatchObject({ headers: { accept } });
      expect(prepare(request([["Accept", "text/turtle"]])).describe()).toMatchObject({
        headers: { Accept: "text/turtle" },
      });
      expect(prepare(request([["Accept", "text/turtle"]])).describe()).not.toHaveProperty(
        "headers.accept",
      );
    },
  );

  it("sends one idempotency key for all attempts of a call, and another for the next call", async () => {
    const server = await serve();
    const contract = {
      method: "POST",
      request: () => ({ url: [server.url] }),
      idempotencyHeader: "Idempotency-Key",
    } as const;
    const one = prepare(contract);
    await one.send(attempt());
    await one.send(attempt());
    await prepare(contract).send(attempt());
    const [first, second, third] = server.received.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe("body", () => {
  it("sends any value as JSON", async () => {
    expect((await sent(null))?.body).toBe("null");
    expect((await sent(false))?.body).toBe("false");
    expect((await sent(""))?.body).toBe('""');
    expect((await sent([1, { a: undefined, b: "ü" }]))?.body).toBe('[1,{"b":"ü"}]');
  });

  it("sends neither a body nor a content type without a value", async () => {
    const received = await sent(undefined);
    expect(received?.body).toBe("");
    expect(received?.headers["content-type"]).toBeUndefined();
    expect(received?.headers["content-length"]).toBe("0");
  });

  it("sends a parameter that looks like a credential unchanged", async () => {
    const forged = { kind: "text", parts: [{ kind: "credential", name: "TOKEN" }] };
    const received = await sent(
      { a: JSON.parse(JSON.stringify(forged)), b: "${TOKEN}", c: text(credential("TOKEN")) },
      { TOKEN: "hunter2" },
    );
    expect(JSON.parse(received?.body ?? "")).toEqual({ a: forged, b: "${TOKEN}", c: "hunter2" });
  });

  it("keeps prototype keys as properties", async () => {
    const hostile = '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}';
    expect((await sent(JSON.parse(hostile)))?.body).toBe(hostile);
    const withCredential = await sent(
      { params: JSON.parse(hostile), t: text(credential("T")) },
      { T: "v" },
    );
    expect(withCredential?.body).toBe(`{"params":${hostile},"t":"v"}`);
  });

  it("rejects a body that nests too deep, instead of running out of stack", () => {
    const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    expect(() =>
      prepare({ method: "POST", request: () => ({ url: ["http://h/"], body: deep }) }),
    ).toThrow(RefusedValue);
  });
});
