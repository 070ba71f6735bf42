/** The import of bodies: the parameters of the tool, and how its binding sends them. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { put, skillc } from "../../cli/support/command-line.js";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importText, ok, openApi, serve } from "./support.js";

const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data";
const text = { type: "string" };
const file = { type: "string", format: "binary" };
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});

interface Tool {
  readonly parameters: object;
  readonly binding: { readonly body?: object };
}

/** The tool of a POST with this body, and what is told of it; compiled without a diagnostic. */
async function imported(content: object, more: object = {}, schemas: object = {}) {
  const responses = { 204: { description: "done" } };
  const requestBody = { required: true, content, ...more };
  const document = openApi(
    { "/a": { post: { requestBody, responses } } },
    { components: { schemas } },
  );
  const { files, report } = await importText(document);
  const written = files["skills/a/metadata.yaml"];
  expect(linesOf(await compileFiles(files), files)).toEqual([]);
  const [operation] = report.operations;
  const tools: Readonly<Record<string, Tool>> =
    written === undefined ? {} : parse(written).tools_schema;
  return {
    taken: operation?.taken,
    told: operation?.notes.map(({ message }) => message),
    tool: Object.values(tools)[0],
  };
}

describe("a form", () => {
  const schemas = {
    Named: object({ name: text }, ["name"]),
    Order: {
      allOf: [{ $ref: "#/components/schemas/Named" }, object({ note: text })],
      properties: { id: text },
    },
  };
  const order = { schema: { allOf: [{ $ref: "#/components/schemas/Order" }] } };

  test.each([form, multipart])("includes the fields of its allOf, as %s", async (type) => {
    const { taken, tool } = await imported({ [type]: order }, {}, schemas);
    expect(taken).toBe("whole");
    expect(tool?.parameters).toMatchObject({
      required: ["name"],
      properties: { id: text, name: text, note: text },
    });
    const way = type === form ? "form" : "multipart";
    expect(tool?.binding.body).toEqual({
      [way]: { id: "{id}", name: "{name}", note: "{note}" },
    });
  });

  const noFurther = "the tool sends only the fields that the schema names, and no further ones";

  test("causes a note in multipart for further parts that are files", async () => {
    for (const more of [file, { type: "array", items: file }]) {
      const schema = { ...object({ n: text }), additionalProperties: more };
      const { taken, told } = await imported({ [multipart]: { schema } });
      expect([taken, told]).toEqual(["part", [noFurther]]);
    }
  });

  test("causes a note for further fields beside a field that the caller writes as text", async () => {
    const joined = { type: "array", items: text };
    const schema = { ...object({ n: joined }), additionalProperties: text };
    const encoding = { n: { style: "form", explode: false } };
    const { told } = await imported({ [form]: { schema, encoding } });
    expect(told).toEqual([
      noFurther,
      "the caller writes `n` as text, because a form can't join its items",
    ]);
  });

  test.each([
    [true, "repeat"],
    [text, undefined],
    [{ type: "array", items: text }, "repeat"],
  ])(
    "becomes one parameter if it has further fields of %j",
    async (additionalProperties, style) => {
      const schema = { ...object({ n: text, "n[]": text, o: text }, ["n"]), additionalProperties };
      for (const required of [true, false]) {
        const { taken, tool } = await imported({ [form]: { schema } }, { required });
        expect([taken, tool?.binding.body]).toEqual([
          "whole",
          { form: "{body}", ...(style !== undefined && { style }) },
        ]);
        expect(tool?.parameters).toEqual({
          type: "object",
          additionalProperties: false,
          ...(required && { required: ["body"] }),
          properties: { body: { ...schema, patternProperties: { "^(?:n\\[\\]|o)\\[": false } } },
        });
      }
    },
  );

  test("sends further fields, whatever their names, and no names in brackets of its fields", async () => {
    const received: string[] = [];
    const at = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      received.push(body);
      response.writeHead(204).end();
    });
    const schema = { ...object({ n: { type: "integer" } }), additionalProperties: text };
    const post = {
      operationId: "add",
      requestBody: { content: { [form]: { schema } } },
      responses: { 204: { description: "done" } },
    };
    const { root } = await importText(openApi({ "/a": { post } }));
    put(root, ".env", `SHOP_URL=${at}\n`);
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
    const call = (args: string) => skillc(root, ["call", "a/add", "--args", args]);
    await call('{"body":{"n":1,"a&b":"c=d","__proto__":"p","x=y":"","constructor":"q"}}');
    await call("{}");
    const refused = await call('{"body":{"n":1,"n[]":"2"}}');
    expect(refused.code).not.toBe(0);
    expect(received).toEqual(["n=1&a%26b=c%3Dd&__proto__=p&x%3Dy=&constructor=q", ""]);
  });

  test("causes no note for further fields that its schema forbids", async () => {
    const schema = { ...object({ n: text }), additionalProperties: false };
    const { taken } = await imported({ [form]: { schema } });
    expect(taken).toBe("whole");
  });

  test("causes a note for a field with two descriptions, and for unchecked rules", async () => {
    const schema = {
      allOf: [
        { ...object({ a: text }), minProperties: 1 },
        object({ a: { ...text, maxLength: 3 } }),
      ],
    };
    const { told } = await imported({ [form]: { schema } });
    expect(told).toEqual([
      "`a` has two schemas, and the tool uses the first",
      "the tool does not check `minProperties` of the form",
    ]);
  });
});

test("an optional JSON body with required properties stays one parameter", async () => {
  const schema = object({ status: text }, ["status"]);
  const { tool } = await imported({ "application/json": { schema } }, { required: false });
  expect(tool?.parameters).toMatchObject({ properties: { body: schema } });
  expect(tool?.parameters).not.toHaveProperty("required");
});

describe("the fields of a form", () => {
  const list = { type: "array", items: text };
  const deep = { style: "deepObject", explode: true };
  const filter = object({ from: text });
  const ranges = object({ days: list });
  const joined = "the caller writes `a` as text, because a form can't join its items";

  const cases: readonly (readonly [
    what: string,
    properties: object,
    encoding: object,
    style: string | undefined,
    told: readonly string[],
  ])[] = [
    ["repeat the name of a list", { a: list }, {}, "repeat", []],
    ["repeat it beside an object in brackets", { a: list, b: filter }, { b: deep }, "repeat", []],
    ["have all lists in brackets", { a: list, b: filter }, { a: deep, b: deep }, undefined, []],
    [
      "have all lists in brackets where an object has one",
      { a: list, b: ranges },
      { b: deep },
      undefined,
      [
        "the tool writes the list `a` with brackets, as it writes other lists of the form, and does not repeat the name",
      ],
    ],
    [
      "have a list that is joined as text",
      { a: list },
      { a: { explode: false } },
      undefined,
      [joined],
    ],
    [
      "have a list between spaces as text",
      { a: list },
      { a: { style: "spaceDelimited" } },
      undefined,
      [joined],
    ],
    [
      "have JSON as text",
      { a: filter },
      { a: { contentType: "application/json" } },
      undefined,
      ["the caller writes `a` as text, because its content type is `application/json`"],
    ],
    [
      "have an object in brackets, whatever its style",
      { a: filter },
      { a: { style: "form" } },
      undefined,
      ["the tool writes `a` with brackets, not in the style `form`"],
    ],
  ];
  test.each(cases)("the fields of a form %s", async (_what, properties, encoding, style, notes) => {
    const { told, tool } = await imported({ [form]: { schema: object(properties), encoding } });
    expect(told).toEqual(notes);
    expect(tool?.binding.body).toEqual({
      form: Object.fromEntries(Object.keys(properties).map((name) => [name, `{${name}}`])),
      ...(style !== undefined && { style }),
    });
    const isText = notes.join().includes("the caller writes");
    expect(tool?.parameters).toMatchObject({ properties: isText ? { a: text } : properties });
  });

  test.each([
    ["csv", "part"],
    ["tsv", "part"],
    ["multi", "whole"],
  ])(
    "may have the format %s in Swagger 2, and are imported in %s",
    async (collectionFormat, taken) => {
      const parameters = [{ name: "a", in: "formData", ...list, collectionFormat }];
      const responses = { 204: { description: "done" } };
      const swagger = { openapi: undefined, swagger: "2.0" };
      const { report } = await importText(
        openApi({ "/a": { post: { parameters, responses } } }, swagger),
      );
      expect(report.operations).toMatchObject([{ taken }]);
    },
  );
});

describe("a multipart body with further parts", () => {
  const photo = object({ photo: file, "tags[]": { type: "array", items: text } }, ["photo"]);
  const taken = { not: { pattern: "^(?:photo|tags)(?:\\[|$)" } };
  const words = "Further parts of the body, by name.";

  test.each([
    ["any value", true],
    ["text", text],
    ["objects", object({ a: text })],
  ])(
    "becomes a tool with a parameter for further parts that are %s",
    async (_what, additionalProperties) => {
      const schema = { ...photo, additionalProperties };
      const { taken: all, tool } = await imported({ [multipart]: { schema } });
      expect(all).toBe("whole");
      expect(tool?.binding.body).toEqual({
        multipart: { photo: { file: "{photo}" }, "tags[]": "{tags}" },
        fields: "{fields}",
      });
      expect(tool?.parameters).toMatchObject({
        required: ["photo"],
        properties: {
          fields: {
            type: "object",
            description: words,
            additionalProperties,
            propertyNames: taken,
          },
        },
      });
    },
  );

  test("requires the parameter for further parts if a part must be sent", async () => {
    const open = { type: "object", additionalProperties: text };
    const fields = { type: "object", description: words, additionalProperties: text };
    for (const [schema, required, expected] of [
      [open, true, { required: ["fields"], properties: { fields } }],
      [open, false, { properties: { fields } }],
      [
        { ...open, required: ["id"] },
        false,
        { required: ["fields"], properties: { fields: { ...fields, required: ["id"] } } },
      ],
    ] as const) {
      const { taken: all, tool } = await imported({ [multipart]: { schema } }, { required });
      expect([all, tool?.binding.body]).toEqual(["whole", { multipart: {}, fields: "{fields}" }]);
      expect(tool?.parameters).toEqual({
        type: "object",
        additionalProperties: false,
        ...expected,
      });
    }
  });

  test("sends further parts beside files, and none with the name of a declared part", async () => {
    const received: (readonly [string, unknown])[][] = [];
    const at = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      // Without an encoding they are buffers.
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      const parts = await new Response(Buffer.concat(chunks), { headers }).formData();
      const all = [...parts].map(async ([name, value]) => {
        const content = typeof value === "string" ? value : await value.text();
        return [name, content] as const;
      });
      received.push(await Promise.all(all));
      response.writeHead(204).end();
    });
    const schema = { ...photo, additionalProperties: true };
    const post = {
      operationId: "add",
      requestBody: { content: { [multipart]: { schema } } },
      responses: { 204: { description: "done" } },
    };
    const { root } = await importText(openApi({ "/a": { post } }));
    put(root, ".env", `SHOP_URL=${at}\n`);
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0, stderr: "" });
    const call = (fields: string) =>
      skillc(root, ["call", "a/add", "--args", `{"photo":{"base64":"eA=="},"fields":${fields}}`]);
    const fields = '{"a\\"b":"c","__proto__":1,"o":{"p":[2]},"list":["x",true],"none":null}';
    expect(await call(fields)).toMatchObject({ code: 0 });
    for (const name of ["photo", "photo[name]", "tags", "Photo", "pho\\\\to"])
      expect((await call(`{"${name}":"x"}`)).code).not.toBe(0);
    expect(received).toEqual([
      [
        ["photo", "x"],
        ['a"b', "c"],
        ["__proto__", "1"],
        ["o", '{"p":[2]}'],
        ["list", "x"],
        ["list", "true"],
      ],
    ]);
  });
});

test("a part of a form with headers of its own is sent without them, with a note", async () => {
  const headers = { "X-Kind": { schema: text }, "Content-Type": { schema: text } };
  const { taken, told } = await imported({
    [multipart]: { schema: object({ a: text }), encoding: { a: { headers } } },
  });
  expect([taken, told]).toEqual([
    "part",
    ["the tool sends the part `a` without the header `X-Kind`"],
  ]);
});

describe("a multipart body that can't be written", () => {
  const cases = [
    [{ [multipart]: {} }, "its schema names no parts for `multipart/form-data`"],
    [
      { [multipart]: { schema: { type: "object", additionalProperties: file } } },
      "its schema names no parts for `multipart/form-data`",
    ],
    [
      { "multipart/related": { schema: object({ a: text }) } },
      "tools do not send `multipart/related`",
    ],
  ] as const;

  test.each(cases)("removes the operation that needs it: %j", async (content, why) => {
    const { taken, told } = await imported(content);
    expect([taken, told]).toEqual(["no", [`a tool can't send the body: ${why}`]]);
  });

  test.each(cases)("remains unsent if it is optional: %j", async (content, why) => {
    const { taken, told, tool } = await imported(content, { required: false });
    expect([taken, told]).toEqual(["part", [`a tool can't send the body: ${why}`]]);
    expect(tool?.binding.body).toBeUndefined();
  });

  test("gives way to another content type", async () => {
    const content = { "multipart/mixed": {}, "application/octet-stream": {} };
    const { taken, told, tool } = await imported(content);
    expect([taken, told]).toEqual([
      "whole",
      ["the tool sends the body as `application/octet-stream`, not as `multipart/mixed`"],
    ]);
    expect(tool?.binding.body).toEqual({ raw: "{content}", type: "application/octet-stream" });
  });
});

describe("the body of an imported tool", () => {
  const parameters = [
    { name: "q", in: "query", schema: text },
    { name: "id", in: "path", required: true, schema: text },
  ];
  const schema = object({ a: text, b: text });
  const requestBody = { content: { "application/json": { schema } } };

  test("takes no parameter whose place somebody removes", async () => {
    const paths = {
      "/a/{id}": { post: { parameters, requestBody, ...ok }, put: { parameters, ...ok } },
    };
    const { files, root } = await importText(openApi(paths));
    const metadata = files["skills/a/metadata.yaml"] ?? "";
    const bodies = Object.values<{ binding: { body: unknown } }>(parse(metadata).tools_schema);
    expect(bodies.map(({ binding: { body } }) => body)).toEqual([
      "none",
      { json: { a: "{a}", b: "{b}" } },
    ]);
    put(root, "skills/a/metadata.yaml", metadata.replaceAll(/^ +query: .*\n/gm, ""));
    const { code, stderr } = await skillc(root, ["check"]);
    expect(code).toBe(1);
    expect(stderr.match(/http\/unused-parameter/g)).toHaveLength(2);
  });

  test("contains only the given properties, and is absent if the document has none", async () => {
    const received: (readonly [string | undefined, string])[] = [];
    const at = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      received.push([request.headers["content-type"], body]);
      response.writeHead(204).end();
    });
    const empty = { responses: { 204: { description: "done" } } };
    const { root } = await importText(
      openApi({
        "/a/{id}": {
          post: { operationId: "add", parameters, requestBody, ...empty },
          put: { operationId: "touch", parameters, ...empty },
        },
      }),
    );
    put(root, ".env", `SHOP_URL=${at}\n`);
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
    for (const [tool, args] of [
      ["a/touch", { id: "1", q: "x" }],
      ["a/add", { id: "1", b: "x" }],
    ] as const)
      await skillc(root, ["call", tool, "--args", JSON.stringify(args)]);
    expect(received).toEqual([
      [undefined, ""],
      ["application/json", '{"b":"x"}'],
    ]);
  });
});

test.each([true, false])("a GET sends no body; required: %s", async (required) => {
  const requestBody = {
    required,
    content: { "application/json": { schema: object({ a: text }) } },
  };
  const { report } = await importText(openApi({ "/a": { get: { ...ok, requestBody } } }));
  const message = required
    ? "the operation requires a body, and a GET request has none"
    : "a GET request has no body, so the tool sends none";
  expect(report.operations).toMatchObject([
    { taken: required ? "no" : "part", notes: [{ message }] },
  ]);
});
