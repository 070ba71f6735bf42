import { describe, expect, it } from "vitest";
import { httpCapabilities } from "../../../../src/bindings/http/capabilities.js";
import { httpTool } from "../../support/http-tool.js";

/** A POST whose `poll` is in line 5. */
const polled = (poll: string, ...more: readonly string[]) =>
  httpTool(
    [
      "parameters: { type: object, properties: { day: { type: string } } }",
      "binding:",
      "  method: POST",
      "  url: https://a.example/reports",
      `  poll: ${poll}`,
      ...more.map((line) => `  ${line}`),
    ].join("\n"),
  );

/** Without what each is about, in brackets. */
const told = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.join("\n").replaceAll(/ \[[^\]]*\]/g, "");

describe("poll", () => {
  it("reads the address to poll, the states that end the work, and the time limit", () => {
    const { lines, resolved } = polled(
      "{ location: Operation-Location, state: $.status, done: [ok, 2], failed: [bad], interval_ms: 500, timeout_ms: 9000, max_polls: 7 }",
    );
    expect(lines).toEqual([]);
    expect(resolved?.config.poll).toMatchObject({
      location: "Operation-Location",
      state: { text: "$.status" },
      done: ["ok", "2"],
      failed: ["bad"],
      intervalMs: 500,
      timeoutMs: 9000,
      mostPolls: 7,
    });
  });

  it.each([
    ["{ state: $.status }", "5:11 http/bad-poll `state` needs `done`"],
    ["{ done: [ok] }", "5:11 http/bad-poll `done` needs `state`"],
    ["{ failed: [bad] }", "5:11 http/bad-poll `failed` needs `state`"],
    [
      "{ location: Location, at: $.url }",
      "5:31 http/bad-poll `location` and `at` both say where the address is",
    ],
    ["{ location: 'My Header' }", "5:21 http/bad-poll `My Header` is not the name of a header"],
    [
      "{ state: $..status, done: [ok] }",
      "5:18 http/bad-poll `$..status` may find several values, but `state` needs exactly one",
    ],
    [
      "{ state: $.s, done: [ok], failed: [ok] }",
      "5:44 http/bad-poll the state `ok` is listed twice",
    ],
  ])("rejects %s and points at its place", (poll, expected) => {
    expect(told(polled(poll))).toContain(expected);
  });

  it("rejects a name for status 202, and pages", () => {
    const named = polled("{}", 'response_mapping: { status_codes: { "202": accepted } }');
    expect(told(named)).toContain(
      "http/bad-poll `poll` follows up a 202, so 202 is never the final status",
    );
    const paged = polled("{}", "effect: read", "paginate: { next: link_header }");
    expect(told(paged)).toContain("http/bad-poll a binding can't have both `poll` and `paginate`");
  });

  it("needs a capability for the whole origin, because the server chooses the address to poll", () => {
    const { resolved } = polled("{}");
    const reached = resolved && httpCapabilities(resolved.config, []);
    expect(reached?.map(({ capability }) => capability)).toEqual([
      "net.http:post https://a.example/reports",
      "net.http:get https://a.example",
    ]);
  });
});
