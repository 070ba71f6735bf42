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

  describe("by the schema of the body", () => {
    const states = "{ type: object, properties: { state: { enum: [running, ready, failed] } } }";
    const described = `response_schema: ${states}`;

    it.each([
      [
        "{ state: $.state, done: [done], failed: [failed] }",
        "5:34 http/bad-poll `$.state` is never `done` by the schema (it is one of `running`, `ready` and `failed`)",
      ],
      [
        "{ state: $.state, done: [ready, redy], failed: [failed] }",
        "5:41 http/bad-poll `$.state` is never `redy` by the schema (did you mean `ready`?)",
      ],
      [
        "{ state: $.state, done: [ready], failed: [broken] }",
        "5:51 http/unknown-state `$.state` is never `broken` by the schema (it is one of `running`, `ready` and `failed`)",
      ],
      [
        "{ state: $.status, done: [ready] }",
        "5:20 http/unknown-response-field the body has no field `status` by its schema (did you mean `state`?)",
      ],
      [
        "{ state: $, done: [ready] }",
        "5:18 http/bad-poll `$` is an object by the schema, but a state is text, a number or a boolean (write the path to the state itself: `state: $.status`)",
      ],
    ])("reports %s", (poll, line) => {
      expect(told(polled(poll, described))).toBe(line);
    });

    it("reports a state in a block list at its own line", () => {
      const { lines } = polled(
        "\n    state: $.state\n    done:\n      - ready\n      - done",
        described,
      );
      expect(lines).toEqual([expect.stringMatching(/^9:9 http\/bad-poll \[done\]/)]);
    });

    it.each([
      [
        "a schema of the result alone",
        "response_schema: { properties: { state: { const: ready } } }",
      ],
      [
        "a schema without a list of states",
        "response_schema: { properties: { state: { type: string } } }",
      ],
      ["a schema of another part of the body", "response_mapping: { path: $.result }"],
    ])("accepts states beside %s", (_, body) => {
      expect(told(polled("{ state: $.state, done: [ready], failed: [failed] }", body))).toBe("");
    });
  });

  it.each([
    ["{ interval_ms: 60000, timeout_ms: 30000 }", "5:24"],
    ["{ interval_ms: 60000 }", "5:24"],
    ["{ timeout_ms: 900 }", "5:23"],
  ])("rejects %s, whose first poll comes after the last", (poll, place) => {
    expect(told(polled(poll))).toContain(`${place} http/bad-poll the first poll would be after`);
  });

  it("accepts an interval below the time limit", () => {
    expect(told(polled("{ interval_ms: 900, timeout_ms: 901 }"))).toBe("");
  });
});
