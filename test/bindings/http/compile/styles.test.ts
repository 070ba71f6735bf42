import { describe, expect, it } from "vitest";
import { httpBinding } from "../../../../src/bindings/http/index.js";
import { httpModule } from "../../support/http-module.js";
import { httpTool } from "../../support/http-tool.js";

const parameters =
  "parameters: { type: object, additionalProperties: false, required: [ids, filter], properties: { ids: { type: array, items: { type: string } }, " +
  "filter: { type: object, additionalProperties: false, properties: { a: { type: string }, deep: { type: object } } }, other: { type: string } } }";

const faults = (...lines: readonly string[]) =>
  httpTool(
    [parameters, "unused: [ids, filter, other]", "binding:", "  method: GET", ...lines].join("\n"),
  ).lines.filter((line) => !line.includes("http/not-unused"));

describe("value with a style", () => {
  it("emits code that names the style", async () => {
    const { binding } = await httpModule(
      [
        parameters,
        "binding:",
        "  method: GET",
        "  url: https://a.example/x/{these}",
        '  path: { these: { value: "{ids}", style: matrix, explode: true } }',
        '  query: { f: { value: "{filter}", style: deepObject }, o: { value: "{other}", allow_reserved: true } }',
        '  headers: { X-Ids: { value: "{ids}" } }',
        '  cookies: { c: { value: "{ids}", explode: false }, session: "${SESSION}" }',
      ].join("\n"),
    );
    expect(binding).toContain(
      'segment("/ids", styled(p.ids, "matrix", { name: "these", explode: true }))',
    );
    expect(binding).toContain('["f", styled(p.filter, "deepObject")]');
    expect(binding).toContain('["o", styled(p.other, "form", { reserved: true })]');
    expect(binding).toContain('headers: [["X-Ids", styled(p.ids, "simple")]]');
    expect(binding).toContain('["c", styled(p.ids, "form", { explode: false })]');
    expect(binding).toContain('["session", text(credential("SESSION"))]');
  });

  it("accepts lists and objects of scalars, and any nested value with `deepObject`", () => {
    const url = "  url: https://a.example/";
    expect(faults(url, '  query: { f: { value: "{filter}", style: deepObject } }')).toEqual([]);
    expect(faults(url, '  query: { i: { value: "{ids}", style: pipeDelimited } }')).toEqual([]);
    expect(faults(url, '  query: { f: { value: "{filter}" } }')).toEqual([
      "6:25 http/not-a-scalar [{filter}] `filter` may contain an object, but `form` writes only lists and objects of text, numbers and booleans (write `style: deepObject` in a query, or send it in the body)",
    ]);
    expect(faults(url, '  query: { f: { value: "x{ids}" } }')).toEqual([
      expect.stringMatching(/^6:26 http\/not-a-scalar \[\{ids\}\] `ids` may be an array/),
    ]);
  });

  it("rejects a styled value in the path if it is optional, unknown to the URL, or more than one parameter", () => {
    const url = "  url: https://a.example/{these}";
    expect(faults(url, '  path: { these: { value: "{other}" } }')).toEqual([
      expect.stringMatching(/^6:28 http\/optional-in-path/),
    ]);
    expect(faults(url, '  path: { these: { value: "{ids}" }, thee: { value: "{ids}" } }')).toEqual([
      "6:38 http/bad-path-entry [thee] `{thee}` is not in the path of `url` (did you mean `these`?)",
    ]);
    expect(faults(url, '  path: { these: { value: "a{ids}" } }')).toContain(
      '6:27 http/bad-path-entry ["a{ids}"] an entry of `path` must be exactly one parameter (write `value: "{these}"`, and put other text into `url`)',
    );
  });

  it("rejects a cookie with an invalid name, and a second `cookie` header", () => {
    const url = "  url: https://a.example/";
    expect(faults(url, '  headers: { cookie: "a=b" }', '  cookies: { "a b": "c" }')).toEqual([
      expect.stringMatching(/^6:14 http\/duplicate-header \[cookie\]/),
      '7:14 http/bad-header-name ["a b"] `a b` is not the name of a cookie (use letters, digits and `-`)',
    ]);
  });
});

describe("path parameter with `allow_dot_segments`", () => {
  const dots = '{ value: "{other}", allow_reserved: true, allow_dot_segments: true }';
  const needed = parameters.replace("required: [", "required: [other, ");
  const binding = (...lines: readonly string[]) =>
    [needed, "unused: [ids, filter]", "binding:", "  method: GET", ...lines].join("\n");

  it("warns of `allow_dot_segments`", () => {
    const yaml = binding("  url: https://a.example/x/{key}", `  path: { key: ${dots} }`);
    expect(httpTool(yaml).lines).toEqual([
      "6:78 http/dot-segments [true] values with `.` and `..` can lead to another path (remove `allow_dot_segments`; if the service needs such values, give the reason under `accept`)",
    ]);
    expect(httpTool(yaml).diagnostics).toMatchObject([{ severity: "warning" }]);
  });

  it("writes `dots: true` into the module for `allow_dot_segments`", async () => {
    const { binding: written } = await httpModule(
      binding("  url: https://a.example/x/{key}", `  path: { key: ${dots} }`),
    );
    expect(written).toContain(
      'segment("/other", styled(p.other, "simple", { reserved: true, dots: true }))',
    );
  });

  it("rejects `allow_dot_segments` in a path with `{caller…}`", () => {
    const url = '  url: "https://a.example/{caller.tenant}/{key}"';
    const yaml = binding(url, `  path: { key: ${dots} }`);
    expect(httpTool(yaml).diagnostics).toMatchObject([
      { code: "http/dot-segments-beside-caller", severity: "error" },
    ]);
    const own = binding(
      "  url: https://a.example/{other}/{key}",
      '  path: { key: { value: "{caller.tenant}", allow_dot_segments: true } }',
    );
    expect(httpTool(own).diagnostics).toMatchObject([
      { code: "http/dot-segments-beside-caller", severity: "error" },
    ]);
  });

  it("gives a tool with `allow_dot_segments` its whole origin as capability", () => {
    const { resolved } = httpTool(
      binding('  url: "${FILES_URL}/x/{key}"', `  path: { key: ${dots} }`),
    );
    if (resolved === undefined) throw new Error("no binding");
    expect(httpBinding.capabilities?.(resolved.config, ["FILES_URL"], "a/b")).toEqual([
      { capability: "net.http:get ${FILES_URL}", credentials: ["FILES_URL"], dot_segments: true },
    ]);
  });
});
