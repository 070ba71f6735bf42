import { expect, test } from "vitest";
import { createReport } from "../../src/core/report.js";

const entry = { severity: "error", title: "", explanation: "", example: {}, fixed: {} } as const;
const span = { file: "a.yaml", start: 0, end: 1 };

test("a message is one line that any terminal can show, whatever author text it quotes", () => {
  const report = createReport({ "a/b": entry });
  const text = "`a\r\n\tb\u001b[31m\u2028\u202e\ud800`";
  report.add({ code: "a/b", span, message: text, help: text, related: [{ span, message: text }] });
  const [found] = report.diagnostics();
  const shown = "`a b\ufffd[31m \ufffd\ufffd`";
  expect([found?.message, found?.help, found?.related?.[0]?.message]).toEqual([
    shown,
    shown,
    shown,
  ]);
});

test("a message is never a book", () => {
  const report = createReport({ "a/b": entry });
  report.add({ code: "a/b", span, message: "x".repeat(1_000_000) });
  expect(report.diagnostics()[0]?.message).toHaveLength(2000);
});

test("a code that another replaces is left out at the same place only", () => {
  const report = createReport({ "a/b": entry, "a/c": { ...entry, replaces: "a/b" } });
  const elsewhere = { ...span, start: 1, end: 2 };
  for (const at of [span, elsewhere]) report.add({ code: "a/b", span: at, message: "less" });
  report.add({ code: "a/c", span, message: "more" });
  expect(report.diagnostics().map((each) => [each.code, each.span.start])).toEqual([
    ["a/c", 0],
    ["a/b", 1],
  ]);
});
