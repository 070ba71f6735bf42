/** Where client secrets go is a setting of the project, never the word of a document alone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { makeProject, put, skillc } from "../../cli/support/command-line.js";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importIn, importText, ok, openApi, putBase, serve } from "./support.js";

const metadata = "skills/a/metadata.yaml";

const oauth2 = (tokenUrl: string) => ({
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl, scopes: { read: "Read." } } },
});

function document(tokenUrl: string, server?: string, more: object = {}): string {
  return openApi(
    { "/a": { get: { operationId: "getA", ...ok } } },
    {
      ...(server !== undefined && { servers: [{ url: server }] }),
      security: [{ login: ["read"] }],
      components: { securitySchemes: { login: oauth2(tokenUrl), ...more } },
    },
  );
}

const tokenUrlIn = (files: Readonly<Record<string, string>>): unknown =>
  parse(files[metadata] ?? "").auth.oauth2.token_url;

describe("the token endpoint of an API", () => {
  test.each([
    ["https://api.example", "https://api.example/v1/token", "${SHOP_URL}/v1/token"],
    ["https://api.example/", "https://api.example/v1/token", "${SHOP_URL}/v1/token"],
    ["https://api.example/v1", "https://api.example/v1/token", "${SHOP_URL}/token"],
    ["https://api.example/v1/", "https://api.example/v1/token", "${SHOP_URL}/token"],
    ["https://API.example:443/v1", "https://api.example/v1/token", "${SHOP_URL}/token"],
    ["https://api.example/v1", "https://api.example/v1/$/{x}", "${SHOP_URL}/$/%7Bx%7D"],
    ["https://api.example/v1", "https://api.example/v10/token", "${SHOP_TOKEN_URL}"],
    ["https://api.example/v1", "https://api.example/token", "${SHOP_TOKEN_URL}"],
    ["https://api.example", "https://api.example.evil/token", "${SHOP_TOKEN_URL}"],
    ["https://api.example", "https://api.example:8443/token", "${SHOP_TOKEN_URL}"],
    ["https://api.example", "https://login.example/token", "${SHOP_TOKEN_URL}"],
    ["http://api.example", "https://api.example/token", "${SHOP_TOKEN_URL}"],
    ["https://{region}.example", "https://eu.example/token", "${SHOP_TOKEN_URL}"],
    ["/v1", "https://api.example/v1/token", "${SHOP_TOKEN_URL}"],
    [undefined, "https://api.example/v1/token", "${SHOP_TOKEN_URL}"],
  ])("below the server %s, a token endpoint %s becomes %s", async (server, tokenUrl, written) => {
    const { files, report } = await importText(document(tokenUrl, server));
    expect(tokenUrlIn(files)).toBe(written);
    expect(linesOf(await compileFiles(files), files)).toEqual([]);
    const isOwn = written === "${SHOP_TOKEN_URL}";
    expect(report.settings.filter(({ name }) => name === "SHOP_TOKEN_URL")).toEqual(
      isOwn ? [{ name: "SHOP_TOKEN_URL", example: tokenUrl }] : [],
    );
  });

  test("the token endpoint moves with the setting of the API's address", async () => {
    const asked: string[] = [];
    const at = await serve((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ access_token: "t", token_type: "bearer", expires_in: 60 }));
    });
    const text = document("https://api.example/v1/login", "https://api.example/v1");
    const { root } = await importText(text);
    put(root, ".env", `SHOP_URL=${at}/v1\nSHOP_CLIENT_ID=me\nSHOP_CLIENT_SECRET=secret\n`);
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0, stderr: "" });
    expect(await skillc(root, ["call", "a/get-a"])).toMatchObject({ code: 0 });
    const basic = Buffer.from("me:secret").toString("base64");
    expect(asked).toEqual([`POST /v1/login Basic ${basic}`, "GET /v1/a Bearer t"]);
  });

  test("each of several schemes has a setting of its own for its token endpoint", async () => {
    const other = oauth2("https://other.example/token");
    const text = JSON.parse(document("https://login.example/token", undefined, { other }));
    text.paths["/b"] = { get: { ...ok, tags: ["a"], security: [{ other: [] }] } };
    const { report } = await importText(JSON.stringify(text));
    expect(report.settings).toEqual([
      { name: "SHOP_URL" },
      { name: "SHOP_LOGIN_CLIENT_ID" },
      { name: "SHOP_LOGIN_CLIENT_SECRET" },
      { name: "SHOP_LOGIN_TOKEN_URL", example: "https://login.example/token" },
      { name: "SHOP_OTHER_CLIENT_ID" },
      { name: "SHOP_OTHER_CLIENT_SECRET" },
      { name: "SHOP_OTHER_TOKEN_URL", example: "https://other.example/token" },
    ]);
  });

  test("the import lists token endpoints with the settings that are sent there", async () => {
    const text = document("https://login.collector.example/token", "https://api.example");
    const root = makeProject({ "api.json": text });
    const { stdout } = await skillc(root, ["import", "openapi", "api.json"]);
    expect(stdout).toContain("  SHOP_TOKEN_URL=https://login.collector.example/token\n");
    expect(stdout).toContain(
      "Sent to get tokens:\n  SHOP_CLIENT_ID, SHOP_CLIENT_SECRET → ${SHOP_TOKEN_URL} (in the document: https://login.collector.example/token)\n",
    );
    expect((await importIn(root, ["api.json"])).report).toMatchObject({
      tokenEndpoints: [
        {
          tokenUrl: "${SHOP_TOKEN_URL}",
          documented: "https://login.collector.example/token",
          credentials: ["SHOP_CLIENT_ID", "SHOP_CLIENT_SECRET"],
        },
      ],
    });
  });
});

describe("a repeated import with a token endpoint that an earlier skillc wrote as a literal", () => {
  const old = "https://login.example/token";

  async function before(): Promise<string> {
    const { root, files } = await importText(document(old));
    const literal = (files[metadata] ?? "").replace("${SHOP_TOKEN_URL}", old);
    expect(literal).toContain(`token_url: ${old}`);
    put(root, metadata, literal);
    putBase(root, metadata, literal);
    return root;
  }

  test.each([
    ["", old],
    [
      ", not to `https://login.other.example/token` of the document",
      "https://login.other.example/token",
    ],
  ])("keeps the literal with a note%s", async (words, tokenUrl) => {
    const root = await before();
    put(root, "api.json", document(tokenUrl));
    const { code, files, report, told } = await importIn(root, ["api.json"]);
    expect([code, tokenUrlIn(files)]).toEqual([0, old]);
    expect(told.map(({ code: each, message }) => [each, message])).toEqual([
      [
        "import/literal-token-url",
        `client secrets still go to \`${old}\`, the address of an earlier import${words}`,
      ],
    ]);
    expect(report).toMatchObject({ tokenEndpoints: [{ tokenUrl: old, documented: tokenUrl }] });
  });

  test.each(["${SHOP_TOKEN_URL}", "${OUR_LOGIN}"])(
    "keeps the setting %s that a person wrote in its place",
    async (setting) => {
      const root = await before();
      const own = readFileSync(join(root, metadata), "utf8").replace(old, setting);
      put(root, metadata, own);
      put(root, "api.json", document("https://login.other.example/token"));
      const { code, files, told } = await importIn(root, ["api.json"]);
      expect([code, tokenUrlIn(files)]).toEqual([0, setting]);
      expect(told.map((each) => each.code)).toEqual(
        setting === "${OUR_LOGIN}" ? ["import/conflict"] : [],
      );
    },
  );
});
