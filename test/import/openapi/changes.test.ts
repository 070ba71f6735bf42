/** The list of changes that an import prints is that of `skillc compare`, on whole skills. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, skillc } from "../../cli/support/command-line.js";
import { importIn, importText, ok, openApi, putBase } from "./support.js";

interface Api {
  readonly schemes?: object;
  readonly security?: readonly object[];
  readonly path?: string;
  readonly operation?: object;
  readonly more?: object;
}

const login = {
  login: {
    type: "oauth2",
    flows: { clientCredentials: { tokenUrl: "https://a.example/token", scopes: {} } },
  },
};
const limit = { name: "limit", in: "query", schema: { type: "integer", maximum: 9 } };
const node = (description: string) => ({
  Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Other" } } },
  Other: {
    type: "object",
    properties: {
      back: { $ref: "#/components/schemas/Node" },
      last: { $ref: "#/components/schemas/Last" },
    },
  },
  Last: { type: "object", description, properties: { id: { type: "string" } } },
});
const answer = (name: string) => ({
  200: {
    description: "ok",
    content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
  },
});

function document({ more = {}, operation = {}, path = "/a", ...api }: Api): string {
  const { schemes = login, security = [{ login: ["read"] }] } = api;
  return openApi(
    {
      [path]: {
        get: { operationId: "getA", tags: ["x"], parameters: [limit], ...ok, ...operation },
      },
    },
    {
      servers: [{ url: "https://a.example" }],
      security,
      components: { securitySchemes: schemes, schemas: node("One.") },
      ...more,
    },
  );
}

/** The changes that an import of the second after the first lists, and those of `skillc compare`. */
async function changes(first: string, second: string) {
  const [old, { root }] = [await importText(first), await importText(first)];
  put(root, "api.json", second);
  const { code, report, stderr } = await importIn(root, ["api.json"]);
  expect([code, stderr]).toEqual([0, ""]);
  const skills = (folder: string) => join(folder, "skills");
  const argv = ["compare", skills(old.root), skills(root), "--json"];
  const { skills: differing, tooLow, verdict } = JSON.parse((await skillc(root, argv)).stdout);
  return { listed: report.changes, compared: { skills: differing, tooLow, verdict } };
}

const elsewhere = (tokenUrl: string) => ({
  login: { type: "oauth2", flows: { clientCredentials: { tokenUrl, scopes: {} } } },
});

describe("a repeated import", () => {
  test.each<[what: string, verdict: string | null, first: Api, second: Api]>([
    ["another token endpoint", "major", {}, { schemes: elsewhere("https://b.example/token") }],
    [
      "another path of the token endpoint",
      "major",
      {},
      { schemes: elsewhere("https://a.example/t") },
    ],
    [
      "another kind of authentication",
      "major",
      {},
      {
        schemes: { key: { type: "apiKey", in: "query", name: "api_key" } },
        security: [{ key: [] }],
      },
    ],
    ["other scopes", "patch", {}, { security: [{ login: ["write"] }] }],
    ["no authentication", "minor", {}, { security: [] }],
    ["authentication of one operation", "minor", {}, { operation: { security: [] } }],
    [
      "another server of one operation",
      "major",
      {},
      { operation: { servers: [{ url: "https://uploads.example" }] } },
    ],
    ["another path of one operationId", "major", {}, { path: "/b" }],
    ["a parameter that takes less", "major", {}, { operation: { parameters: [] } }],
    ["another summary", "patch", {}, { operation: { summary: "Look." } }],
    [
      "another text of the tag",
      "patch",
      {},
      { more: { tags: [{ name: "x", description: "Other words." }] } },
    ],
    [
      "a schema that is reached by a circle",
      "patch",
      { operation: { responses: answer("Other") } },
      {
        operation: { responses: answer("Other") },
        more: { components: { securitySchemes: login, schemas: node("Two.") } },
      },
    ],
    ["another tag", "major", {}, { operation: { tags: ["y"] } }],
    ["nothing", null, {}, {}],
  ])("lists the changes that `skillc compare` finds: %s", async (_what, verdict, first, second) => {
    const { compared, listed } = await changes(document(first), document(second));
    expect(listed).toEqual(compared);
    expect(listed?.verdict).toBe(verdict);
  });

  test("an address that the summary names, with its verdict", async () => {
    const { root } = await importText(document({}));
    put(root, "api.json", document({ schemes: elsewhere("https://b.example/token") }));
    const { stdout } = await skillc(root, ["import", "openapi", "api.json"]);
    expect(stdout).toContain("Changes in the API:");
    expect(stdout).toMatch(/ {2}major {2}x\/get-a capabilities .*\$\{SHOP_TOKEN_URL\}/);
  });

  test("a skill whose text has changed", async () => {
    const { root } = await importText(document({}));
    put(root, "api.json", document({ more: { tags: [{ name: "x", description: "Words." }] } }));
    const { stdout } = await skillc(root, ["import", "openapi", "api.json"]);
    expect(stdout).toContain("  patch  x body has a new text\n");
  });

  test("a skill whose record nobody can read, as the worst", async () => {
    const { root } = await importText(document({}));
    putBase(root, "skills/x/metadata.yaml", "tools_schema: [");
    const { report } = await importIn(root, ["api.json"]);
    expect(report.changes).toMatchObject({
      verdict: "major",
      skills: [{ name: "x", differences: [{ field: "unreadable", rule: "unknown-field" }] }],
    });
  });
});
