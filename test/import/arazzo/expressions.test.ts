import { describe, expect, test } from "vitest";
import {
  readCondition,
  readEmbedded,
  readExpression,
  readJsonPath,
} from "../../../src/import/arazzo/expressions.js";

describe("runtime expressions", () => {
  test.each([
    ["$inputs.id", { kind: "input", name: "id", below: [] }],
    ["$inputs.a#/b~1c/0", { kind: "input", name: "a", below: ["b/c", 0] }],
    ["$steps.find-pet.outputs.id", { kind: "step", step: "find-pet", name: "id", below: [] }],
    ["$steps.a.outputs.b#/00", { kind: "step", step: "a", name: "b", below: ["00"] }],
    ["$outputs.x", { kind: "output", name: "x", below: [] }],
    ["$response.body", { kind: "body", below: [] }],
    ["$response.body#/", { kind: "body", below: [""] }],
    ["$response.body.a.b", { kind: "body", below: ["a", "b"] }],
    ["$response.body#/__proto__", { kind: "body", below: ["__proto__"] }],
    ["$response.body#a", { kind: "other" }],
    ["$response.header.ETag", { kind: "other" }],
    ["$statusCode", { kind: "status" }],
    ["$steps.a", { kind: "other" }],
    [
      "$steps.__proto__.outputs.constructor",
      { kind: "step", step: "__proto__", name: "constructor", below: [] },
    ],
    ["$components.parameters.page", { kind: "other" }],
  ])("reads %s", (text, expression) => {
    expect(readExpression(text)).toEqual(expression);
  });

  test.each([
    "",
    "$",
    "$5",
    "$inputs",
    "inputs.id",
    "$inputsx.id",
    "$$inputs.id",
    " $inputs.id",
    "$foo.bar",
  ])("%j is no expression, or none with a path", (text) => {
    expect(readExpression(text) ?? { kind: "other" }).toEqual({ kind: "other" });
  });

  test("finds the expressions in a text", () => {
    expect(readEmbedded("a {$inputs.x} b {$steps.y.outputs.z}")).toEqual({
      around: ["a ", " b ", ""],
      expressions: ["$inputs.x", "$steps.y.outputs.z"],
    });
    expect(readEmbedded("{inputs.x} {$inputs.x")).toBeUndefined();
  });

  test.each([
    ["$", []],
    ["$.a.b[0]['c d'][\"e\"]", ["a", "b", 0, "c d", "e"]],
    ["$.a[*]", undefined],
    ["$[?@.x]", undefined],
    ["$..a", undefined],
    ["a", undefined],
  ])("reads the JSONPath %s", (text, steps) => {
    expect(readJsonPath(text)).toEqual(steps);
  });

  test.each([
    ["$statusCode == 200", "==", 200],
    ["$response.body#/a != null", "!=", null],
    ["$response.body#/a == 'it''s'", "==", "it's"],
    ['$inputs.a=="x"', "==", "x"],
    ["$inputs.a == true", "==", true],
    ["$statusCode == 200 || $statusCode == 201", undefined, undefined],
    ["$statusCode", undefined, undefined],
    ["200 == $statusCode", undefined, undefined],
  ])("reads the condition %s", (text, operator, value) => {
    const condition = readCondition(text);
    expect([condition?.operator, condition?.value]).toEqual([operator, value]);
  });
});
