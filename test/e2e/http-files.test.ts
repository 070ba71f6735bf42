/** Calls of the case http-files over a loopback server, which reads bodies with Node's own parser. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import {
  createMemoryLedger,
  createRuntime,
  isToolError,
  preflight,
  queryLedger,
  type RuntimeOptions,
  type ToolError,
  type ToolFile,
} from "../../src/runtime/index.js";
import {
  createListing,
  sendForm,
  sendRows,
  sendScan,
} from "../cases/http-files/generated/desk/index.js";

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0, 255]);
const base64 = Buffer.from(png).toString("base64");
const facts = { size: 8, sha256: createHash("sha256").update(png).digest("hex") };
const key = "a-key-that-no-one-sees";

interface Received {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** A server that keeps what it gets, byte for byte. */
async function serve(
  respond: (response: ServerResponse, count: number) => void = (r) => r.end("{}"),
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      // Without an encoding they are buffers.
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    respond(response, received.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}

/** A project's folder with `uploads/cat.png`. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillc-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "uploads"));
  writeFileSync(join(folder, "uploads", "cat.png"), png);
  return folder;
}

const runtimeAt = (url: string, options: RuntimeOptions = {}) =>
  createRuntime({
    inherit: false,
    ledger: false,
    credentials: { LISTINGS_URL: url, LISTINGS_KEY: key },
    ...options,
  });

function formOf({ body, headers }: Received): Promise<FormData> {
  const type = String(headers["content-type"]);
  return new Response(Uint8Array.from(body), { headers: { "content-type": type } }).formData();
}

async function failureOf(call: Promise<unknown>): Promise<ToolError> {
  const thrown: unknown = await call.catch((error: unknown) => error);
  if (isToolError(thrown)) return thrown;
  throw new Error("it did not fail with a ToolError", { cause: thrown });
}

const listing = { title: "Cat “Minka”", meta: { price: 3 } };

test("a server gets every part unchanged, and files byte for byte", async () => {
  const { received, url } = await serve();
  const runtime = runtimeAt(url, { directory: project() });
  const result = await createListing(
    {
      ...listing,
      tags: ["a", "b\r\nc"],
      photo: { path: "uploads/cat.png", type: "image/x-cat" },
      others: [{ base64, name: 'a "b"\r\n.png' }, { bytes: png }],
    },
    { runtime },
  );
  expect(result.status).toBe("success");
  const [request] = received;
  if (request === undefined) throw new Error("nothing came");
  expect(request.headers["content-length"]).toBe(String(request.body.length));
  const form = await formOf(request);
  expect(form.get("title")).toBe(listing.title);
  expect(form.getAll("tags")).toEqual(["a", "b\r\nc"]);
  expect(form.get("note")).toBe(`by ${listing.title}`);
  expect(JSON.parse(String(form.get("meta")))).toEqual(listing.meta);
  expect(JSON.parse(String(form.get("extra")))).toEqual({ title: listing.title, key });
  const files = [form.get("photo"), ...form.getAll("others[]")] as readonly File[];
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ["cat.png", "image/x-cat"],
    ['a "b"\r\n.png', "image/png"],
    ["file", "image/png"],
  ]);
  for (const each of files) expect(new Uint8Array(await each.arrayBuffer())).toEqual(png);
  expect(request.body.toString("latin1")).toContain(
    'name="meta"\r\nContent-Type: application/json\r\n\r\n{"price":3}\r\n',
  );
});

test("a file is the whole body, with its own type or the skill's", async () => {
  const { received, url } = await serve();
  const runtime = runtimeAt(url);
  await sendScan({ scan: { bytes: png, type: "image/png" } }, { runtime });
  await sendScan({ scan: { base64 } }, { runtime });
  await sendRows({ rows: { bytes: Buffer.from("a,b"), type: "text/plain" } }, { runtime });
  await sendRows({}, { runtime });
  expect(received.map(({ headers }) => headers["content-type"])).toEqual([
    "image/png",
    "application/octet-stream",
    "text/csv",
    undefined,
  ]);
  expect(received.map(({ body }) => body.toString("latin1"))).toEqual([
    Buffer.from(png).toString("latin1"),
    Buffer.from(png).toString("latin1"),
    "a,b",
    "",
  ]);
});

test("further fields are parts beside a file, and records show no sensitive one", async () => {
  const { received, url } = await serve();
  const ledger = createMemoryLedger();
  const runtime = runtimeAt(url, { ledger });
  const given = {
    scan: { bytes: png },
    fields: { name: "Anna", ids: ["9007199254740993"], range: { end: "9007199254740993" }, a: "b" },
  };
  const shadowed = await sendForm(given, { runtime, mode: "shadow" });
  expect(shadowed).toMatchObject({
    request: {
      body: {
        scan: facts,
        name: "***",
        ids: "9007199254740993",
        range: { end: "9007199254740993" },
        a: "b",
      },
    },
  });
  expect((await sendForm(given, { runtime })).status).toBe("success");
  const [request] = received;
  if (request === undefined) throw new Error("nothing came");
  const form = await formOf(request);
  expect(new Uint8Array(await (form.get("scan") as File).arrayBuffer())).toEqual(png);
  form.delete("scan");
  expect([...form]).toEqual([
    ["name", "Anna"],
    ["ids", "9007199254740993"],
    ["range", '{"end":9007199254740993}'],
    ["a", "b"],
  ]);
  for await (const each of queryLedger({ ledger }))
    expect(JSON.stringify(each)).not.toContain("Anna");
});

test("a further field with the name of a declared part fails the call", async () => {
  const { received, url } = await serve();
  const call = sendForm(
    { scan: { bytes: png }, fields: { "SCAN[0]": "x" } },
    { runtime: runtimeAt(url) },
  );
  expect((await failureOf(call)).failure).toMatchObject({
    code: "SCHEMA.VALIDATION_FAILED",
    problems: [{ pointer: "/fields/SCAN[0]", keyword: "map-name" }],
  });
  expect(received).toEqual([]);
});

/** Streams of both kinds, in two pieces. */
const streams: readonly (() => Extract<ToolFile, { stream: unknown }>["stream"])[] = [
  async function* () {
    yield png.subarray(0, 3);
    yield png.subarray(3);
  },
  () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(png.subarray(0, 3));
        controller.enqueue(png.subarray(3));
        controller.close();
      },
    }),
];

test.each(streams)("a stream is sent as it arrives, without a length", async (stream) => {
  const { received, url } = await serve();
  const runtime = runtimeAt(url);
  await sendScan({ scan: { stream: stream() } }, { runtime });
  await createListing({ ...listing, photo: { stream: stream(), name: "s.png" } }, { runtime });
  expect(received.map(({ headers }) => headers["transfer-encoding"])).toEqual([
    "chunked",
    "chunked",
  ]);
  const [scan, form] = received;
  expect(new Uint8Array(scan?.body ?? [])).toEqual(png);
  const photo = (form && (await formOf(form)).get("photo")) as File;
  expect(photo.name).toBe("s.png");
  expect(new Uint8Array(await photo.arrayBuffer())).toEqual(png);
});

test("bytes are sent again if a server asks for it, and a stream is not", async () => {
  const { received, url } = await serve((response, count) =>
    response.writeHead(count % 2 === 1 ? 503 : 200).end("{}"),
  );
  const runtime = runtimeAt(url);
  expect((await sendScan({ scan: { bytes: png } }, { runtime })).status).toBe("success");
  expect(received.map(({ body }) => new Uint8Array(body))).toEqual([png, png]);
  const stream = streams[0]?.();
  if (stream === undefined) throw new Error("no stream");
  expect(await sendScan({ scan: { stream } }, { runtime })).toMatchObject({ status_code: 503 });
  expect(received).toHaveLength(3);
  const error = await failureOf(sendScan({ scan: { stream } }, { runtime }));
  expect(error.message).toContain("is a stream that another call already has");
  expect(received).toHaveLength(3);
});

test("a redirect of the body is followed with bytes, and becomes the answer to a stream", async () => {
  const { received, url } = await serve((response, count) =>
    count === 2 ? response.end("{}") : response.writeHead(307, { location: "/other" }).end(),
  );
  const runtime = runtimeAt(url);
  expect((await sendScan({ scan: { bytes: png } }, { runtime })).status).toBe("success");
  const stream = streams[0]?.() as AsyncIterable<Uint8Array>;
  expect(await sendScan({ scan: { stream } }, { runtime })).toMatchObject({ status_code: 307 });
  expect(received).toHaveLength(3);
});

test("a stream that fails, contains no bytes or is too long ends the call with an unknown outcome", async () => {
  const { received, url } = await serve();
  const runtime = runtimeAt(url);
  const failing = async function* (): AsyncGenerator<Uint8Array> {
    yield png;
    throw new Error("a secret place");
  };
  const texts = async function* () {
    yield "text" as unknown as Uint8Array;
  };
  const long = async function* () {
    for (;;) yield new Uint8Array(600);
  };
  for (const [stream, message] of [
    [failing(), "its stream failed"],
    [texts(), "must be a stream of bytes"],
    [long(), "is longer than the limit for files"],
  ] as const) {
    const error = await failureOf(sendScan({ scan: { stream } }, { runtime }));
    expect(error).toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      attempts: 1,
      outcome: "unknown",
    });
    expect(error.message).toMatch(/^parameters of `desk\/send-scan` can't be sent: \/scan /);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("secret place");
  }
  expect(received).toEqual([]);
});

test("a stream that never goes on ends with its call and is released", async () => {
  const { url } = await serve();
  const abort = new AbortController();
  let released = 0;
  let asked = 0;
  const stream = {
    [Symbol.asyncIterator]: () => ({
      next() {
        asked += 1;
        if (asked === 1) return Promise.resolve({ value: png });
        abort.abort();
        return new Promise<IteratorResult<Uint8Array>>(() => {});
      },
      async return() {
        released += 1;
        return { done: true as const, value: undefined };
      },
    }),
  };
  const error = await failureOf(
    sendScan({ scan: { stream } }, { runtime: runtimeAt(url), signal: abort.signal }),
  );
  expect(error).toMatchObject({ failure: { reason: "aborted" }, outcome: "unknown" });
  await expect.poll(() => released).toBe(1);
});

test("a stream is released if the server answers before it has read all of it", async () => {
  const server = createServer((_request, response) => response.writeHead(413).end("{}"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  let chunks = 0;
  const stream = new Readable({
    read() {
      chunks += 1;
      if (chunks === 1) this.push(png);
    },
  });
  const result = await sendScan(
    { scan: { stream } },
    { runtime: runtimeAt(`http://127.0.0.1:${port}`) },
  );
  expect(result).toMatchObject({ status: "error", status_code: 413 });
  await expect.poll(() => stream.destroyed).toBe(true);
});

test("paths lead to files below the listed folders, and nowhere else", async () => {
  const { received, url } = await serve();
  const directory = project();
  const at = (path: string) => join(directory, path);
  writeFileSync(at("secret.txt"), "secret");
  mkdirSync(at("uploads/folder"));
  mkdirSync(at("uploads-too"));
  writeFileSync(at("uploads-too/a.txt"), "secret");
  symlinkSync(at("secret.txt"), at("uploads/link.txt"));
  symlinkSync(directory, at("uploads/all"));
  symlinkSync(at("uploads/cat.png"), at("uploads/inside.png"));
  writeFileSync(at("uploads/long.bin"), new Uint8Array(1001));
  const runtime = runtimeAt(url, { directory });
  const outside = "is a path outside the folders of `files`";
  const none = "can't be read: the file does not exist";
  const noFile = "can't be read: it is a folder, a pipe or a device";
  const refused: Readonly<Record<string, string>> = {
    "secret.txt": outside,
    "uploads/../secret.txt": outside,
    [at("secret.txt")]: outside,
    "/etc/passwd": outside,
    "/there/is/nothing": outside,
    "uploads-too/a.txt": outside,
    uploads: outside,
    "uploads/link.txt": outside,
    "uploads/all/secret.txt": outside,
    "uploads/gone.png": none,
    "uploads/cat.png/x": none,
    "shared/none.png": none,
    "uploads/cat.png\0.txt": "is a path that contains a NUL",
    "uploads/folder": noFile,
    "uploads/long.bin": "exceeds the limit of 1000 bytes for the files of a call",
    "": "must have text as `path`",
  };
  for (const [path, message] of Object.entries(refused)) {
    const error = await failureOf(sendScan({ scan: { path } }, { runtime }));
    expect(error).toMatchObject({
      attempts: 0,
      outcome: "not-done",
      failure: {
        code: "SCHEMA.VALIDATION_FAILED",
        problems: [{ pointer: "/scan", keyword: "file", message }],
      },
    });
  }
  expect(received).toEqual([]);
  for (const path of [
    "uploads/cat.png",
    "./uploads/../uploads/cat.png",
    at("uploads/cat.png"),
    "uploads/inside.png",
  ])
    expect((await sendScan({ scan: { path } }, { runtime })).status).toBe("success");
  expect(received.map(({ body }) => new Uint8Array(body))).toEqual([png, png, png, png]);
});

test("rejects invalid files before anything is read or sent", async () => {
  const { received, url } = await serve();
  const runtime = runtimeAt(url);
  const refused: readonly (readonly [unknown, string])[] = [
    [{}, "must have one of `path` and `base64`"],
    [{ path: "a", base64: "" }, "must have one of `path` and `base64`"],
    [{ base64, mode: 1 }, "has other fields than"],
    [{ base64: `${base64}\n` }, "must have base64 as `base64`"],
    [{ base64: base64.replace("=", "") }, "must have base64 as `base64`"],
    [{ base64: "_-8=" }, "must have base64 as `base64`"],
    [{ base64: "QQ==QQ==" }, "must have base64 as `base64`"],
    [{ base64: 1 }, "must have text as `base64`"],
    [{ base64: "A".repeat(1400) }, "exceeds the limit of 1000 bytes"],
    [{ bytes: { 0: 1 } }, "must have a `Uint8Array` as `bytes`"],
    [{ bytes: new Uint8Array(1001) }, "exceeds the limit of 1000 bytes"],
    [{ stream: {} }, "must have a stream of bytes as `stream`"],
    [{ stream: "text" }, "must have a stream of bytes as `stream`"],
    [{ base64, name: "\ud800" }, "must have well-formed text as `name`"],
    [{ base64, type: "image/png\r\nX-Evil: 1" }, "must have a media type as `type`"],
    [png, "must be a file: pass `{ bytes }`"],
    ["cat.png", "must be an object"],
  ];
  for (const [scan, message] of refused) {
    const error = await failureOf(sendScan({ scan: scan as ToolFile }, { runtime }));
    expect(error).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED", outcome: "not-done" });
    expect(error.message).toContain(message);
  }
  const both = { photo: { bytes: new Uint8Array(600) }, others: [{ bytes: new Uint8Array(600) }] };
  const error = await failureOf(createListing({ ...listing, ...both }, { runtime }));
  expect(error.message).toContain("/others/0 exceeds the limit of 1000 bytes");
  expect(received).toEqual([]);
});

test("shadow mode and the ledger contain names, sizes and digests, and no byte of a file", async () => {
  const ledger = createMemoryLedger();
  const runtime = runtimeAt("http://127.0.0.1:1", { directory: project(), ledger, mode: "shadow" });
  const call = () =>
    createListing(
      {
        ...listing,
        photo: { path: "uploads/cat.png" },
        others: [
          { base64, name: "b.png" },
          { stream: streams[0]?.() as AsyncIterable<Uint8Array> },
        ],
      },
      { runtime },
    );
  const result = await call();
  const again = await call();
  expect(JSON.parse(JSON.stringify(result))).toMatchObject({
    request: {
      headers: { "content-type": "multipart/form-data" },
      body: {
        title: listing.title,
        meta: { price: 3 },
        extra: { key: "${LISTINGS_KEY}" },
        photo: { name: "cat.png", ...facts },
        "others[]": [
          { name: "b.png", ...facts },
          { name: "file", stream: true },
        ],
      },
    },
  });
  const bodyOf = (one: object) => ("request" in one ? (one.request as { body: unknown }).body : "");
  expect(bodyOf(again)).toEqual(bodyOf(result));
  const records: string[] = [];
  for await (const each of queryLedger({ ledger })) records.push(JSON.stringify(each));
  expect(records[0]).not.toContain(base64);
  expect(JSON.parse(records[0] ?? "")).toMatchObject({
    parameters: {
      photo: { path: "uploads/cat.png", ...facts },
      others: [{ name: "b.png", ...facts }, { stream: true }],
    },
  });
});

test("a masked file shows nothing of it, in shadow mode and in the ledger", async () => {
  const ledger = createMemoryLedger();
  const runtime = runtimeAt("http://127.0.0.1:1", { ledger, mode: "shadow" });
  const result = await sendScan({ scan: { base64, name: "anna.png" } }, { runtime });
  expect(result).toMatchObject({ request: { body: "***" } });
  for await (const each of queryLedger({ ledger })) {
    expect(each).toMatchObject({ parameters: { scan: "***" } });
    expect(JSON.stringify(each)).not.toMatch(new RegExp(`anna|${facts.sha256}`));
  }
});

test("a dry run explains why a file would not be read", async () => {
  const runtime = runtimeAt("http://127.0.0.1:1", { directory: project() });
  expect(
    await preflight(sendScan, { scan: { path: "uploads/cat.png" } }, { runtime }),
  ).toMatchObject({
    allow: true,
    request: { body: "***" },
  });
  expect(await preflight(sendRows, { rows: { path: "uploads/gone" } }, { runtime })).toMatchObject({
    allow: false,
    reason: { message: expect.stringContaining("the file does not exist") as unknown },
  });
});

test("a handler in place of the binding gets the bytes of a file, however it was given", async () => {
  const given: ToolFile[] = [];
  const runtime = runtimeAt("http://127.0.0.1:1", {
    directory: project(),
    handlers: {
      "desk/send-rows": async ({ rows }: { rows: ToolFile }) => {
        given.push(rows);
        return null;
      },
    },
  });
  await sendRows({ rows: { path: "uploads/cat.png" } }, { runtime });
  await sendRows({ rows: { base64, name: "b.png" } }, { runtime });
  await sendRows({ rows: { stream: streams[0]?.() as AsyncIterable<Uint8Array> } }, { runtime });
  expect(given.slice(0, 2)).toEqual([{ bytes: png }, { name: "b.png", bytes: png }]);
  const [, , last] = given;
  expect(last && "stream" in last).toBe(true);
});
