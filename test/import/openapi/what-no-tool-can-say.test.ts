/**
 * What is imported compiles. Each of these operations has a part that no tool can say, or that would
 * be an error in one: the part is told, and the tool is made without it, or the operation is left
 * out.
 */
import { describe, expect, test } from "vitest";
import { compileFiles, linesOf } from "../../support/compile.js";
import { type Imported, importText, openApi } from "./support.js";

const text = { type: "string" };
const impossible = { allOf: [{ type: "string" }, { type: "integer" }] };

const parameter = (where: string, schema: unknown, more: object = {}) => ({
  name: "p",
  in: where,
  required: where === "path",
  schema,
  ...more,
});
const takes = (...parameters: readonly object[]) => ({ get: { parameters } });
const answers = (schema: unknown, headers: object = {}) => ({
  get: {
    responses: { 200: { description: "ok", headers, content: { "application/json": { schema } } } },
  },
});
const sends = (type: string, properties: object, more: object = {}) => ({
  post: {
    requestBody: { content: { [type]: { schema: { type: "object", properties, ...more } } } },
  },
});
const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data";
const deep = {
  type: "object",
  properties: { price: { type: "object", properties: { at: text } } },
};

const whole = undefined;

/** A path with what stands below it, and what is told of it: `whole` where that is nothing. */
const cases: readonly (readonly [path: string, item: object, told: RegExp | undefined])[] = [
  ["/any-value-in-a-query", takes(parameter("query", {})), whole],
  ["/any-value-in-a-header", takes(parameter("header", {})), whole],
  ["/any-value-in-a-path/{p}", takes(parameter("path", {})), whole],
  ["/null-in-a-path/{p}", takes(parameter("path", { ...text, nullable: true })), whole],
  [
    "/text-or-a-list-in-a-query",
    takes(parameter("query", { oneOf: [text, { type: "array", items: text }] })),
    whole,
  ],
  [
    "/a-list-of-anything-in-a-query",
    takes(parameter("query", { type: "array", items: {} })),
    /`p` accepts only text, numbers and booleans for each item/,
  ],
  [
    "/an-object-of-anything-in-a-query",
    takes(parameter("query", { type: "object", properties: { x: {} } })),
    /`p` accepts only text, numbers and booleans for `x`/,
  ],
  [
    "/an-object-in-an-object-in-a-query",
    takes(parameter("query", deep)),
    /the caller writes `p` as text, because the style `form` can't write nested values/,
  ],
  [
    "/an-object-in-an-object-as-deep-object",
    takes(parameter("query", deep, { style: "deepObject" })),
    whole,
  ],
  [
    "/a-style-of-a-query-in-a-path/{p}",
    takes(parameter("path", text, { style: "form" })),
    /a path has no style `form`, so the tool writes `p` in the style `simple`/,
  ],
  [
    "/headers-that-differ-in-case",
    takes(
      { ...parameter("header", text), name: "X-A" },
      { ...parameter("header", text), name: "x-a" },
    ),
    /a tool can't send the parameter `x-a`: another header has the same name/,
  ],
  [
    "/a-header-of-the-connection",
    takes({ ...parameter("header", text), name: "Host", required: true }),
    /a tool can't send the parameter `Host`: the HTTP connection sets this header/,
  ],
  [
    "/a-header-of-no-header-characters",
    takes(parameter("header", { ...text, enum: ["→"] })),
    /a header can't contain any of its values/,
  ],
  [
    "/a-default-of-no-header-characters",
    takes({ ...parameter("header", { ...text, default: "→" }), required: true }),
    /a header can't contain the default of `p`/,
  ],
  ["/a-query-in-the-path?p=1", takes(parameter("query", text)), /the path already contains it/],
  [
    "/a-cookie-in-an-answer",
    { get: { responses: { 200: { description: "ok", headers: { "Set-Cookie": {} } } } } },
    /`Set-Cookie` may be a credential/,
  ],
  [
    "/an-answer-that-requires-what-it-forbids",
    answers({
      type: "object",
      required: ["a", "b"],
      properties: { a: text },
      additionalProperties: false,
    }),
    /the schema requires `b` but does not allow it/,
  ],
  [
    "/an-answer-that-no-value-fits",
    answers({
      type: "object",
      required: ["a"],
      properties: { a: { $ref: "#/components/schemas/No" } },
    }),
    /no value fits this schema, so the tool accepts any value: .*, at `a`/,
  ],
  [
    "/a-body-that-requires-what-it-forbids",
    sends("application/json", { a: text }, { required: ["b"], additionalProperties: false }),
    /the schema requires `b` but does not allow it/,
  ],
  [
    "/pages-of-a-post",
    { post: answers({ type: "array", items: text }, { Link: {} }).get },
    /leads to the next page, but skillc reads pages only with GET, and this is a POST/,
  ],
  ["/braces-in-a-name-of-json", sends("application/json", { "{a}": text }), whole],
  [
    "/braces-in-a-name-of-a-form",
    sends(form, { "{a}": text, b: text }),
    /its name contains braces/,
  ],
  [
    "/parts-of-any-value",
    sends(multipart, {
      a: {},
      b: { oneOf: [text, { type: "object" }] },
      c: { type: "array", items: {} },
    }),
    whole,
  ],
  [
    "/an-example-that-reads-like-a-key",
    takes(
      parameter("query", { ...text, example: `ghp_${"16C7e42F292c6912E771"}0c838347Ae178B4a` }),
    ),
    whole,
  ],
];

const leftOut: readonly (readonly [path: string, item: object, told: RegExp])[] = [
  [
    "/a-path-of-no-values/{p}",
    takes(parameter("path", { ...text, enum: [""] })),
    /a path can't contain any of its values/,
  ],
  [
    "/a-query-that-no-value-fits",
    takes(parameter("query", impossible, { required: true })),
    /no value fits the required parameters: .*, at `p`/,
  ],
  [
    "/bounds-that-exclude-each-other",
    takes(parameter("query", { type: "integer", minimum: 5, maximum: 2 }, { required: true })),
    /there is no integer between/,
  ],
];

interface Outcome {
  readonly imported: Imported;
  readonly errors: readonly string[];
}

let outcome: Promise<Outcome> | undefined;

/** All of them in one document, imported and compiled once. */
function all(): Promise<Outcome> {
  return (outcome ??= (async () => {
    const paths = Object.fromEntries(
      [...cases, ...leftOut].map(([path, item]) => [path, withResponses(item)]),
    );
    const schemas = { No: impossible };
    const imported = await importText(openApi(paths, { components: { schemas } }));
    const compiled = await compileFiles(imported.files);
    const errors = linesOf(compiled, imported.files).filter((line) => line.includes(" error "));
    return { imported, errors };
  })());
}

async function operationOf(path: string) {
  const { imported } = await all();
  const found = imported.report.operations.find((each) => each.path === path);
  expect(found).toBeDefined();
  return { ...found, told: found?.notes.map(({ message }) => message).join("\n") };
}

describe("an operation with", () => {
  test.each(cases)(
    "%s becomes a tool, and its report lists what the tool lacks",
    async (path, _, why) => {
      const { taken, told } = await operationOf(path);
      expect(taken).toBe(why === undefined ? "whole" : "part");
      expect(told).toMatch(why ?? /^$/);
    },
  );

  test.each(leftOut)("%s is omitted with the reason", async (path, _, why) => {
    const { taken, told } = await operationOf(path);
    expect(taken).toBe("no");
    expect(told).toMatch(why);
  });

  test("any of these parts makes no tool an error", async () => {
    expect((await all()).errors).toEqual([]);
  });

  test("an example that reads like a key has the key written nowhere", async () => {
    const { imported } = await all();
    expect(Object.values(imported.files).join("\n")).not.toContain("ghp_");
    expect(imported.told.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^a text looks like a secret, so the import writes `xxx` in /),
    );
  });
});

function withResponses(item: object): object {
  const responses = { 200: { description: "ok", content: { "application/json": {} } } };
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [method, { responses, ...operation }]),
  );
}
