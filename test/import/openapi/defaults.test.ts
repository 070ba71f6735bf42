/** A default of an API says what the service assumes. Nothing is sent that the caller did not give. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn, put, skillc } from "../../cli/support/command-line.js";
import { importIn, importText, ok, openApi, putBase, serve } from "./support.js";

const metadata = "skills/things/metadata.yaml";

function document(operation: object, components: object = {}, path = "/things/{name}"): string {
  const method = "requestBody" in operation ? "patch" : "get";
  return openApi(
    { [path]: { [method]: { operationId: "act", ...ok, ...operation } } },
    { components: { schemas: components } },
  );
}

const name = { name: "name", in: "path", required: true, schema: { type: "string" } };
const json = (schema: object) => ({
  requestBody: { required: true, content: { "application/json": { schema } } },
});

/** What a call of the imported tool sends. */
async function sentBy(text: string, args: object): Promise<string> {
  let sent = "nothing";
  const at = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const { "content-type": _, cookie, "x-version": version } = request.headers;
      const headers = [cookie, version].flatMap((each) => each ?? []);
      sent = [request.url, Buffer.concat(chunks).toString(), ...headers].join(" ");
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  const { root } = await importText(text);
  put(root, ".env", `SHOP_URL=${at}\n`);
  const generated = await skillc(root, ["generate"]);
  expect([generated.code, generated.stderr]).toEqual([0, ""]);
  const called = await skillc(root, ["call", "things/act", "--args", JSON.stringify(args)]);
  expect([called.code, called.stderr]).toEqual([0, ""]);
  return sent;
}

describe("a default that an API's document states", () => {
  test("a document's default is not sent in a body, wherever it stands in the schema", async () => {
    const schema = {
      type: "object",
      properties: {
        description: { type: "string" },
        private: { type: "boolean", default: false },
        owner: { $ref: "#/components/schemas/Owner" },
        labels: { type: "array", items: { $ref: "#/components/schemas/Owner" } },
        made: { allOf: [{ $ref: "#/components/schemas/Owner" }], default: { kind: "team" } },
        nested: { type: "object", properties: { deep: { type: "integer", default: 1 } } },
      },
    };
    const Owner = { type: "object", properties: { kind: { type: "string", default: "user" } } };
    const text = document({ parameters: [name], ...json(schema) }, { Owner });
    const args = { name: "a", description: "n", owner: {}, labels: [{}], nested: {} };
    const { name: _, ...body } = args;
    expect(await sentBy(text, args)).toBe(`/things/a ${JSON.stringify(body)}`);
  });

  test("a document's default is not sent in a required property, a form or a multipart body", async () => {
    const schema = {
      type: "object",
      required: ["note"],
      properties: { note: { type: "string" }, kind: { type: "string", default: "x" } },
    };
    for (const type of ["application/x-www-form-urlencoded", "multipart/form-data"]) {
      const requestBody = { required: true, content: { [type]: { schema } } };
      const sent = await sentBy(document({ parameters: [name], requestBody }), {
        name: "a",
        note: "n",
      });
      expect(sent).toContain("note");
      expect(sent).not.toContain("kind");
    }
    const required = { ...schema, required: ["note", "kind"] };
    const { files } = await importText(document({ parameters: [name], ...json(required) }));
    expect(files[metadata]).not.toContain("default:");
  });

  test("a document's default is not sent in an optional query parameter, header or cookie", async () => {
    const optional = ["query", "header", "cookie"].map((where) => ({
      name: "X-Version",
      in: where,
      schema: { type: "string", default: "1 week ago" },
    }));
    expect(await sentBy(document({ parameters: [name, ...optional] }), { name: "a" })).toBe(
      "/things/a ",
    );
  });

  test("a document's default is sent in a required query, header or path parameter", async () => {
    const required = (where: string, parameter: string, schema: object) => ({
      name: parameter,
      in: where,
      required: true,
      schema,
    });
    const version = { $ref: "#/components/schemas/Version" };
    const parameters = [
      required("path", "name", { type: "string", default: "me" }),
      required("query", "api-version", version),
      required("query", "all-version", { allOf: [version] }),
      required("header", "X-Version", { type: "string", default: "v7" }),
    ];
    const Version = { type: "string", default: "2026-01" };
    expect(await sentBy(document({ parameters }, { Version }), {})).toBe(
      "/things/me?api-version=2026-01&all-version=2026-01  v7",
    );
  });

  test("a document's default stands in the description", async () => {
    const schema = {
      type: "object",
      properties: {
        plain: { type: "boolean", default: false },
        said: { type: "string", description: "Words.", default: "a`b" },
        long: { type: "array", items: {}, description: "One.\n\nTwo.", default: [] },
      },
    };
    const limit = {
      name: "limit",
      in: "query",
      description: "How many.",
      schema: { type: "integer", description: "A number.", default: 30 },
    };
    const { files } = await importText(document({ parameters: [name, limit], ...json(schema) }));
    const { properties } = parse(files[metadata] ?? "").tools_schema.act.parameters;
    expect(properties).toEqual({
      name: { type: "string" },
      limit: { type: "integer", description: "How many. The API's default is `30`." },
      plain: { type: "boolean", description: "The API's default is `false`." },
      said: { type: "string", description: 'Words. The API\'s default is `"a`b"`.' },
      long: { type: "array", items: {}, description: "One.\n\nTwo.\n\nThe API's default is `[]`." },
    });
  });
});

describe("importing again what an earlier skillc imported with defaults", () => {
  const schema = {
    type: "object",
    properties: {
      note: { type: "string" },
      hidden: { type: "boolean", default: false },
      kind: { type: "string", default: "a" },
      owner: { $ref: "#/components/schemas/Owner" },
    },
  };
  const Owner = { type: "object", properties: { role: { type: "string", default: "user" } } };
  const text = document({ parameters: [name], ...json(schema) }, { Owner });
  const earlier = [
    ["description: The API's default is `false`.", "default: false"],
    ['description: The API\'s default is `"a"`.', "default: a"],
    ['"description": "The API\'s default is `\\"user\\"`."', '"default": "user"'],
  ] as const;

  /** As the import wrote it while defaults were sent. */
  async function before(): Promise<string> {
    const { root, files } = await importText(text);
    for (const [path, text] of Object.entries(files)) {
      const old = earlier.reduce((now, [from, to]) => now.replace(from, to), text);
      put(root, path, old);
      putBase(root, path, old);
    }
    const written = [readFileSync(join(root, metadata), "utf8"), JSON.stringify(filesIn(root))];
    expect(written[0]).toMatch(/default: false[^]*default: a/);
    expect(written[1]).not.toContain("The API's default");
    return root;
  }

  test("removes the defaults and names the tools that change", async () => {
    const root = await before();
    const { code, files, report } = await importIn(root, ["api.json"]);
    expect([code, Object.values(files).join("")]).toEqual([
      0,
      expect.not.stringMatching(/"?default"?: /),
    ]);
    expect(report.changes).toMatchObject({
      verdict: "major",
      skills: [{ tools: [{ id: "things/act", verdict: "major" }] }],
    });
    expect(JSON.stringify(report.changes)).toContain('"rule":"parameter-default"');
  });

  test("leaves a default that a person edited", async () => {
    const root = await before();
    const own = readFileSync(join(root, metadata), "utf8");
    put(root, metadata, own.replace("default: false", "default: true"));
    const { files, told } = await importIn(root, ["api.json"]);
    const { properties } = parse(files[metadata] ?? "").tools_schema.act.parameters;
    expect(properties.hidden).toMatchObject({ default: true });
    expect(properties.kind).not.toHaveProperty("default");
    expect(told.map(({ message }) => message)).toEqual([
      "the import no longer writes `default`, but you changed it: the import keeps it",
    ]);
  });
});
