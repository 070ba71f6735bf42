import { describe, expect, test } from "vitest";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importText, ok, openApi } from "./support.js";

const oauth2 = (tokenUrl: string) => ({
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl, scopes: {} } },
});
const key = (where: string, name: string) => ({ type: "apiKey", in: where, name });

/** What becomes of an operation that needs all of these schemes, and has these parameters. */
async function imported(schemes: object, parameters: readonly object[] = []) {
  const security = [Object.fromEntries(Object.keys(schemes).map((name) => [name, []]))];
  const paths = { "/a": { get: { security, parameters, ...ok } } };
  const text = openApi(paths, { components: { securitySchemes: schemes } });
  const { files, report } = await importText(text);
  const metadata = files["skills/a/metadata.yaml"] ?? "";
  return {
    binding: metadata.slice(metadata.indexOf("    binding:")),
    report,
    notes: report.operations[0]?.notes.map(({ message }) => message),
    lines: linesOf(await compileFiles(files), files),
  };
}

const query = (name: string) => ({ name, in: "query", schema: { type: "string" } });
const header = (name: string) => ({ name, in: "header", schema: { type: "string" } });

describe("the authentication of an API", () => {
  test.each([
    ["a query", "https://id.example/token?realm=a"],
    ["no TLS", "http://id.example/token"],
    ["no origin", "/token"],
  ])("becomes a setting for the token if its token endpoint has %s", async (_what, tokenUrl) => {
    const { binding, lines, notes } = await imported({ login: oauth2(tokenUrl) });
    expect(binding).toContain('bearer: "${SHOP_TOKEN}"');
    expect(notes).toEqual([
      "the token endpoint of `login` is not an absolute https URL without a query, so a setting holds the token itself",
    ]);
    expect(lines).toEqual([]);
  });

  test("never contains a user and a password from a token endpoint", async () => {
    const { binding, report } = await imported({
      login: oauth2("https://ada:hunter2@id.example/t#hunter2"),
    });
    expect(binding).toContain("token_url: ${SHOP_TOKEN_URL}");
    expect(report.settings).toContainEqual({
      name: "SHOP_TOKEN_URL",
      example: "https://id.example/t",
    });
    expect(JSON.stringify([binding, report])).not.toContain("hunter2");
  });

  test("comes from the first of two schemes that write the same header", async () => {
    const { binding, lines, notes } = await imported({
      user: { type: "http", scheme: "basic" },
      token: { type: "http", scheme: "bearer" },
      app: key("header", "X-App"),
      again: key("header", "x-app"),
    });
    expect(binding).toContain("basic:");
    expect(binding).not.toContain("bearer:");
    expect(notes).toEqual([
      "the import leaves out `token`, because `user` already writes the header `authorization`",
      "the import leaves out `again`, because `app` already writes the header `x-app`",
    ]);
    expect(lines).toEqual([]);
  });

  test("replaces a parameter for the key, so that no caller sends another key", async () => {
    const schemes = { app: key("query", "key"), id: key("header", "X-Id") };
    const { binding, lines, notes } = await imported(schemes, [
      query("key"),
      query("Key"),
      header("x-id"),
    ]);
    expect(binding).toContain('query: { Key: "{Key}" }');
    expect(binding).not.toContain("headers:");
    expect(notes).toEqual([
      "the authentication sets the query parameter `key`, so the import leaves this parameter out",
      "the authentication sets the header `x-id`, so the import leaves this parameter out",
    ]);
    expect(lines).toEqual([]);
  });

  test.each([
    ["first", [{}, { app: [] }]],
    ["last", [{ app: [] }, {}]],
  ])("stays, with a note, if it is optional and `{}` comes %s", async (_where, security) => {
    const securitySchemes = { app: key("header", "X-App") };
    const paths = { "/a": { get: { security, ...ok } }, "/b": { get: { security: [{}], ...ok } } };
    const { files, report } = await importText(openApi(paths, { components: { securitySchemes } }));
    expect(files["skills/a/metadata.yaml"]).toContain("name: X-App");
    expect(report.operations).toMatchObject([
      {
        taken: "whole",
        notes: [
          {
            code: "import/taken-otherwise",
            message: "the document also allows calls without authentication",
          },
        ],
      },
      { taken: "whole", notes: [] },
    ]);
    expect(linesOf(await compileFiles(files), files)).toEqual([]);
  });

  test.each([
    ["header", "a b"],
    ["header", "Content-Length"],
    ["header", "X-${HOME}"],
    ["query", "{id}"],
    ["cookie", "a;b"],
    ["query", ""],
  ])("can't be a key in the %s %j", async (where, name) => {
    const { binding, lines, notes } = await imported({ app: key(where, name) });
    expect(binding).not.toContain("auth:");
    expect(notes).toEqual(["tools do not support the authentication `app`"]);
    expect(lines).toEqual([]);
  });
});
