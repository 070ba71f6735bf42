import { describe, expect, it } from "vitest";
import { httpTool } from "../../support/http-tool.js";

/** Line 1 the parameters, line 2 `unused`, from line 4 on the binding. */
function faults(...binding: readonly string[]) {
  return httpTool(
    [
      "parameters: { type: object, required: [q], properties: { q: { type: string }, note: { type: string } } }",
      "unused: [note]",
      "binding:",
      ...binding.map((line) => `  ${line}`),
    ].join("\n"),
  ).lines;
}

const mistaken =
  "http/parameter-as-credential [${q}] `q` is a parameter, but `${q}` names a credential (write `{q}`)";

describe("parameter written with a superfluous `$`", () => {
  it.each([
    ["the path", ["method: GET", "url: https://a.example/x/${q}/y"], "5:28"],
    ["the URL's query", ["method: GET", "url: https://a.example?a=${q}"], "5:28"],
    ["the query", ["method: GET", "url: https://a.example", 'query: { a: "by ${q}" }'], "6:19"],
    ["a header", ["method: GET", "url: https://a.example", 'headers: { X-A: "${q}" }'], "6:20"],
    [
      "the body",
      ["method: POST", "url: https://a.example", 'body_template: { a: "x ${q}" }'],
      "6:26",
    ],
    [
      "the idempotency key",
      ["method: POST", "url: https://a.example/", 'idempotency: { header: K, key: "${q}" }'],
      "6:35",
    ],
  ])("reports one diagnostic in %s", (_, binding, place) => {
    expect(faults(...binding)).toEqual([`${place} ${mistaken}`]);
  });

  it.each(["${q}/x", "https://${q}.example/", "${BASE}${q}"])(
    "rejects a parameter as the origin: %s",
    (url) => {
      expect(faults("method: GET", `url: "${url}"`)).toEqual([
        expect.stringMatching(
          /http\/parameter-in-origin \[\$\{q\}\] the parameter `q` would let a caller choose/,
        ),
      ]);
    },
  );

  it("does not mistake other names of settings for the parameter", () => {
    expect(faults("method: GET", "url: ${base}/{q}", 'headers: { X-A: "${Q}" }')).toEqual([]);
  });
});

describe("parameter that nothing uses", () => {
  it.each([
    ["method: GET", "url: https://a.example", 'query: { a: "{{q}}" }'],
    ["method: GET", "url: https://a.example", 'headers: { A: "x {{ q }}" }'],
    ["method: GET", 'url: "https://a.example/x{{q}}"'],
    ["method: GET", 'url: "https://a.example?a={{q}}"'],
    ["method: POST", "url: https://a.example", 'body_template: ["{{q}}"]'],
  ])("reports the unused parameter if only doubled braces name it: %s %s %s", (...binding) => {
    expect(faults(...binding)).toEqual([
      "1:61 http/unused-parameter [{ type: string }] `q` has no effect: the binding never uses it (`{{` is a literal brace: write `{q}`)",
    ]);
  });

  it("suggests the unused parameter for the only unknown placeholder", () => {
    expect(
      faults("method: GET", "url: https://a.example", 'query: { a: "{query}", b: "{query}" }'),
    ).toEqual([
      "6:16 http/unknown-parameter [{query}] `query` is not a parameter of `handle-order` (did you mean `q`? nothing else uses it)",
      "6:30 http/unknown-parameter [{query}] `query` is not a parameter of `handle-order` (did you mean `q`? nothing else uses it)",
    ]);
  });

  it("suggests nothing if two unknown placeholders could mean the unused parameter", () => {
    const lines = faults(
      "method: GET",
      "url: https://a.example",
      'query: { a: "{query}", b: "{other}" }',
    );
    expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "1:61 http/unused-parameter",
      "6:16 http/unknown-parameter",
      "6:30 http/unknown-parameter",
    ]);
  });
});

describe("parameter whose name no placeholder can hold", () => {
  const faults = (name: string, query: string) =>
    httpTool(
      `parameters: { type: object, properties: { "${name}": { type: string } } }\nbinding:\n  method: GET\n  url: https://a.example/\n  query: { q: "${query}" }`,
    ).lines.map((line) => line.replace(/^\S+ /, ""));

  it("reports a placeholder with such a name once", () => {
    expect(faults("a.b", "{a.b}")).toEqual([
      "http/unknown-parameter [{a.b}] `a.b` is a parameter with a dot in its name, but a placeholder would read a field there (rename the parameter, or list it under `unused`)",
    ]);
  });

  it.each(["a.b", ""])(
    "asks the author to rename the parameter `%s` or to list it as unused",
    (name) => {
      const [line, ...others] = faults(name, "fixed");
      expect(line).toContain(
        "(no placeholder can name it: rename it, or list it under `unused` beside `binding`)",
      );
      expect(others).toEqual([]);
    },
  );

  it("never suggests such a parameter for a misspelt name", () => {
    expect(faults("", "{q}").join()).not.toContain("did you mean");
  });
});
