import { expect, test } from "vitest";
import { createReport } from "../../src/core/report.js";
import type { JsonObject, JsonValue } from "../../src/core/json.js";
import { schemaDiagnosticEntries } from "../../src/schema/diagnostics.js";
import { checkShape } from "../../src/schema/check-shape.js";
import { write } from "./syntax.js";

const retry: JsonObject = {
  type: "object",
  properties: { attempts: { type: "integer" } },
  required: ["attempts"],
  additionalProperties: false,
};

function messages(value: JsonValue, schema: JsonObject): readonly string[] {
  const report = createReport(schemaDiagnosticEntries);
  // Any codes will do here: the messages are looked at.
  checkShape(write(value).node, schema, report, {
    subject: "the value",
    unknownKey: "schema/unknown-keyword",
    missingKey: "schema/undeclared-required",
    wrongType: "schema/invalid",
    wrongValue: "schema/invalid-default",
  });
  return report.diagnostics().map(({ message }) => message);
}

test("a fraction in place of a whole number has its own message", () => {
  expect(messages({ attempts: 1.5 }, retry)).toEqual([
    "`attempts` must be a whole number, not a number with a fraction",
  ]);
});

test("a misspelt key is not missing as well, but one of another place is", () => {
  const both = { type: "object", properties: { read: retry, write: retry } };
  expect(messages({ read: { atempts: 1 }, write: {} }, both)).toEqual([
    "`atempts` is not a key of `read`",
    "`attempts` is missing from `write`",
  ]);
});
