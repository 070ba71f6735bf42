/** Answers that are text or bytes: what their content type may be, and where bytes go. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Attempt } from "../../../../src/runtime/call/attempt.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";
import { attempt, failure, get, serve } from "./support.js";

function answering(type: string | undefined, body: string | Buffer, coding?: string) {
  return serve((response) => {
    if (type !== undefined) response.setHeader("content-type", type);
    if (coding !== undefined) response.setHeader("content-encoding", coding);
    response.end(body);
  });
}

describe("text answer", () => {
  test.each([
    ["text/plain", Buffer.from("grün")],
    ["text/plain; charset=iso-8859-1", Buffer.from("grün", "latin1")],
    ["application/atom+xml; charset=UTF-8", Buffer.from("grün")],
    ["application/xml", Buffer.from("grün")],
    [undefined, Buffer.from("grün")],
  ])("decodes text of type %s by its charset", async (type, body) => {
    const { url } = await answering(type, body);
    const { result } = await get(`${url}/`, { content: { as: "text" } });
    expect(result).toEqual({ status: "success", data: "grün" });
  });

  test("gives an empty text, and not null, for an empty body", async () => {
    const { url } = await answering("text/plain", "");
    const { result } = await get(`${url}/`, { content: { as: "text" } });
    expect(result).toEqual({ status: "success", data: "" });
  });

  test("gives JSON as text if its content type is listed", async () => {
    const { url } = await answering("application/json", "[1]");
    const content = { as: "text", types: ["application/json"] } as const;
    const { result } = await get(`${url}/`, { content });
    expect(result).toEqual({ status: "success", data: "[1]" });
  });
});

describe("JSON with another content type", () => {
  const page = "text/html; charset=utf-8";
  const isObject = Object.assign((value: unknown): value is unknown => typeof value === "object", {
    errors: [{ instancePath: "", keyword: "type", message: "must be object" }],
  }) as unknown as Validator;

  test("the error for JSON sent as text names its content type", async () => {
    const { url } = await answering(page, '{"id":1}');
    const misfit = await failure(get(`${url}/`, { response: isObject }));
    expect(misfit.message).toMatch(
      /must be object; its content type is `text\/html`, so it is read as text$/,
    );
    const data = (body: unknown) => (body as { id?: unknown }).id;
    const lost = await failure(get(`${url}/`, { data, dataPath: ["id"] }));
    expect(lost.failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason:
        "the response has no value at the response path: the body has no `id`: it is text; its content type is `text/html`, so it is read as text",
    });
  });

  test("a body is read as JSON if its author lists its content type", async () => {
    const { url } = await answering(page, '{"id":1}');
    const content = { as: "json", types: ["text/html"] } as const;
    const { result } = await get(`${url}/`, { content });
    expect(result).toEqual({ status: "success", data: { id: 1 } });
  });
});

describe("content type that the binding does not take", () => {
  test.each([
    ["json", undefined, "text/html", "the response is `text/html`, but the binding accepts JSON"],
    [
      "text",
      undefined,
      "application/json",
      "the response is `application/json`, but the binding accepts text",
    ],
    [
      "bytes",
      ["application/pdf", "image/*"],
      "text/html; charset=utf-8",
      "the response is `text/html`, but the binding accepts `application/pdf` or `image/*`",
    ],
    [
      "bytes",
      ["application/pdf"],
      "Bearer secret/../",
      "the response is of an invalid content type, but the binding accepts `application/pdf`",
    ],
  ] as const)(
    "rejects, for %s answers of %j, the content type `%s`",
    async (as, types, given, reason) => {
      const { url } = await answering(given, "<html>");
      const content = { as, ...(types && { types }) };
      const error = await failure(get(`${url}/`, { content }));
      expect(error.failure).toEqual({ code: "PROVIDER.PROTOCOL", reason });
    },
  );

  test.each([["application/problem+json"], ["application/json; charset=utf-8"], ["text/json"]])(
    "accepts `%s` for a JSON answer",
    async (type) => {
      const { url } = await answering(type, "{}");
      const { result } = await get(`${url}/`, { content: { as: "json" } });
      expect(result).toEqual({ status: "success", data: {} });
    },
  );

  test("ignores the content type of an error, and of a status with a body of its own", async () => {
    const { url } = await serve((response, { path }) => {
      response.setHeader("content-type", "application/json");
      response.statusCode = Number(path.slice(1));
      response.end('{"wait":1}');
    });
    const content = { as: "bytes", types: ["application/pdf"] } as const;
    const rest = {
      content,
      statuses: { "202": "not_yet" },
      bodies: { "202": { schema: undefined, find: (body: object) => body, steps: undefined } },
    } as const;
    expect((await get(`${url}/404`, rest)).result).toMatchObject({ error: { wait: 1 } });
    expect((await get(`${url}/202`, rest as never)).result).toEqual({
      status: "not_yet",
      data: { wait: 1 },
    });
  });
});

describe("answer of any type", () => {
  test.each([
    ["application/json", '{"a":1}', { a: 1 }],
    ["application/vnd.a+json; charset=utf-8", "[1]", [1]],
    ["text/csv", "[1]", "[1]"],
    ["image/svg+xml", "<svg/>", "<svg/>"],
    [undefined, "[1]", [1]],
    [undefined, "plain", "plain"],
    ["application/json", "", null],
    ["application/pdf", "", null],
    [undefined, "", null],
  ])("reads the type %s of %j", async (type, body, data) => {
    const { url } = await answering(type, body);
    const { result } = await get(`${url}/`, { content: { as: "any" } });
    expect(result).toEqual({ status: "success", data });
  });

  test.each([
    ["application/pdf", Buffer.from("%PDF-1.7")],
    ["application/octet-stream", Buffer.from([0xff, 0xfe])],
    [undefined, Buffer.from([0x89, 0x50, 0xff])],
  ])("gives bytes of the type %s", async (type, body) => {
    const { url } = await answering(type, body);
    const { result } = await get(`${url}/`, { content: { as: "any" } });
    expect(Buffer.from(result.data as Uint8Array)).toEqual(body);
  });

  test("rejects a body that is not JSON, although its content type says so", async () => {
    const { url } = await answering("application/json", "{");
    const error = await failure(get(`${url}/`, { content: { as: "any" } }));
    expect(error.failure.code).toBe("PROVIDER.PROTOCOL");
  });
});

describe("bytes answer", () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 10, 13]);

  test("gives bytes without their content coding", async () => {
    const { url } = await answering("image/png", gzipSync(png), "gzip");
    const { result } = await get(`${url}/`, { content: { as: "bytes", types: ["image/*"] } });
    expect(Buffer.from(result.data as Uint8Array)).toEqual(png);
  });

  test("rejects bytes beyond the limit", async () => {
    const { url } = await answering("image/png", png);
    const error = await failure(
      get(`${url}/`, { content: { as: "bytes" }, maxResponseBytes: png.length - 1 }),
    );
    expect(error.message).toMatch(/the body is longer than 7 bytes/);
  });
});

describe("saved file", () => {
  function saving(): { readonly folder: string; readonly as: Attempt } {
    const folder = mkdtempSync(join(tmpdir(), "skillc-downloads-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return { folder, as: { ...attempt(), downloads: join(folder, "in", "here") } };
  }
  const content = { as: "file" } as const;

  test("gets a generated name, whatever name the server suggests", async () => {
    const { as, folder } = saving();
    const body = Buffer.alloc(300_000, "invoice ");
    const { url } = await serve((response) => {
      response.setHeader("content-type", "application/pdf; name=x");
      response.setHeader("content-disposition", 'attachment; filename="../../evil.sh"');
      response.end(body);
    });
    const { answerBytes, result } = await get(`${url}/`, { content }, as);
    const file = result.data as { readonly path: string };
    expect(result.data).toEqual({
      path: expect.stringMatching(/\/in\/here\/[0-9a-f-]{36}$/),
      size: body.length,
      sha256: createHash("sha256").update(body).digest("hex"),
      type: "application/pdf",
    });
    expect(answerBytes).toBe(body.length);
    expect(readFileSync(file.path).equals(body)).toBe(true);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["in"]);
    expect(readdirSync(join(folder, "in", "here"))).toHaveLength(1);
  });

  test("holds the bytes without their content coding", async () => {
    const { as } = saving();
    const { url } = await answering("text/csv", gzipSync("a,b\n"), "gzip");
    const { result } = await get(`${url}/`, { content }, as);
    expect(readFileSync((result.data as { readonly path: string }).path, "utf8")).toBe("a,b\n");
  });

  test.each([
    [
      "is longer than the limit by its content-length",
      { "content-length": "5000" },
      /longer than 1000/,
    ],
    ["is longer than the limit, without a content-length", {}, /longer than 1000/],
    ["unpacks to more than the limit", { "content-encoding": "gzip" }, /longer than 1000/],
    ["has an unknown content coding", { "content-encoding": "x-own" }, /unknown content/],
    ["does not match its content coding", { "content-encoding": "br" }, /content encoding/],
  ])("a body that %s leaves no file behind", async (_, headers, message) => {
    const { as } = saving();
    const isPacked = "content-encoding" in headers && headers["content-encoding"] === "gzip";
    const { url } = await serve((response) => {
      response.writeHead(200, headers as Record<string, string>);
      response.end(isPacked ? gzipSync(Buffer.alloc(5000)) : Buffer.alloc(5000, "x"));
    });
    const error = await failure(get(`${url}/`, { content, maxResponseBytes: 1000 }, as));
    expect(error.failure.code).toBe("PROVIDER.PROTOCOL");
    expect(error.message).toMatch(message);
    await expect.poll(() => filesIn(as)).toEqual([]);
  });

  test("a body that is cut leaves no file behind, and the call is worth a retry", async () => {
    const { as } = saving();
    const { url } = await serve((response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    const error = await failure(get(`${url}/`, { content }, as));
    expect(error.code).toBe("PROVIDER.UNAVAILABLE");
    expect(error.message).toMatch(/lost the connection to .* before the end of the response/);
    await expect.poll(() => filesIn(as)).toEqual([]);
  });

  test("an aborted call leaves no file behind", async () => {
    const { as } = saving();
    const caller = new AbortController();
    const { url } = await serve((response) => {
      response.writeHead(200);
      response.write("half");
    });
    const { onAbort, signal } = attempt({}, caller.signal);
    const pending = failure(get(`${url}/`, { content }, { ...as, onAbort, signal }));
    await expect.poll(() => filesIn(as)).toHaveLength(1);
    caller.abort(
      new (await import("../../../../src/runtime/errors.js")).ToolError(
        "skill/tool",
        { code: "UNKNOWN.INTERNAL", reason: "aborted" },
        "aborted",
      ),
    );
    expect((await pending).message).toBe("aborted");
    await expect.poll(() => filesIn(as)).toEqual([]);
  });

  test("a file that can't be written fails the call without a retry", async () => {
    const { as, folder } = saving();
    writeFileSync(join(folder, "in"), "a file where the folder should be");
    const { url } = await answering("application/pdf", "x");
    const error = await failure(get(`${url}/`, { content }, as));
    expect(error.failure).toEqual({ code: "UNKNOWN.INTERNAL", reason: "not-saved" });
  });

  function filesIn({ downloads = "" }: Attempt): readonly string[] {
    try {
      return readdirSync(downloads);
    } catch {
      return [];
    }
  }
});
