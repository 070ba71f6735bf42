import { describe, expect, it } from "vitest";
import { withSchema } from "./support.js";

const nested = (field: string) => `syntax = "proto3";
message Order { ${field} string id = 9; }
message N { oneof x { string a = 1; int32 b = 2; string c = 3; } N next = 4; oneof y { string d = 5; string e = 6; } }
`;
const both =
  "queue/exclusive-fields [b] `b` and `a` are both given, but `x` allows at most one field";

function linesOf(field: string, message: string, parameters = "{}", required = "") {
  const parts = { message, parameters, required };
  return withSchema("protobuf", nested(field), parts).lines.map((line) =>
    line.replace(/^\d+:\d+ /, ""),
  );
}

describe("literal fields of one `oneof`", () => {
  it.each([
    ["in a message", "N n = 1;", '{ n: { a: "{p}", b: 1 } }'],
    ["in a list", "repeated N n = 1;", '{ n: [{ a: x }, { a: "{p}", b: 1 }] }'],
    ["in a map", "map<string, N> n = 1;", '{ n: { k: { a: "{p}", b: 1 } } }'],
    ["two levels down", "N n = 1;", '{ n: { next: { next: { a: "{p}", b: 1 } } } }'],
    ["in the message itself", "oneof x { string a = 1; int32 b = 2; }", '{ a: "{p}", b: 1 }'],
    ["without a parameter", "N n = 1;", "{ n: { a: x, b: 1 } }"],
    ["beside an optional field", "N n = 1;", '{ n: { a: x, b: 1, c: "{q}" } }'],
  ])("reports two fields %s", (_, field, message) => {
    const parameters = "{ p: { type: string }, q: { type: string } }";
    const lines = linesOf(field, message, parameters, message.includes("{p}") ? "p" : "");
    expect(lines.filter((line) => !line.includes("unused"))).toEqual([
      `${both} (keep one of the two)`,
    ]);
  });

  it("reports each `oneof` and points at the field that is already given", () => {
    const { lines, related } = withSchema("protobuf", nested("N n = 1;"), {
      message: "{ n: { a: x, c: x, d: x, e: x } }",
    });
    expect(lines.map((line) => line.replace(/^\S+ \S+ /, ""))).toEqual([
      "[c] `c` and `a` are both given, but `x` allows at most one field (keep one of the two)",
      "[e] `e` and `d` are both given, but `y` allows at most one field (keep one of the two)",
    ]);
    expect(related).toEqual([["a"], ["d"]]);
  });

  it.each([
    "{ n: { a: x, d: x } }",
    "{ n: { a: x, next: { b: 1, next: { c: x } } } }",
    '{ n: { a: "{p}", b: "{q}" } }',
    "{ n: {} }",
  ])("accepts %s", (message) => {
    const parameters = "{ p: { type: string }, q: { type: integer, minimum: 0, maximum: 9 } }";
    const lines = linesOf("N n = 1;", message, parameters);
    expect(lines.filter((line) => !line.includes("unused"))).toEqual([]);
  });
});

describe("fields of one `oneof` in a parameter", () => {
  const fields = "a: { type: string }, b: { type: integer, minimum: 0, maximum: 9 }";
  const object = (required: string, more = "") =>
    `{ type: object, additionalProperties: false, required: [${required}], properties: { ${fields}${more} } }`;

  it.each([
    ["a field", '{ n: "{p}" }', object("a, b"), "`p`"],
    [
      "a part of one",
      '{ n: "{p}" }',
      `{ type: object, additionalProperties: false, properties: { next: ${object("a, b")} } }`,
      "`p` at `next`",
    ],
    [
      "the message",
      '"{p}"',
      `{ type: object, additionalProperties: false, properties: { n: ${object("a, b")} } }`,
      "`p` at `n`",
    ],
  ])("reports a parameter that requires both fields: %s", (_, message, schema, subject) => {
    expect(linesOf("N n = 1;", message, `{ p: ${schema} }`, "p")).toEqual([
      `queue/exclusive-fields [{p}] ${subject} always has \`a\` and \`b\`, but \`x\` allows at most one field (require at most one of the two)`,
    ]);
  });

  it("reports both fields if the parameters are the whole message", () => {
    const [line] = linesOf(
      "oneof x { string a = 1; int32 b = 2; }",
      '"{p}"',
      `{ p: ${object("a, b")} }`,
      "p",
    );
    expect(line).toContain("`p` always has `a` and `b`, but `x` allows at most one field");
    const { lines } = withSchema("protobuf", nested("oneof x { string a = 1; int32 b = 2; }"), {
      parameters: `{ ${fields} }`,
      required: "a, b",
    });
    expect(lines.map((each) => each.replace(/^\d+:\d+ /, ""))).toEqual([
      expect.stringContaining("`b` and `a` are both given, but `x` allows at most one field"),
    ]);
  });

  it("accepts a parameter that requires one field at most", () => {
    for (const required of ["", "a", "b"])
      expect(linesOf("N n = 1;", '{ n: "{p}" }', `{ p: ${object(required)} }`, "p")).toEqual([]);
  });
});
