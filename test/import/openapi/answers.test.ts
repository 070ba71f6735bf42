/** The import of documented answers, and its notes about answers that a tool can't represent. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importText, openApi } from "./support.js";

const text = { type: "string" };
const item = { type: "object", properties: { id: text } };
const answer = (content: object) => ({ description: "ok", content });
const json = (schema: object) => answer({ "application/json": { schema } });

interface Tool {
  readonly binding: {
    readonly response?: string;
    readonly response_schema?: object;
    readonly headers?: Readonly<Record<string, string>>;
    readonly response_mapping?: { readonly status_codes?: object };
  };
}

/** The tool of an operation with these answers, and what is told of it; compiled without a diagnostic. */
async function imported(
  responses: object,
  method = "get",
  more: Readonly<Record<string, unknown>> = {},
) {
  const document = openApi({ "/a": { [method]: { responses } } }, more);
  const { files, report } = await importText(document);
  expect(linesOf(await compileFiles(files), files)).toEqual([]);
  const tools: Readonly<Record<string, Tool>> = parse(
    files["skills/a/metadata.yaml"] ?? "",
  ).tools_schema;
  return {
    taken: report.operations[0]?.taken,
    told: report.operations[0]?.notes.map(({ message }) => message),
    tool: Object.values(tools)[0],
    files,
  };
}

describe("the answers of an imported tool", () => {
  test.each([
    [
      "get",
      "302",
      "skillc follows it within the API's own origin, and returns `error` for other origins",
    ],
    [
      "post",
      "303",
      "skillc follows it within the API's own origin, and returns `error` for other origins",
    ],
    ["post", "302", "skillc does not follow it, and returns `error`"],
    ["get", "300", "skillc does not follow it, and returns `error`"],
  ])("include no name for a %s with the redirect %s", async (method, status, what) => {
    const responses = { 200: json(item), [status]: { description: "elsewhere" } };
    const { taken, told } = await imported(responses, method);
    expect([taken, told]).toEqual([
      "part",
      [`the redirect ${status} gets no status name: ${what}`],
    ]);
  });

  test("include a name for 304, which is no redirect", async () => {
    const { taken, tool } = await imported({ 200: json(item), 304: { description: "same" } });
    expect(taken).toBe("whole");
    expect(tool?.binding.response_mapping?.status_codes).toEqual({ 304: "not_modified" });
  });

  test.each([
    ["204", "delete", { 204: json(item) }, undefined],
    ["204", "delete", { 200: json(item), 204: json(item) }, { 204: "no_content" }],
    ["205", "post", { 200: json(item), 205: json(item) }, { 205: "reset_content" }],
    ["304", "get", { 200: json(item), 304: json(item) }, { 304: "not_modified" }],
  ])(
    "omit content that is described for %s of a %s: %j",
    async (status, method, responses, codes) => {
      const { told, tool } = await imported(responses, method);
      expect(told).toEqual([
        `a response with status ${status} has no body, so the import ignores \`application/json\``,
      ]);
      expect(tool?.binding.response_mapping?.status_codes).toEqual(codes);
    },
  );

  test.each([
    ["application/pdf", "a file"],
    ["text/csv", "text"],
    ["application/jsonl", "lines"],
    ["text/event-stream", "events"],
  ])("include a separate name for JSON beside %s, which becomes %s", async (type) => {
    const { taken, tool } = await imported({ 200: answer({ [type]: {} }), 202: json(item) });
    expect(taken).toBe("whole");
    expect(tool?.binding.response_mapping?.status_codes).toEqual({
      202: { as: "accepted", schema: item },
    });
  });

  test.each([
    ["JSON", json(item), {}],
    ["a file", answer({ "application/pdf": {} }), { response: "bytes" }],
  ])("include %s as a success if all others have names", async (_what, success, form) => {
    const others = json({ type: "object", properties: { at: text } });
    const { tool } = await imported({ "200": success, "2XX": others });
    expect(tool?.binding).toMatchObject({
      ...form,
      response_mapping: { status_codes: { "200": "success", "2XX": { as: "other_success" } } },
    });
  });

  const untold =
    "the document does not describe the body of a success, so the tool reads JSON, text or bytes by the content type";
  test.each<[string, string, object, string, object | undefined]>([
    ["a GET", "get", { 200: { description: "ok" } }, "part", undefined],
    ["a POST", "post", { 200: { description: "ok" } }, "whole", undefined],
    ["a 202", "post", { 202: { description: "ok" } }, "whole", { 202: "accepted" }],
    [
      "each of two successes",
      "post",
      { 200: { description: "ok" }, 201: { description: "ok" } },
      "whole",
      { 201: "created" },
    ],
    ["default alone", "get", { default: { description: "ok" } }, "part", undefined],
    ["no success", "get", { 404: { description: "no" } }, "part", { 404: "not_found" }],
  ])(
    "take any form if nothing describes the body of %s",
    async (_, method, responses, taken, codes) => {
      const { tool, ...read } = await imported(responses, method);
      expect([read.taken, read.told]).toEqual([taken, [untold]]);
      expect(tool?.binding.response).toBe("any");
      expect(tool?.binding.response_mapping?.status_codes).toEqual(codes);
    },
  );

  test.each(["xls", "", "text", "JSON", "a/b/c"])(
    "take any form if the document describes them for %j, which is no media type",
    async (type) => {
      const { told, tool } = await imported({ 200: answer({ [type]: { schema: item } }) });
      const message = `\`${type}\` is not a media type, so the import ignores this content`;
      expect([told, tool?.binding.response]).toEqual([[message, untold], "any"]);
      const json = await imported({
        200: answer({ [type]: { schema: text }, "application/json": { schema: item } }),
      });
      expect([json.told, json.tool?.binding.response_schema]).toEqual([[message], item]);
    },
  );

  test("become JSON if the document lists several media types in one name", async () => {
    const content = { "application/json, text/plain": { schema: item } };
    const { told, tool } = await imported({ 200: answer(content) });
    expect([told, tool?.binding.response_schema]).toEqual([[], item]);
  });

  test.each([204, 205])(
    "take no form and cause no note if the only success is %i",
    async (status) => {
      const { taken, told, tool } = await imported({ [status]: { description: "ok" } });
      expect([taken, told, tool?.binding.response]).toEqual(["whole", [], undefined]);
    },
  );

  const vendor = "application/vnd.acme.users+json;version=2.0";
  test.each([
    ["a vendor type", { [vendor]: {} }, `${vendor}, */*;q=0.1`],
    ["a file", { "application/pdf": {} }, "application/pdf, */*;q=0.1"],
    ["XML", { "application/xml; charset=utf-8": {} }, "application/xml, */*;q=0.1"],
    ["two versions", { "text/a; v=1": {}, "text/b": {} }, "text/a; v=1, text/b, */*;q=0.1"],
    ["another schema", { [vendor]: {}, "text/json": { schema: text } }, `${vendor}, */*;q=0.1`],
    ["a setting", { 'text/a; v="${A}"': {} }, 'text/a; v="$${{A}}", */*;q=0.1'],
    ["JSON", { "application/json": {}, [vendor]: {} }, undefined],
    ["anything", { "*/*": {} }, undefined],
    ["an invalid type", { "text/a b": {} }, undefined],
  ])("make the tool ask for the media types of %s", async (_, content, accept) => {
    const { tool } = await imported({ 200: answer(content) });
    expect(tool?.binding.headers?.["Accept"]).toBe(accept);
  });

  test("make the tool ask for the media types that a Swagger 2 document produces", async () => {
    const document = JSON.stringify({
      swagger: "2.0",
      info: { title: "Shop", version: "1" },
      produces: ["application/vnd.acme+json; v=2"],
      paths: { "/a": { get: { responses: { 200: { description: "ok", schema: item } } } } },
    });
    const { files } = await importText(document);
    expect(files["skills/a/metadata.yaml"]).toContain(
      'Accept: "application/vnd.acme+json; v=2, */*;q=0.1"',
    );
  });

  test("include no name for a text beside a file", async () => {
    const { told } = await imported({
      200: answer({ "application/pdf": {} }),
      201: answer({ "text/csv": {} }),
      206: answer({ "application/pdf": {} }),
    });
    expect(told).toEqual([
      "a `201` response of the type `text/csv` gets no status name: the tool reads it like `200`",
    ]);
  });

  test("use the first schema of two media types that are parsed alike, and the import reports the second", async () => {
    const content = (schema: object) => ({
      "application/json": { schema: item },
      "application/vnd.a+json": { schema },
    });
    const other = await imported({ 200: answer(content(text)) });
    expect([other.taken, other.told]).toEqual([
      "whole",
      [
        "the tool checks the response against the schema of `application/json`, not of `application/vnd.a+json`",
      ],
    ]);
    expect((await imported({ 200: answer(content(item)) })).told).toEqual([]);
  });

  test("contain bytes for a sequence of unsupported items", async () => {
    const { told, tool } = await imported({
      200: answer({ "application/json-seq": { itemSchema: item } }),
    });
    expect(tool?.binding.response).toBe("bytes");
    expect(told).toEqual([
      "the tool returns `application/json-seq` as bytes, not as separate items",
    ]);
  });
});

describe("a file of Swagger 2", () => {
  test.each([
    [["application/json"], "bytes"],
    [[], "bytes"],
    [["application/json", "application/pdf"], "bytes"],
    [["application/json", "text/csv"], "text"],
  ])("does not count as JSON if the API produces %j", async (produces, form) => {
    const responses = { 200: { description: "ok", schema: { type: "file" } } };
    const swagger = { openapi: undefined, swagger: "2.0", produces };
    const { taken, told, tool } = await imported(responses, "get", swagger);
    expect([taken, told]).toEqual(["whole", []]);
    expect(tool?.binding.response).toBe(form);
  });
});

describe("the schema of an event", () => {
  const event = (data: object) => ({ type: "object", properties: { event: text, data } });
  const carrying = (contentSchema: object) =>
    event({ ...text, contentMediaType: "application/json", contentSchema });

  const noData = "the schema of an event does not describe its `data`, so the tool returns text";
  const mixed = "the `data` of some events is JSON and of others text, so the tool returns text";
  test.each<[what: string, event: object, schema: object | undefined, told: string[]]>([
    ["JSON of a schema", carrying(item), item, []],
    ["text", event(text), text, []],
    ["anything, which is text", event({}), text, []],
    ["an object, of which nobody says that it is JSON", event(item), item, []],
    [
      "one of several",
      { oneOf: [carrying(item), carrying({ type: "integer" })] },
      { anyOf: [item, { type: "integer" }] },
      [],
    ],
    ["the same in all kinds", { anyOf: [carrying(item), carrying(item)] }, item, []],
    ["text or JSON", { oneOf: [carrying(item), event(text)] }, undefined, [mixed]],
    ["not said", item, undefined, [noData]],
    ["not said of one kind", { oneOf: [carrying(item), item] }, undefined, [noData]],
  ])("describes the event's data: %s", async (_what, itemSchema, schema, notes) => {
    const { told, tool } = await imported(
      { 200: answer({ "text/event-stream": { itemSchema } }) },
      "get",
      { openapi: "3.2.0" },
    );
    expect(told).toEqual(notes);
    expect(tool?.binding.response).toBe("sse");
    expect(tool?.binding.response_schema).toEqual(schema);
  });
});

describe("a schema of the document", () => {
  const at = (name: string) => ({ $ref: `#/components/schemas/${name}` });

  test("causes one note if it is the base of others through its discriminator", async () => {
    const schemas = {
      Pet: { ...item, discriminator: { propertyName: "id" } },
      Alone: { ...item, discriminator: { propertyName: "id" } },
      Dog: { allOf: [at("Pet"), { type: "object", properties: { barks: text } }] },
    };
    const paths = Object.fromEntries(
      Object.keys(schemas).map((name) => [
        `/${name}`,
        { get: { responses: { 200: json(at(name)) } } },
      ]),
    );
    const { told } = await importText(openApi(paths, { components: { schemas } }));
    expect(told.map(({ message }) => message)).toEqual([
      "the discriminator names schemas that extend this one, but the tool checks values only against this one",
    ]);
  });

  test("may allow null if `nullable` is beside its reference", async () => {
    const owner = { ...item, properties: { pet: { ...at("Pet"), nullable: true } } };
    const { taken, tool } = await imported({ 200: json(owner) }, "get", {
      components: { schemas: { Pet: item } },
    });
    expect(taken).toBe("whole");
    expect(tool?.binding.response_schema).toEqual({
      type: "object",
      properties: { pet: { anyOf: [{ $ref: "../schemas/shop/Pet.json" }, { type: "null" }] } },
    });
  });
});
