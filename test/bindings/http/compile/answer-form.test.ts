import { describe, expect, it } from "vitest";
import { checkAnswerForm } from "../../../../src/bindings/http/check/answer-form.js";
import { httpDiagnosticEntries } from "../../../../src/bindings/http/diagnostics.js";
import { createReport } from "../../../../src/core/report.js";
import { httpTool } from "../../support/http-tool.js";

/** `response` is in line 4; what else the binding says, and the tool, behind it. */
const answering = (response: string, further: readonly string[] = [], tool = "") =>
  httpTool(
    [
      "binding:",
      "  method: GET",
      "  url: https://a.example/",
      `  response: ${response}`,
      ...further.map((line) => `  ${line}`),
      ...(tool === "" ? [] : [tool]),
    ].join("\n"),
  );

describe("response", () => {
  it("reads `response` in its short form and in its long form", () => {
    const { lines, resolved } = answering("text");
    expect(lines).toEqual([]);
    expect(resolved?.config.form).toMatchObject({ as: "text" });
    const long = answering(
      '{ as: sse, type: [Text/Event-Stream, text/plain], max_item_bytes: 10, end: "[DONE]" }',
    );
    expect(long.lines).toEqual([]);
    expect(long.resolved?.config.form).toMatchObject({
      as: "sse",
      types: ["text/event-stream", "text/plain"],
      maxItemBytes: 10,
      end: "[DONE]",
    });
  });

  it.each([
    ["{ as: text, save: true }", "`save` is for `as: bytes` (remove it)"],
    [
      "{ as: bytes, max_item_bytes: 10 }",
      "`max_item_bytes` is for `as: ndjson` and `as: sse` (remove it)",
    ],
    ["{ as: ndjson, end: x }", "`end` is for `as: sse` (remove it)"],
    [
      "{ as: bytes, type: application/pdf; v=1 }",
      "`application/pdf; v=1` is not a content type (write it without parameters: `application/pdf`)",
    ],
    [
      "{ as: bytes, type: pdf }",
      "`pdf` is not a content type (write a type without parameters: `application/pdf`, or `image/*`)",
    ],
  ])("rejects %s", (response, problem) => {
    const { lines } = answering(response);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("http/bad-response");
    expect(lines[0]).toContain(problem);
  });

  it.each([
    [
      "text",
      "response_mapping: { path: $.a }",
      "`path` needs a JSON response, but this response is text",
    ],
    [
      "bytes",
      "response_mapping: { path: $.a }",
      "`path` needs a JSON response, but this response is bytes",
    ],
    [
      "any",
      "response_mapping: { path: $.a }",
      "`path` needs a JSON response, but this response is of any type",
    ],
    ["any", "paginate: { next: link_header }", "`paginate` needs a JSON response"],
    ["bytes", "response_schema: { type: string }", "`response_schema` describes JSON"],
    [
      "sse",
      "paginate: { next: link_header }",
      "`paginate` needs a JSON response, but this response is not JSON",
    ],
    [
      "text",
      "poll: { at: $.status_url }",
      "`poll` needs a JSON response, but this response is not JSON",
    ],
  ])("rejects %s beside `%s`", (response, further, problem) => {
    const { lines } = answering(response, [further]);
    expect(lines.filter((each) => each.includes("http/bad-response"))).toHaveLength(1);
    expect(lines.join("\n")).toContain(problem);
  });

  it("reports a `returns` without text for a text response", () => {
    const { lines } = answering("text", [], "returns: { type: object }");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("http/returns-mismatch");
    expect(lines[0]).toContain("the response is text, but `returns` expects an object");
    expect(answering("text", [], "returns: { type: string }").lines).toEqual([]);
  });

  it.each([
    ["ndjson", "skillc doesn't keep a stream"],
    ["bytes", "skillc doesn't keep unsaved bytes"],
    ["any", "skillc doesn't keep unsaved bytes"],
    ["{ as: bytes, save: true }", ""],
    ["text", ""],
  ])("reports %s if the answer of a call must be kept and can't be", (response, problem) => {
    const { resolved, tool } = answering(response);
    if (resolved === undefined || tool === undefined) throw new Error("the tool is not resolved");
    const report = createReport(httpDiagnosticEntries);
    const idempotency = { value: "keyed", span: tool.span } as const;
    const governance = { span: tool.span, scopes: [], limits: {}, models: [], idempotency };
    checkAnswerForm({ ...tool, governance }, resolved.config, report);
    const messages = report.diagnostics().map(({ message }) => message);
    expect(messages).toHaveLength(problem === "" ? 0 : 1);
    expect(messages.join("\n")).toContain(problem);
  });

  it("checks `returns` against each item of a stream", () => {
    const schema = "{ type: object, required: [a], properties: { a: { type: integer } } }";
    const path = "response_mapping: { path: $.a }";
    const fitting = answering(
      "ndjson",
      [`response_schema: ${schema}`, path],
      "returns: { type: integer }",
    );
    expect(fitting.lines).toEqual([]);
    const other = answering(
      "ndjson",
      [`response_schema: ${schema}`, path],
      "returns: { type: string }",
    );
    expect(other.lines.join("\n")).toContain("http/returns-mismatch");
  });
});
