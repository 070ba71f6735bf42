import { describe, expect, it } from "vitest";
import { httpTool } from "../../support/http-tool.js";

const faults = (headers: string) =>
  httpTool(
    [
      "binding:",
      "  method: GET",
      "  url: https://a.example/",
      `  response_mapping: { headers: ${headers} }`,
    ].join("\n"),
  );

describe("response_mapping.headers", () => {
  it("reads the key of the result and the name of the header", () => {
    const { lines, resolved } = faults("{ etag: ETag, pages_left: X-Pages-Left }");
    expect(lines).toEqual([]);
    expect(resolved?.config.answerHeaders).toMatchObject([
      { name: "etag", header: "ETag" },
      { name: "pages_left", header: "X-Pages-Left" },
    ]);
  });

  it.each([
    [
      "{ X-Left: X-Left }",
      "4:34 http/bad-answer-header [X-Left] `X-Left` is not a valid key of `headers` (use letters, digits and `_`: `x_left`)",
    ],
    [
      "{ left: 'X Left' }",
      "4:40 http/bad-answer-header ['X Left'] `X Left` is not the name of a header (write the name of a header, such as `ETag` or `X-RateLimit-Remaining`)",
    ],
    [
      "{ session: set-cookie }",
      "4:43 http/bad-answer-header [set-cookie] `set-cookie` holds a credential, which would appear in results and in the ledger (remove it)",
    ],
    [
      '{ __proto__: "ETag" }',
      "4:34 http/bad-answer-header [__proto__] `__proto__` is not a valid key of `headers` (use letters, digits and `_`: `proto`)",
    ],
  ])("rejects %s", (headers, line) => {
    expect(faults(headers).lines).toEqual([line]);
  });
});
