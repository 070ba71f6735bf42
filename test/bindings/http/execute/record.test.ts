import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  HeaderValue,
  HttpBody,
  HttpMethod,
  HttpRecord,
  HttpRequest,
  QueryValue,
  UrlPart,
} from "../../../../src/bindings/http/contract.js";
import { credential, segment, segmentOf, text } from "../../../../src/bindings/http/execute.js";
import { attempt, prepare, type Received, serve } from "./support.js";
import { unicodeText } from "../../../support/unicode-text.js";

const credentials = { BASE: "", TOKEN: "s3cret/ü&=", OTHER: "x y" };

/** The request that a server must have received, by a record and the values of its placeholders. */
function filledIn(record: HttpRecord, base: string) {
  const put = (at: string, encode: (value: string) => string) =>
    at
      .replace("${BASE}", base)
      .replaceAll("${TOKEN}", encode(credentials.TOKEN))
      .replaceAll("${OTHER}", encode(credentials.OTHER));
  const url = put(record.url, encodeURIComponent);
  const origin = new URL(url).origin;
  const path = url.slice(origin.length);
  return {
    method: record.method,
    path: path.startsWith("/") ? path : `/${path}`,
    headers: Object.fromEntries(
      Object.entries(record.headers).map(([name, value]) => [
        name.toLowerCase(),
        put(value, String),
      ]),
    ),
    body:
      record.body === undefined
        ? ""
        : put(JSON.stringify(record.body), (value) => JSON.stringify(value).slice(1, -1)),
  };
}

/** The same of what it did receive, without what belongs to the connection. */
function seen({ method, path, rawHeaders, body }: Received) {
  const pairs = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ""] as const] : [],
  );
  const own = pairs.filter(([name]) => !["host", "connection", "content-length"].includes(name));
  return { method, path, headers: Object.fromEntries(own), body };
}

const noReference = (value: string) => !value.includes("${");
const anyText = unicodeText().filter((value) => value.isWellFormed() && noReference(value));
const segmentText = anyText.filter((value) => !["", ".", ".."].includes(value));
const headerText = fc
  .string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => (code !== 0x7f && code < 0x80) || code > 0x9f)
      .map((code) => String.fromCharCode(code)),
  })
  .filter(noReference);
const scalar = fc.oneof(anyText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
const reference = fc.constantFrom("TOKEN", "OTHER").map(credential);
const queryValue: fc.Arbitrary<QueryValue> = fc.oneof(
  scalar,
  fc.array(fc.option(scalar)),
  fc.constantFrom(null, undefined),
  fc.tuple(anyText, reference).map(([before, one]) => text(before, one, "!")),
);
const headerValue: fc.Arbitrary<HeaderValue> = fc.oneof(
  // A value with a blank around it is refused.
  headerText.map((value) => value.replace(/^ +| +$/g, "")),
  fc.integer(),
  fc.constantFrom(null, undefined),
  fc.tuple(headerText, reference).map(([before, one]) => text("k", before, one)),
);
const jsonBody: fc.Arbitrary<HttpBody> = fc.letrec<{ value: HttpBody }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.constantFrom<HttpBody>(null, true, undefined),
    reference.map((one) => text("a", one, "b")),
    fc.array(tie("value")),
    fc.dictionary(
      fc.oneof(anyText, fc.constantFrom("__proto__", "constructor", "kind", "toJSON")),
      tie("value"),
    ),
  ),
})).value;

const requests = fc.record({
  method: fc.constantFrom<HttpMethod>("GET", "POST", "PUT", "PATCH", "DELETE"),
  literal: fc.boolean(),
  segments: fc.array(fc.oneof(segmentText, fc.tuple(segmentText, segmentText))),
  query: fc.option(fc.array(fc.tuple(anyText, queryValue)), { nil: undefined }),
  headers: fc.uniqueArray(
    fc.tuple(
      fc.constantFrom(
        "X-One",
        "x-two",
        "Authorization",
        "ACCEPT",
        "User-Agent",
        "content-type",
        "__proto__",
      ),
      headerValue,
    ),
    { selector: ([name]) => name },
  ),
  body: jsonBody,
  idempotent: fc.boolean(),
});

describe("record of shadow mode", () => {
  it("any request is recorded as active mode sends it", async () => {
    const server = await serve();
    await fc.assert(
      fc.asyncProperty(
        requests,
        async ({ method, literal, segments, query, headers, body, idempotent }) => {
          const base = `${server.url}/base`;
          const parts = segments.flatMap((each): UrlPart[] => [
            "/",
            typeof each === "string"
              ? segment("/p", each)
              : segmentOf(["a.", "-", ".json"], ["/p", each[0]], ["/q", each[1]]),
          ]);
          const request: HttpRequest = {
            url: literal ? [base, ...parts] : [credential("BASE"), ...parts],
            ...(query === undefined ? {} : { query }),
            headers,
            ...(method === "GET" ? {} : { body }),
          };
          const prepared = prepare({
            method,
            request: () => request,
            ...(idempotent ? { idempotencyHeader: "Idempotency-Key" } : {}),
          });
          // `record` gives an `HttpRecord`, which the interface calls JSON.
          const record = prepared.describe() as unknown as HttpRecord;
          await prepared.send(attempt({ ...credentials, BASE: base }));
          const received = server.received.at(-1);
          expect(received && seen(received)).toEqual(filledIn(record, base));
        },
      ),
      { numRuns: 400 },
    );
  });

  it("shows the whole request, with a placeholder for every credential", () => {
    const prepared = prepare({
      method: "POST",
      request: () => ({
        url: [credential("ORDERS_URL"), "/customers/", segment("/customer_id", "a/b"), "/orders"],
        query: [
          ["dry_run", true],
          ["tag", ["x", null, "y z"]],
          ["key", text(credential("KEY"))],
          ["gone", undefined],
        ],
        headers: [
          ["Authorization", text("Bearer ", credential("TOKEN"))],
          ["X-Gone", null],
        ],
        body: { note: text("for ", credential("KEY")), lines: [{ sku: "M" }], absent: undefined },
      }),
    });
    expect(prepared.credentials).toEqual(["ORDERS_URL", "KEY", "TOKEN"]);
    expect(prepared.describe()).toEqual({
      method: "POST",
      url: "${ORDERS_URL}/customers/a%2Fb/orders?dry_run=true&tag=x&tag=y%20z&key=${KEY}",
      headers: {
        Authorization: "Bearer ${TOKEN}",
        "content-type": "application/json",
        accept: "application/json, */*;q=0.1",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "skillc",
      },
      body: { note: "for ${KEY}", lines: [{ sku: "M" }] },
    });
  });
});
