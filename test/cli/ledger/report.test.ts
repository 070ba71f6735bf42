import { describe, expect, it } from "vitest";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import * as fc from "fast-check";

import { ledgerReport } from "../../../src/cli/ledger/commands.js";
import { renderReportHtml } from "../../../src/cli/ledger/report/html/page.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import type { EndedCall, LedgerCall } from "../../../src/runtime/ledger/ledger-call.js";
import { type LedgerReport, reportLedger } from "../../../src/cli/ledger/report/report.js";
import { endRecord, temporaryDirectory } from "../../runtime/ledger/fixtures.js";
import type { JsonValue } from "../../../src/runtime/json/json.js";
import type { EndRecord } from "../../../src/runtime/ledger/record.js";
import { unicodeText } from "../../support/unicode-text.js";

function call(changes: Partial<EndRecord>): EndedCall {
  const { type: _type, ...facts } = endRecord(changes);
  return { ...facts, outcome: "ended", place: { file: "f", writer: "w", seq: 1 }, cursor: "c" };
}

async function reportOf(calls: readonly LedgerCall[]): Promise<LedgerReport> {
  const [report] = await reportLedger(calls);
  if (!report) throw new Error("no report");
  return report;
}

/** Shadow and active calls whose parameters these give, a hundred each. */
function compared(
  shadow: (n: number) => JsonValue,
  active: (n: number) => JsonValue,
): Promise<LedgerReport> {
  const numbers = Array.from({ length: 100 }, (_, n) => n);
  return reportOf([
    ...numbers.map((n) =>
      call({ mode: "shadow", status: "shadow", attempts: 0, parameters: shadow(n) }),
    ),
    ...numbers.map((n) => call({ parameters: active(n) })),
  ]);
}

const even = (n: number) => n % 2 === 0;

async function verdicts(
  shadow: (n: number) => JsonValue,
  active: (n: number) => JsonValue,
): Promise<Record<string, string>> {
  const { parameters } = await compared(shadow, active);
  return Object.fromEntries(parameters.map((each) => [each.path, each.verdict]));
}

describe("a report", () => {
  it("counts calls, statuses, errors, attempts and latency of each mode", async () => {
    const error = { code: "SCHEMA.VALIDATION_FAILED", message: "1 problem" } as const;
    const report = await reportOf([
      ...[1, 2, 3, 4, 100].map((durationMs) => call({ durationMs })),
      call({ status: "conflict", attempts: 2, durationMs: 5 }),
      call({ mode: "shadow", status: "failed", error, attempts: 0, durationMs: 0 }),
    ]);
    expect(report.active).toMatchObject({
      calls: 6,
      retried: 1,
      statuses: [
        { value: "success", count: 5 },
        { value: "conflict", count: 1 },
      ],
      latency: { calls: 6, p50: 3, p95: 100, max: 100 },
    });
    expect(report.shadow).toMatchObject({
      calls: 1,
      errors: [{ value: "SCHEMA.VALIDATION_FAILED" }],
      latency: null,
    });
    expect(report.latency.active.reduce((a, b) => a + b, 0)).toBe(6);
    expect(report.timeline.active.reduce((a, b) => a + b, 0)).toBe(6);
    expect(report.findings[0]).toEqual({
      level: "stop",
      message:
        "1 shadow call failed with SCHEMA.VALIDATION_FAILED; active calls would fail the same way",
    });
    expect(report.findings[1]?.message).toBe("1 shadow call is few: shares can be chance");
  });

  it("counts writes of unknown outcome, with an end and without", async () => {
    const error = { code: "PROVIDER.TIMEOUT", message: "no answer" } as const;
    const { outcome: _, status: __, result: ___, ...lost } = call({ attempts: 2, durationMs: 9 });
    const { attempts: _a, durationMs: _d, error: _e, ...open } = lost;
    const report = await reportOf([
      call({ durationMs: 1 }),
      { ...lost, error, outcome: "unknown" },
      { ...open, outcome: "unknown" },
    ]);
    expect(report.active).toMatchObject({
      calls: 3,
      retried: 1,
      statuses: [{ value: "unknown", count: 2 }, { value: "success" }],
      errors: [{ value: "PROVIDER.TIMEOUT", count: 1 }],
      latency: { calls: 2, max: 9 },
    });
    expect(report.findings[0]?.message).toBe(
      "2 active calls of unknown outcome: nobody knows whether they were carried out",
    );
  });

  it("shows how parameters differ", async () => {
    expect(
      await verdicts(
        (n) => ({ id: `s${n}` }),
        (n) => ({ id: `a${n}` }),
      ),
    ).toEqual({ id: "alike" });
    expect(
      await verdicts(
        (n) => ({ a: even(n) ? "x" : "y" }),
        (n) => ({ a: even(n) ? "x" : "y" }),
      ),
    ).toEqual({ a: "alike" });
    expect(
      await verdicts(
        (n) => ({ a: n < 90 ? "x" : "y" }),
        (n) => ({ a: n < 10 ? "x" : "y" }),
      ),
    ).toEqual({ a: "values" });
    expect(
      await verdicts(
        (n) => ({ a: n < 90 ? "x" : "z" }),
        () => ({ a: "x" }),
      ),
    ).toEqual({ a: "new-values" });
    expect(
      await verdicts(
        () => ({ a: 1, b: 1 }),
        () => ({ a: 1 }),
      ),
    ).toEqual({ a: "alike", b: "only-shadow" });
    expect(
      await verdicts(
        () => ({ a: "1" }),
        () => ({ a: 1 }),
      ),
    ).toEqual({ a: "types" });
    expect(
      await verdicts(
        (n) => ({ a: n * 7.1 }),
        (n) => ({ a: n * 1.3 }),
      ),
    ).toEqual({ a: "range" });
    expect(
      await verdicts(
        (n) => (even(n) ? { a: 1 } : {}),
        () => ({ a: 1 }),
      ),
    ).toMatchObject({ a: "presence" });
    expect(
      await verdicts(
        () => ({ l: [1, 1, 1] }),
        () => ({ l: [1] }),
      ),
    ).toMatchObject({ l: "range", "l[]": "alike" });
    expect(
      await verdicts(
        () => ({ "a b": { __proto__x: [] } }),
        () => null,
      ),
    ).toMatchObject({ '["a b"].__proto__x': "only-shadow" });
  });

  it("lists the parameters that were never compared", async () => {
    const report = await reportOf([call({ mode: "shadow", status: "shadow" })]);
    expect(report.parameters.map((each) => each.verdict)).toEqual(
      report.parameters.map(() => "uncompared"),
    );
    expect(report.findings.map((each) => each.message)).toContain(
      "there are no active calls to compare with",
    );
    expect(await reportLedger([])).toEqual([]);
  });

  it("stays bounded, and is JSON, whatever the parameters", async () => {
    const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`p${n}`, n]));
    let deep: JsonValue = 1;
    for (let n = 0; n < 3000; n++) deep = { a: [deep] };
    const report = await compared(
      (n) => ({ wide: n === 0 ? wide : {}, deep, text: `${n}`.repeat(50_000) }),
      () => ["x"],
    );
    expect(report.parameters.length).toBeLessThanOrEqual(1000);
    expect(report.parametersLeftOut).toBeGreaterThan(0);
    expect(JSON.stringify(report).length).toBeLessThan(1_000_000);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (shadow, active) => {
        // fast-check's own type for JSON allows what JSON does not.
        const copies: JsonValue[] = JSON.parse(JSON.stringify([shadow, active]));
        const each = await compared(
          () => copies[0] ?? null,
          () => copies[1] ?? null,
        );
        expect(JSON.parse(JSON.stringify(each))).toEqual(each);
        expect(renderReportHtml([each], { made: new Date(0) })).toContain("</html>");
      }),
      { numRuns: 50 },
    );
  });
});

/** What a page may hold of markup: everything between `<` and `>` must be one of our own tags. */
const ourTags =
  /^(?:!doctype html|\/?(?:html|head|meta|title|style|body|main|header|h1|h2|h3|p|div|span|i|b|nav|section|small|ul|li|dl|dt|dd|a|figure|svg|g|text|rect|line|table|thead|tbody|tr|th|td|code)(?: [a-zA-Z0-9-]+="[^"<>]*")*\s*\/?)$/;

function foreignTags(page: string): readonly string[] {
  const outsideStyle = page.replace(/<style>[\s\S]*?<\/style>/, "");
  return [...outsideStyle.matchAll(/<([^>]*)>?/g)]
    .map((match) => match[1]?.trim() ?? "")
    .filter((tag) => !ourTags.test(tag.replaceAll(/\s+/g, " ")));
}

const hostile = [
  "</script><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "</style><svg onload=alert(1)>",
  "</title><iframe src=//evil.example>",
  "<!--",
  "]]>",
  "&lt;b&gt;",
  "`${alert(1)}`",
  "\u2028</text>\u202e",
];

describe("the HTML page", () => {
  it.each(hostile)("shows %j as text, wherever it stands in a call", async (text) => {
    const changes = {
      skill: text,
      tool: text,
      kind: text,
      version: { skill: text, binding: text, manifest: text },
    };
    const report = await reportOf([
      call({ ...changes, status: text, parameters: { [text]: text, b: [text, text] } }),
      call({
        ...changes,
        mode: "shadow",
        status: `${text}2`,
        parameters: { [text]: 1, [`${text}3`]: { [text]: text } },
      }),
    ]);
    const page = renderReportHtml([report, report], { made: new Date(0) });
    expect(foreignTags(page)).toEqual([]);
    expect(page).toContain(text.startsWith("&") ? "&amp;lt;b&amp;gt;" : "tool-1");
  });

  it("shows any string as text", () => {
    const text = fc.oneof(
      unicodeText(),
      fc.string({ unit: fc.constantFrom(..."<>\"'`&=/ !-ab;\u0000") }),
    );
    return fc.assert(
      fc.asyncProperty(text, text, async (name, value) => {
        const report = await reportOf([
          call({ tool: name, status: value, parameters: { [name]: value } }),
        ]);
        expect(foreignTags(renderReportHtml([report], { made: new Date(0) }))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("loads nothing and runs nothing", async () => {
    const page = renderReportHtml(
      [
        await compared(
          (n) => ({ n }),
          (n) => ({ n }),
        ),
      ],
      { made: new Date(0) },
    );
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/<script|javascript:|https?:|url\(|@import|\ssrc=/);
  });
});

describe("skillc ledger report", () => {
  it("prints a table, JSON, or a page of the chosen tools", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const time = "2026-07-25T10:00:00.000Z";
    for (let n = 0; n < 40; n++) {
      const shadow = n % 2 === 0;
      ledger.append(
        entryOf(
          endRecord({
            time,
            mode: shadow ? "shadow" : "active",
            status: shadow ? "shadow" : n % 3 ? "success" : "conflict",
            attempts: shadow ? 0 : 1,
            durationMs: shadow ? 0.25 : 40 + n,
            parameters: { currency: shadow && n > 20 ? "JPY" : "EUR", id: `${n}` },
          }),
        ),
      );
    }
    ledger.append(entryOf(endRecord({ tool: "other", time })));
    await ledger.close();
    const options = {
      store: createFileLedger({ directory }),
      where: directory,
      color: false,
      width: 100,
      tool: "order-desk/create-order",
    };
    expect(await ledgerReport({ ...options, format: "table" })).toMatchInlineSnapshot(`
      {
        "exitCode": 0,
        "text": "order-desk/create-order http, write

                             shadow               active
      calls                      20                   20
      first     2026-07-25 10:00:00  2026-07-25 10:00:00
      last      2026-07-25 10:00:00  2026-07-25 10:00:00
      p50                   0.25 ms              59.0 ms
      p95                   0.25 ms              77.0 ms
      max                   0.25 ms              79.0 ms
      retried                     0                    0
      shadow              20  100 %
      success                                  13   65 %
      conflict                                  7   35 %

      ! 20 shadow calls are few: shares can be chance
      ! \`currency\` has other values in shadow: 45 % of them would have to change; active never had "JPY"
      · shadow writes are not sent: their latency is the time to build the request

      parameter          shadow                          active
      currency   values   100 %  "EUR" 55 %, "JPY" 45 %   100 %  "EUR" 100 %
      id         alike    100 %  20 different strings     100 %  20 different strings",
      }
    `);
    expect(await ledgerReport({ ...options, format: "json" })).toMatchObject({
      json: [{ tool: "create-order", shadow: { calls: 20 }, active: { calls: 20 } }],
    });
    const all = { store: options.store, where: directory };
    const both = await ledgerReport({ ...all, color: false, width: 100, format: "html" });
    expect("text" in both && both.text).toContain('<a href="#tool-2">order-desk/other</a>');
    expect(await ledgerReport({ ...options, tool: "nope", format: "table" })).toEqual({
      text: "no calls",
      exitCode: 0,
      notes: [
        "no call belongs to the tool `nope`; the ledger has `order-desk/create-order`, `order-desk/other`",
      ],
    });
  });
});
