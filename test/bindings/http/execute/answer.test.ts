import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { bodyOf, pick } from "../../../../src/bindings/http/execute.js";
import { selector } from "../../../../src/bindings/http/send/json-path.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";
import { failure, get, serve, serveRaw, rawAnswer } from "./support.js";

/** A server that gives one answer to everything. */
function answering(
  status: number,
  headers: Record<string, string | string[]>,
  body: string | Buffer = "",
) {
  return serve((response) => response.writeHead(status, headers).end(body));
}

/** Data of a success with this body. */
const data = async (headers: Record<string, string>, body: string | Buffer) =>
  (await get((await answering(200, headers, body)).url)).result.data;

/** Reason why a success with this body is rejected. */
const fault = async (headers: Record<string, string>, body: string | Buffer) =>
  (await failure(get((await answering(200, headers, body)).url))).failure;

/** Error of a failure with this body. */
const error = async (type: string | undefined, body: string | Buffer) =>
  (await get((await answering(400, type === undefined ? {} : { "content-type": type }, body)).url))
    .result.error;

const json = { "content-type": "application/json" };

const tooLarge = "is a number that is too large for JavaScript";
const keyToSet = "(with `format: int64` in its schema, `int64: string` gives it as text)";
const digitsLost =
  "is an integer beyond ±9007199254740991, which a JavaScript number can't represent exactly";

describe("body with an integer that a number can't hold", () => {
  const body = '{"id":653247040368672768,"id_str":"653247040368672768","n":[5]}';
  const found = async (data: (body: unknown) => unknown) =>
    get((await answering(200, json, body)).url, { data });

  it("accepts a body with a rounded integer if the integer is outside of the data", async () => {
    const { result } = await found((each) => pick(each, "id_str"));
    expect(result.data).toBe("653247040368672768");
    expect((await found((each) => pick(each, "n"))).result.data).toEqual([5]);
  });

  it.each(["$.id", "$.*", "$"])(
    "rejects a body if the data at %s holds a rounded integer",
    async (path) => {
      const error = await failure(found(selector(path)));
      expect(error.failure).toEqual({
        code: "PROVIDER.PROTOCOL",
        reason: `in the body, /id ${digitsLost} ${keyToSet}`,
      });
    },
  );

  it("rejects a rounded integer as the cursor of the next page", async () => {
    const { url } = await answering(200, json, '{"items":[1],"next":653247040368672768}');
    const contract = {
      data: (each: unknown) => pick(each, "items"),
      paginate: {
        by: "cursor",
        asked: "next",
        parameter: "after",
        at: (each: unknown) => pick(each, "next"),
      },
    } as const;
    expect((await failure(get(url, contract))).failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: `in the body, /next ${digitsLost} ${keyToSet}`,
    });
  });

  it("keeps all digits of a large integer in an error as text", async () => {
    expect(await error("application/json", body)).toEqual({
      id: "653247040368672768",
      id_str: "653247040368672768",
      n: [5],
    });
  });
});

describe("status with a body of its own", () => {
  const message: Validator = Object.assign(
    (body: unknown): body is unknown => {
      const fits = typeof body === "object" && body !== null && "message" in body;
      const params = { missingProperty: "message" };
      message.errors = fits ? null : [{ instancePath: "", keyword: "required", params }];
      return fits;
    },
    { errors: null },
  );
  const contract = {
    statuses: {
      "201": "created",
      "202": "accepted",
      "204": "removed",
      "404": "not_found",
      "4XX": "refused",
      default: "failed",
    },
    bodies: {
      "201": bodyOf({ schema: message, find: (body) => pick(body, "message"), steps: ["message"] }),
      "202": bodyOf({ find: (body) => pick(body, "id"), steps: ["id"] }),
      "404": bodyOf({ schema: message, find: (body) => pick(body, "message") }),
      "4XX": bodyOf({ schema: message }),
      default: bodyOf({ find: (body) => pick(body, "title") }),
    },
  };
  const answered = async (code: number, body: string) => {
    const { url } = await answering(code, json, body);
    return (await get(url, contract)).result;
  };

  it.each([
    [201, '{"message":"m"}', { status: "created", data: "m" }],
    [202, '{"id":7}', { status: "accepted", data: 7 }],
    [204, "", { status: "removed", data: null }],
    [404, '{"message":"m"}', { status: "not_found", error: "m", status_code: 404 }],
    [422, '{"message":"m"}', { status: "refused", error: { message: "m" }, status_code: 422 }],
    [500, '{"title":"t"}', { status: "failed", error: "t", status_code: 500 }],
    [302, '{"a":1}', { status: "failed", error: { a: 1 }, status_code: 302 }],
  ])("status %i carries what its contract declares", async (code, body, result) => {
    expect(await answered(code, body)).toEqual(result);
  });

  it.each([404, 409])(
    "status %i with another body becomes an `error` with the whole body",
    async (code) => {
      expect(await answered(code, '{"other":1}')).toEqual({
        status: "error",
        error: { other: 1 },
        status_code: code,
      });
      expect(await answered(code, "<html>")).toMatchObject({ status: "error", status_code: code });
    },
  );

  it.each([
    ['{"message":"m"}', { status: "gone", error: "m" }],
    ['{"message":null}', { status: "gone", error: null }],
    ['{"other":1}', { status: "error", error: { other: 1 } }],
  ])("a failure carries what its path finds in %s", async (body, result) => {
    const bodies = {
      "410": bodyOf({ schema: message, find: (each) => pick(each, "message"), orBody: true }),
    };
    const { url } = await answering(410, json, body);
    const answer = await get(url, { statuses: { "410": "gone" }, bodies });
    expect(answer.result).toEqual({ ...result, status_code: 410 });
  });

  it.each([undefined, []])(
    "a failure whose path finds %j carries the whole body if its contract says so",
    async (nothing) => {
      const bodies = { "410": bodyOf({ schema: message, find: () => nothing, orBody: true }) };
      const { url } = await answering(410, json, '{"message":"m"}');
      const { result } = await get(url, { statuses: { "410": "gone" }, bodies });
      expect(result).toEqual({ status: "gone", error: { message: "m" }, status_code: 410 });
    },
  );

  it("rejects a success with another body", async () => {
    const { url } = await answering(201, json, '{"other":1}');
    const error = await failure(get(url, contract));
    expect(error).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED" });
  });
});

describe("status of an answer", () => {
  const statuses = {
    "201": "created",
    "202": "success",
    "404": "not_found",
    "410": "success",
    "304": "unchanged",
    "503": "busy",
  };

  it.each([
    [200, { status: "success", data: { a: 1 } }],
    [299, { status: "success", data: { a: 1 } }],
    [201, { status: "created", data: { a: 1 } }],
    [410, { status: "success", data: { a: 1 } }],
    [404, { status: "not_found", error: { a: 1 }, status_code: 404 }],
    [400, { status: "error", error: { a: 1 }, status_code: 400 }],
    [500, { status: "error", error: { a: 1 }, status_code: 500 }],
    [302, { status: "error", error: { a: 1 }, status_code: 302 }],
    [304, { status: "unchanged", error: null, status_code: 304 }],
  ])("gives %i the name and the fields of its contract", async (code, result) => {
    const { url } = await answering(code, json, code === 304 ? "" : '{"a":1}');
    expect((await get(url, { statuses })).result).toEqual(result);
  });

  it.each([
    [400, undefined],
    [404, undefined],
    [500, "unknown"],
    [503, "unknown"],
    [599, "unknown"],
  ])("gives the outcome of a write that ends with %i", async (code, outcome) => {
    const { url } = await answering(code, json, "{}");
    expect((await get(url, { statuses })).outcome).toBe(outcome);
  });

  it("never takes a name from a property of a prototype", async () => {
    const { url } = await answering(404, json, "{}");
    expect(
      (await get(url, { statuses: JSON.parse('{"__proto__":"x","constructor":"y"}') })).result
        .status,
    ).toBe("error");
  });

  it.each([408, 429, 502, 503, 504])("retries after %i", async (code) => {
    const { url } = await answering(code, json, "{}");
    expect((await get(url, { statuses })).retry).toEqual({});
  });

  it.each([400, 401, 404, 409, 500, 501])("does not retry after %i", async (code) => {
    const { url } = await answering(code, { ...json, "retry-after": "1" }, "{}");
    expect((await get(url)).retry).toBeUndefined();
  });

  it.each([
    ["2", 2000],
    ["0", 0],
    [" 7 ", 7000],
    ["99999999999999999999999999", 86_400_000],
    ["9".repeat(1000), 86_400_000],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 86_400_000],
    ["-5", undefined],
    ["1.5", undefined],
    ["1e3", undefined],
    ["soon", undefined],
    ["", undefined],
    ["Xxx, 99 Yyy 2015 99:99:99 GMT", undefined],
    ["2030-01-01", undefined],
  ])("reads the delay from Retry-After: %.30s", async (header, afterMs) => {
    const { url } = await answering(429, { "retry-after": header }, "");
    expect((await get(url)).retry).toEqual(afterMs === undefined ? {} : { afterMs });
  });

  it("waits until the date in Retry-After", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-01T11:59:40Z") });
    onTestFinished(() => void vi.useRealTimers());
    const { url } = await answering(503, { "retry-after": "Sun, 01 Mar 2026 12:00:00 GMT" });
    expect((await get(url)).retry).toEqual({ afterMs: 20_000 });
  });
});

describe("body of a success", () => {
  it.each([
    "application/json",
    "application/json; charset=utf-8",
    'Application/JSON;charset="UTF-8"',
    "application/problem+json",
    "text/json",
  ])("parses a body of type %s as JSON", async (type) =>
    expect(await data({ "content-type": type }, '{"a":"ü😀"}')).toEqual({ a: "ü😀" }),
  );

  it.each(["text/plain", "text/html; charset=utf-8", "application/x-ndjson", "nonsense", ""])(
    "keeps a body of type `%s` as text",
    async (type) => expect(await data({ "content-type": type }, '{"a":1}')).toBe('{"a":1}'),
  );

  it("parses a body without a type as JSON if possible", async () => {
    expect(await data({}, "[1]")).toEqual([1]);
    expect(await data({}, "hello")).toBe("hello");
  });

  it("gives null for an empty body", async () => {
    expect(await data(json, "")).toBeNull();
    expect((await get((await answering(204, {})).url)).result).toEqual({
      status: "success",
      data: null,
    });
  });

  it("skips a byte order mark", async () => {
    expect(await data(json, '\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it("decodes a body by its charset", async () => {
    expect(
      await data({ "content-type": "text/plain; charset=ISO-8859-1" }, Buffer.from("é", "latin1")),
    ).toBe("é");
    expect(
      await data(
        { "content-type": "application/json; charset=utf-16le" },
        Buffer.from('"é"', "utf16le"),
      ),
    ).toBe("é");
  });

  it.each([
    [json, '{"a":1} trailing', "the body is not JSON, although its content type says so"],
    [json, '{"a":', "the body is not JSON, although its content type says so"],
    [json, "<html>", "the body is not JSON, although its content type says so"],
    [json, '{"a":[1e999]}', `in the JSON of the body, /a/0 ${tooLarge}`],
    [json, `-${"9".repeat(400)}`, `in the JSON of the body, the value ${tooLarge}`],
    [{}, '{"a":1e400}', `in the JSON of the body, /a ${tooLarge}`],
    [json, '{"a":[{"id":653247040368672768}]}', `in the body, /a/0/id ${digitsLost} ${keyToSet}`],
    [{}, "-18446744073709551615", `in the body, the value ${digitsLost} ${keyToSet}`],
    [json, Buffer.from([0x22, 0xff, 0x22]), "the body has bytes that are not in its charset"],
    [
      { "content-type": "text/plain" },
      Buffer.from([0x89, 0x50, 0x4e, 0x47]),
      "the body has bytes that are not in its charset",
    ],
    [{ "content-type": "text/plain; charset=klingon" }, "x", "the body has an unknown charset"],
  ])("fails the call if it can't read a body: %j %j", async (headers, body, reason) => {
    expect(await fault(headers, body)).toEqual({ code: "PROVIDER.PROTOCOL", reason });
  });

  it("keeps prototype keys as properties", async () => {
    const got = await data(json, '{"__proto__":{"admin":true},"a":1}');
    expect(Object.keys(got as object)).toEqual(["__proto__", "a"]);
    expect((got as { admin?: unknown }).admin).toBeUndefined();
  });

  it.each([
    "[".repeat(1_000_000),
    "[".repeat(400_000) + "]".repeat(400_000),
    '{"a":'.repeat(150_000) + "1" + "}".repeat(150_000),
  ])("fails the call if a body nests too deep", async (body) => {
    expect(await fault(json, body)).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: "the JSON of the body nests deeper than 1000 levels",
    });
  });

  it("accepts a wide body, and brackets inside strings", async () => {
    const body = [Array.from({ length: 5000 }, () => [["[[[["]]), '\\"[{'.repeat(2000)];
    expect(await data(json, JSON.stringify(body))).toEqual(body);
  });
});

describe("content coding", () => {
  const text = JSON.stringify({ a: "x".repeat(1000) });
  it.each([
    ["gzip", gzipSync(text)],
    ["X-GZIP", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
    ["gzip, br", brotliCompressSync(gzipSync(text))],
    ["deflate,,identity , gzip", gzipSync(deflateSync(text))],
  ])("decodes %s", async (coding, body) => {
    const { url } = await answering(200, { ...json, "content-encoding": coding }, body);
    expect((await get(url)).result.data).toEqual(JSON.parse(text));
  });

  it.each([
    ["gzip", Buffer.from("not gzip"), "the body is not valid gzip"],
    ["gzip", gzipSync(text).subarray(0, 30), "the body is not valid gzip"],
    ["br", Buffer.from("not brotli"), "the body is not valid br"],
    ["deflate", Buffer.from("not deflate"), "the body is not valid deflate"],
    ["sdch", Buffer.from(text), "the body has an unknown content encoding"],
    ["__proto__", Buffer.from(text), "the body has an unknown content encoding"],
    ["gzip, gzip, gzip, gzip", Buffer.from(text), "the body is encoded more than 3 times"],
    ["gzip", gzipSync(Buffer.alloc(50_000_000, 0x20)), "the body is longer than 100000 bytes"],
    [
      "br",
      brotliCompressSync(Buffer.alloc(50_000_000, 0x20)),
      "the body is longer than 100000 bytes",
    ],
  ])("fails the call if coded data is damaged or too long: %s", async (coding, body, reason) => {
    const { url } = await answering(200, { ...json, "content-encoding": coding }, body);
    const error = await failure(get(url, { maxResponseBytes: 100_000 }));
    expect(error.failure).toEqual({ code: "PROVIDER.PROTOCOL", reason });
  });

  it("accepts a content coding on an answer without a body", async () => {
    const { url } = await answering(200, { "content-encoding": "gzip" });
    expect((await get(url)).result.data).toBeNull();
  });
});

describe("body of a failure", () => {
  it("gives JSON, text, or null", async () => {
    expect(await error("application/json", '{"a":1}')).toEqual({ a: 1 });
    expect(await error("application/json", "{oops")).toBe("{oops");
    expect(await error("text/html", "<h1>")).toBe("<h1>");
    expect(await error("text/html; charset=klingon", "<h1>")).toBe("<h1>");
    expect(await error("text/plain", Buffer.from([0x61, 0xff]))).toBe("a\ufffd");
    expect(await error(undefined, "")).toBeNull();
    expect(await error("application/json", "[".repeat(5000))).toBe("[".repeat(5000));
  });

  it("gives the part that `error_path` finds, or else the whole body", async () => {
    const { url } = await answering(400, json, '{"error":{"message":"no","code":null}}');
    const at = async (find: (body: unknown) => unknown) =>
      (await get(url, { error: find })).result.error;
    expect(await at((body) => pick(body, "error", "message"))).toBe("no");
    expect(await at((body) => pick(body, "error", "code"))).toBeNull();
    expect(await at((body) => pick(body, "errors"))).toEqual({
      error: { message: "no", code: null },
    });
  });
});

describe("data", () => {
  it("gives the values that the path finds", async () => {
    const { url } = await answering(200, json, '{"items":[{"id":1},{"id":2}],"none":null}');
    const at = async (find: (body: unknown) => unknown) =>
      (await get(url, { data: find })).result.data;
    expect(await at(selector("$.items[*].id"))).toEqual([1, 2]);
    expect(await at((body) => pick(body, "items", -1, "id"))).toBe(2);
    expect(await at((body) => pick(body, "none"))).toBeNull();
  });

  it("fails the call when the path finds nothing", async () => {
    const { url } = await answering(200, json, "{}");
    for (const name of ["data", "constructor", "__proto__", "toString"]) {
      const error = await failure(get(url, { data: (body) => pick(body, name) }));
      expect(error.failure).toEqual({
        code: "PROVIDER.PROTOCOL",
        reason: "the response has no value at the response path",
      });
    }
  });

  it.each<[path: readonly (string | number)[], body: string, reason: string]>([
    [["data"], '{"items":[],"total":1}', "the body has no `data`: it has `items`, `total`"],
    [["data", "id"], '{"data":{}}', "`data` has no `id`: it is empty"],
    [["data", "id"], '{"data":null}', "`data` has no `id`: it is null"],
    [["data", "id"], '{"data":"hunter2"}', "`data` has no `id`: it is text"],
    [["data", "id"], '{"data":true}', "`data` has no `id`: it is a boolean"],
    [["data", 2, "id"], '{"data":[1]}', "`data` has no item 2: it has 1"],
    [["data", -1], '{"data":[]}', "`data` has no item -1: it has 0"],
    [["data", "id"], '{"data":[{"id":1}]}', "`data` is a list, which has no `id`"],
    [["data", 0, "id"], '{"data":[{"ID":1}]}', "`data[0]` has no `id`: it has `ID`"],
    [["data"], '{"a\\nb":"hunter2"}', "the body has no `data`: it has `a\ufffdb`"],
    [["data"], '{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1}', "the body has no `data`"],
  ])(
    "names the keys that exist instead if there is nothing at %j of %s",
    async (dataPath, body, reason) => {
      const { url } = await answering(200, json, body);
      const error = await failure(get(url, { data: () => undefined, dataPath }));
      expect(error.failure).toEqual({
        code: "PROVIDER.PROTOCOL",
        reason: `the response has no value at the response path: ${reason}`,
      });
    },
  );

  it("comes only from a response that fits its schema", async () => {
    const hasId: Validator = Object.assign(
      (value: unknown): value is unknown => {
        const fits = typeof value === "object" && value !== null && "id" in value;
        hasId.errors = fits
          ? null
          : [
              {
                instancePath: "",
                keyword: "required",
                message: "must have required property 'id'",
                params: { missingProperty: "id" },
              },
            ];
        return fits;
      },
      { errors: null },
    );
    const good = await answering(200, json, '{"id":1}');
    expect((await get(good.url, { response: hasId })).result.data).toEqual({ id: 1 });
    const bad = await answering(200, json, '{"secret":"hunter2"}');
    const error = await failure(get(bad.url, { response: hasId }));
    expect(error.failure).toEqual({
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "response",
      problems: [
        { pointer: "/id", keyword: "required", message: "must have required property 'id'" },
      ],
    });
    expect(error.message).not.toContain("hunter2");
    const failed = await answering(404, json, "{}");
    expect((await get(failed.url, { response: hasId })).result.status).toBe("error");
  });

  it("rejects the call with the error that a contract's own function throws", async () => {
    const { url } = await answering(200, json, "{}");
    const bug = new RangeError("stack");
    await expect(
      get(url, {
        data: () => {
          throw bug;
        },
      }),
    ).rejects.toBe(bug);
  });
});

describe("headers of an answer", () => {
  it("reads headers that repeat, in any case, and with names of prototype properties", async () => {
    const { url } = await serveRaw((socket) =>
      socket.end(
        rawAnswer(
          200,
          [
            "Content-TYPE: application/json",
            "__proto__: x",
            "__proto__: y",
            "constructor: z",
            "Set-Cookie: a",
            "Set-Cookie: b",
          ],
          '{"a":1}',
        ),
      ),
    );
    expect((await get(url)).result.data).toEqual({ a: 1 });
  });
});
