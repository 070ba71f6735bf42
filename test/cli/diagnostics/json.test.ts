import { expect, test } from "vitest";
import { safeJson } from "../../../src/cli/console/print-json.js";
import { diagnosticsAsData } from "../../../src/cli/diagnostics/json.js";
import type { Diagnostic } from "../../../src/core/diagnostic.js";

const file = "skills/desk/SKILL.md";

test("positions count from 1, columns in UTF-16 units, the end exclusive; absent facts are null", () => {
  const text = "\ufeffa: 😀\r\nb: 注 {x}\r\n";
  const start = text.indexOf("{x}");
  const diagnostic: Diagnostic = {
    code: "http/unknown-parameter",
    severity: "error",
    message: "m",
    span: { file, start, end: start + 3 },
    related: [{ span: { file, start: 0, end: 1 }, message: "not printed" }],
  };
  const sources = new Map([[file, { path: file, text }]]);
  expect(diagnosticsAsData([diagnostic], [], sources)).toStrictEqual({
    accepted: [],
    diagnostics: [
      {
        code: "http/unknown-parameter",
        severity: "error",
        message: "m",
        help: null,
        file,
        line: 2,
        column: 6,
        endLine: 2,
        endColumn: 9,
        skill: null,
        tool: null,
      },
    ],
  });
});

test("columns after an emoji on the first line leave out the byte order mark, not the surrogate", () => {
  const text = "\ufeff😀x";
  const span = { file, start: 3, end: 4 };
  const [only] = diagnosticsAsData(
    [{ code: "a/b", severity: "error", message: "", span }],
    [],
    new Map([[file, { path: file, text }]]),
  ).diagnostics;
  expect([only?.column, only?.endColumn]).toEqual([3, 4]);
});

test("printed JSON contains no control character, and parses to the same value", () => {
  const value = { text: "\u001b[2J\u009b2J\u007f\u202e\u200b\u2028é注😀" };
  const printed = safeJson(value);
  // oxlint-disable-next-line no-control-regex
  expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e\u2028]/);
  expect(JSON.parse(printed)).toEqual(value);
});
