import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ToolError } from "../../src/runtime/errors.js";

const problems = [{ pointer: "/lines/0/sku", keyword: "required", message: "is missing" }];
const failure = { code: "SCHEMA.VALIDATION_FAILED", subject: "parameters", problems } as const;

test("a printed error shows each of its problems, wherever it is printed", () => {
  const error = new ToolError("desk/get", failure, "parameters don't fit");
  for (const text of [inspect(error), inspect({ deep: { deeper: [error] } }, { depth: 6 })]) {
    expect(text).toContain("ToolError: parameters don't fit\n");
    expect(text).toContain("pointer: '/lines/0/sku'");
    expect(text).toContain("message: 'is missing'");
    expect(text).not.toContain("[Object]");
  }
});

test("it shows its cause, by the cause's own rules", () => {
  const cause = { [inspect.custom]: () => "(closed)", secret: "hunter2" };
  const error = new ToolError("desk/get", { code: "UNKNOWN.INTERNAL", reason: "bug" }, "failed", {
    attempts: 2,
    cause,
  });
  const text = inspect(error);
  expect(text).toContain("cause: (closed)");
  expect(text).toContain("attempts: 2");
  expect(text).not.toContain("hunter2");
});
