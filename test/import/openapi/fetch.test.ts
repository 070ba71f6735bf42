import { lookup } from "node:dns/promises";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { classOf } from "@skillc/runtime/internal/governance";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { filesIn, makeProject } from "../../cli/support/command-line.js";
import { importIn, importText, ok, openApi, serve } from "./support.js";

const referring = (reference: string): string =>
  openApi({
    "/a": {
      get: {
        responses: {
          200: {
            description: "ok",
            content: { "application/json": { schema: { $ref: reference } } },
          },
        },
      },
    },
  });

const messages = (told: readonly { readonly message: string }[]) =>
  told.map(({ message }) => message);

describe("an import from the web", () => {
  test("reads the given page, and those of its own origin", async () => {
    const asked: (string | undefined)[] = [];
    const origin = await serve((request, response) => {
      asked.push(request.url);
      response.end(request.url === "/api.json" ? referring("schemas/a.json") : '{"type":"string"}');
    });
    const { code, files } = await importIn(makeProject(), [`${origin}/api.json`]);
    expect(code).toBe(0);
    expect(asked).toEqual(["/api.json", "/schemas/a.json"]);
    expect(files["skills/schemas/shop/a.json"]).toContain('"type": "string"');
  });

  test("reads no other origin, unless the command line allows it", async () => {
    let asked = 0;
    const other = await serve((_, response) => {
      asked += 1;
      response.end('{"type":"string"}');
    });
    const origin = await serve((_, response) => void response.end(referring(`${other}/a.json`)));
    const refused = await importIn(makeProject(), [`${origin}/api.json`]);
    expect(asked).toBe(0);
    expect(messages(refused.told)).toContainEqual(
      expect.stringContaining("the command line does not name the origin"),
    );
    const allowed = await importIn(makeProject(), [`${origin}/api.json`, "--allow", other]);
    expect(asked).toBe(1);
    expect(allowed.files["skills/schemas/shop/a.json"]).toContain('"type": "string"');
  });

  test("follows no redirect to another origin", async () => {
    let asked = 0;
    const other = await serve((_, response) => {
      asked += 1;
      response.end(openApi({ "/a": { get: ok } }));
    });
    const origin = await serve((request, response) => {
      const location = request.url === "/api.json" ? "/moved.json" : `${other}/api.json`;
      response.writeHead(302, { location }).end();
    });
    const { code, files, stderr } = await importIn(makeProject(), [`${origin}/api.json`]);
    expect(code).toBe(1);
    expect(stderr).toContain(`it redirects to \`${other}\``);
    expect([asked, files]).toEqual([0, {}]);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/x.json",
    "http://2852039166/latest/meta-data/",
    "http://0xa9.0xfe.0xa9.0xfe/",
    "http://[::ffff:169.254.169.254]/",
  ])("connects to no metadata service: %s", async (url) => {
    const { code, stderr } = await importIn(makeProject(), [url]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "an import never connects to a link-local address or a metadata service",
    );
  });

  test("connects to no metadata service from a document, even if it is allowed", async () => {
    const metadata = "http://169.254.169.254";
    const origin = await serve((_, response) => void response.end(referring(`${metadata}/a.json`)));
    const { files, told } = await importIn(makeProject(), [
      `${origin}/api.json`,
      "--allow",
      metadata,
    ]);
    expect(messages(told)).toContainEqual(
      expect.stringContaining(
        "an import never connects to a link-local address or a metadata service",
      ),
    );
    expect(files).toEqual({});
  });

  test.each<[what: string, answer: Parameters<typeof serve>[0], told: string]>([
    [
      "redirects to itself",
      (_, response) => response.writeHead(307, { location: "/api.json" }).end(),
      "it redirects more than 5 times",
    ],
    [
      "redirects to a metadata service",
      (_, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
      "it redirects to `http://169.254.169.254`",
    ],
    [
      "redirects to a file",
      (_, response) => response.writeHead(302, { location: "file:///etc/hostname" }).end(),
      "it redirects to",
    ],
    [
      "packs what it sends",
      (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("x"),
      "the server encodes it as `gzip`, which the import did not request",
    ],
    [
      "breaks off",
      (_, response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write("{", () => response.destroy());
      },
      "skillc can't import ",
    ],
    [
      "sends no text",
      (_, response) => response.end(Buffer.from([0x7b, 0xff, 0xfe])),
      "its byte 1 is not UTF-8",
    ],
    [
      "wants a password",
      (_, response) => response.writeHead(401).end("secret words"),
      "the server answers 401",
    ],
  ])("reports a server that %s, and writes nothing", async (_what, answer, told) => {
    const origin = await serve(answer);
    const { code, files, stderr } = await importIn(makeProject(), [`${origin}/api.json`]);
    expect([code, files]).toEqual([1, {}]);
    expect(stderr).toContain(told);
    expect(stderr).not.toContain("secret words");
  });

  test("connects to no private address behind a name", async ({ skip }) => {
    const found = await lookup(hostname()).catch(() => undefined);
    if (found === undefined || classOf(found.address) !== "private")
      return skip("this machine's name stands for no private address");
    const { code, stderr } = await importIn(makeProject(), [`http://${hostname()}:9/api.json`]);
    expect(code).toBe(1);
    expect(stderr).toContain("in a private network, and the command line names no private address");
  });

  test("stops at a body that is larger than the limit", async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { "content-length": String(200 * 1024 * 1024) });
      response.write(" ");
    });
    const { code, stderr } = await importIn(makeProject(), [`${origin}/api.json`]);
    expect(code).toBe(1);
    expect(stderr).toContain("it is larger than 100 MiB");
  });

  test("sends a user and a password from the command line, and writes them nowhere", async () => {
    const sent: (string | undefined)[] = [];
    const origin = await serve((request, response) => {
      sent.push(request.headers.authorization);
      response.end(openApi({ "/a": { get: ok } }));
    });
    const named = origin.replace("//", "//ada:hunter2@");
    const { root, stdout } = await importIn(makeProject(), [`${named}/api.json?key=hunter2`]);
    expect(sent).toEqual([`Basic ${Buffer.from("ada:hunter2").toString("base64")}`]);
    expect(JSON.stringify([filesIn(root), stdout])).not.toContain("hunter2");
  });

  test("follows no reference from a page to a file of this machine", async () => {
    const origin = await serve(
      (_, response) => void response.end(referring("file:///etc/hostname")),
    );
    const { told } = await importIn(makeProject(), [`${origin}/api.json`]);
    expect(messages(told)).toContainEqual(
      expect.stringContaining("a document from the web may not refer to files of this machine"),
    );
  });
});

describe("the example of a server's setting", () => {
  test.each([
    ["is resolved from the document's address", { servers: [{ url: "../v9" }] }, "/apis/v9"],
    ["is a path of the document's origin", { servers: [{ url: "/abs/" }] }, "/abs"],
    ["is the document's folder", { servers: [{ url: "./" }] }, "/apis/shop"],
    ["is the origin where there is none", {}, ""],
    ["is the origin where it is `/`", { servers: [{ url: "/" }] }, ""],
    ["is the base path", { openapi: undefined, swagger: "2.0", basePath: "/v2" }, "/v2"],
  ])("the example of a server's setting %s", async (_what, more, path) => {
    const text = openApi({ "/a": { get: ok } }, more);
    const origin = await serve((_, response) => void response.end(text));
    const named = origin.replace("//", "//ada:hunter2@");
    const { report } = await importIn(makeProject(), [`${named}/apis/shop/api.json?key=hunter2`]);
    expect(report.settings).toContainEqual({ name: "SHOP_URL", example: `${origin}${path}` });
  });

  test("may be the address of another server, unchanged", async () => {
    const text = openApi({ "/a": { get: ok } }, { servers: [{ url: "https://shop.example/v1" }] });
    const origin = await serve((_, response) => void response.end(text));
    const { report } = await importIn(makeProject(), [`${origin}/api.json`]);
    expect(report.settings).toEqual([{ name: "SHOP_URL", example: "https://shop.example/v1" }]);
  });
});

describe("an import from a file", () => {
  test("reads nothing outside of its folder and the project, even through links", async () => {
    const outside = makeProject({ "secret.json": '{"type":"string","title":"secret"}' });
    const root = makeProject({
      "api.json": referring("link.json"),
      "b.json": referring(`${outside}/secret.json`),
    });
    symlinkSync(join(outside, "secret.json"), join(root, "link.json"));
    for (const name of ["api.json", "b.json"]) {
      const { files, told } = await importIn(root, [name, "--check"]);
      expect(messages(told)).toContainEqual(
        expect.stringContaining("it is outside of the document's folder and of the project"),
      );
      expect(JSON.stringify(files)).not.toContain("secret");
    }
    const { files } = await importIn(root, ["b.json", "--allow", outside]);
    expect(JSON.stringify(files)).toContain("secret");
  });

  test("reports a missing file", async () => {
    const { code, stderr } = await importText("{}", ["gone.yaml"]);
    expect(code).toBe(1);
    expect(stderr).toContain("skillc can't import `gone.yaml`: there is no such file");
  });

  test("reports a file that is too large before reading it", async () => {
    const root = makeProject({ "large.json": "" });
    truncateSync(join(root, "large.json"), 101 * 1024 * 1024);
    const { code, stderr } = await importIn(root, ["large.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain("skillc can't import `large.json`: it is larger than 100 MiB");
  });

  test("reports a folder", async () => {
    const root = makeProject();
    mkdirSync(join(root, "folder"));
    writeFileSync(join(root, "folder", "a"), "");
    const { code, stderr } = await importIn(root, ["folder"]);
    expect(code).toBe(1);
    expect(stderr).toContain("skillc can't import `folder`: it can't be read");
  });
});

describe("an import through a proxy", () => {
  /** Has everything that it is asked to connect to at one port of this machine. */
  async function proxyTo(
    target: string,
  ): Promise<{ readonly url: string; readonly asked: string[] }> {
    const asked: string[] = [];
    const server = createServer();
    const sockets = new Set<Socket>();
    server.on("connect", ({ headers, url = "" }: IncomingMessage, client: Socket) => {
      asked.push(`${url} ${headers["proxy-authorization"] ?? ""}`.trim());
      const upstream = connect(Number(new URL(target).port), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        client.pipe(upstream).pipe(client);
      });
      for (const each of [client, upstream]) sockets.add(each.on("error", () => {}));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => {
      server.close();
      for (const each of sockets) each.destroy();
    });
    // A server that listens on a port has one.
    const { port } = server.address() as AddressInfo;
    return { url: `http://desk:s3cret@127.0.0.1:${port}`, asked };
  }

  const behind = async (variables: Readonly<Record<string, string>>, url: string) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    return importIn(makeProject(), [url]);
  };

  test("requests a page through the proxy, which looks up its name", async () => {
    const origin = await serve((_, response) => void response.end(openApi({ "/a": { get: ok } })));
    const proxy = await proxyTo(origin);
    const { code } = await behind({ HTTP_PROXY: proxy.url }, "http://api.nowhere.example/api.json");
    expect(code).toBe(0);
    const proof = Buffer.from("desk:s3cret").toString("base64");
    expect(proxy.asked).toEqual([`api.nowhere.example:80 Basic ${proof}`]);
  });

  test("requests hosts in NO_PROXY and those of another protocol without the proxy", async () => {
    const origin = await serve((_, response) => void response.end(openApi({ "/a": { get: ok } })));
    const proxy = await proxyTo(origin);
    const variables = { HTTP_PROXY: proxy.url, NO_PROXY: "example.com, 127.0.0.1" };
    expect((await behind(variables, `${origin}/api.json`)).code).toBe(0);
    vi.unstubAllEnvs();
    expect((await behind({ HTTPS_PROXY: proxy.url }, `${origin}/api.json`)).code).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  test.each(["http://169.254.169.254/latest", "http://[fd00:ec2::254]/"])(
    "never requests the address of a metadata service: %s",
    async (url) => {
      const proxy = await proxyTo("http://127.0.0.1:1");
      const { code, stderr } = await behind({ HTTP_PROXY: proxy.url }, url);
      expect(code).toBe(1);
      expect(stderr).toContain(
        "an import never connects to a link-local address or a metadata service",
      );
      expect(proxy.asked).toEqual([]);
    },
  );

  test("never requests a private address that only a document names", async () => {
    const origin = await serve(
      (_, response) => void response.writeHead(302, { location: "http://10.0.0.7/" }).end(),
    );
    const proxy = await proxyTo(origin);
    const { code } = await behind({ HTTP_PROXY: proxy.url }, "http://api.nowhere.example/api.json");
    expect(code).toBe(1);
    expect(proxy.asked).toHaveLength(1);
  });

  test("rejects an invalid URL of the proxy without repeating it", async () => {
    const { code, stderr, stdout } = await behind(
      { HTTPS_PROXY: "desk:s3cret" },
      "https://api.nowhere.example/api.json",
    );
    expect(code).toBe(1);
    expect(stderr).toContain("HTTPS_PROXY must be the URL of a proxy");
    expect(stderr + stdout).not.toContain("s3cret");
  });
});
