import * as fc from "fast-check";
import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import { renderDiagnostics, type RenderOptions } from "../../../src/cli/diagnostics/render.js";
import { summarize } from "../../../src/cli/diagnostics/summary.js";
import type { Diagnostic } from "../../../src/core/diagnostic.js";
import type { Span } from "../../../src/core/span.js";
import { unicodeText } from "../../support/unicode-text.js";

const file = "skills/desk/SKILL.md";

function spanOf(text: string, part: string): Span {
  const start = text.indexOf(part);
  return { file, start, end: start + part.length };
}

function fault(span: Span, more: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: "http/unknown-parameter",
    severity: "error",
    message: "`x` is not a parameter",
    span,
    ...more,
  };
}

function render(text: string, diagnostics: readonly Diagnostic[], options?: RenderOptions): string {
  return renderDiagnostics(diagnostics, new Map([[file, { path: file, text }]]), options);
}

describe("a diagnostic", () => {
  test("shows code, message, place, source, help and tool", () => {
    const text = "name: desk\nurl: /orders/{orderId}\n";
    const help = "did you mean `order_id`?";
    expect(
      render(text, [fault(spanOf(text, "{orderId}"), { help, skill: "desk", tool: "get-order" })]),
    ).toMatchInlineSnapshot(`
      "error[http/unknown-parameter]: \`x\` is not a parameter
       --> skills/desk/SKILL.md:2:14
        |
      2 | url: /orders/{orderId}
        |              ^^^^^^^^^
        |
        = help: did you mean \`order_id\`?
        = tool: desk/get-order
      "
    `);
  });

  test("places carets under tabs, wide characters and emoji by their width, and counts columns in UTF-16 units", () => {
    const text = "\ta: 注文😀👩‍👩‍👧é {x}\n";
    expect(render(text, [fault(spanOf(text, "{x}"))])).toMatchInlineSnapshot(`
      "error[http/unknown-parameter]: \`x\` is not a parameter
       --> skills/desk/SKILL.md:1:19
        |
      1 |     a: 注文😀👩‍👩‍👧é {x}
        |                  ^^^
      "
    `);
  });

  test("understands CRLF and a byte order mark", () => {
    const text = "\ufeffname: desk\r\nurl: {x}\r\n";
    const whole = render(text, [fault(spanOf(text, "name")), fault(spanOf(text, "{x}\r\n"))]);
    expect(whole).toMatchInlineSnapshot(`
      "error[http/unknown-parameter]: \`x\` is not a parameter
       --> skills/desk/SKILL.md:1:1
        |
      1 | name: desk
        | ^^^^

      error[http/unknown-parameter]: \`x\` is not a parameter
       --> skills/desk/SKILL.md:2:6
        |
      2 | url: {x}
        |      ^^^
      "
    `);
    expect(whole).not.toContain("\r");
  });

  test("brackets several lines", () => {
    const text = "a: 1\nbody:\n  b: 2\n  c: 3\n  d: 4\n  e: 5\n  f: 6\n  g: 7\nend: 1\n";
    const start = text.indexOf("body");
    const span = { file, start, end: text.indexOf("end") };
    expect(
      render(text, [
        fault(span, { related: [{ span: spanOf(text, "a"), message: "first here" }] }),
      ]),
    ).toMatchInlineSnapshot(`
      "error[http/unknown-parameter]: \`x\` is not a parameter
       --> skills/desk/SKILL.md:2:1
        |
      1 |   a: 1
        |   - first here
      2 | / body:
      3 | |   b: 2
      ... |
      8 | |   g: 7
        | |______^
      "
    `);
  });

  test("brackets lines from the middle of one", () => {
    const text = "body: { a: 1,\n  b: 2 }\n";
    expect(render(text, [fault(spanOf(text, "{ a: 1,\n  b: 2 }"))])).toMatchInlineSnapshot(`
      "error[http/unknown-parameter]: \`x\` is not a parameter
       --> skills/desk/SKILL.md:1:7
        |
      1 |   body: { a: 1,
        |  _______^
      2 | |   b: 2 }
        | |________^
      "
    `);
  });

  test("shows the other half of a conflict, in this file and in another", () => {
    const text = "create: 1\nread: 2\ncreate: 3\n";
    const other = { path: "skills/desk/metadata.json", text: '{ "tools": {} }' };
    const diagnostic = fault(
      { file, start: text.lastIndexOf("create"), end: text.lastIndexOf("create") + 6 },
      {
        related: [
          { span: spanOf(text, "create"), message: "first declared here" },
          { span: { file: other.path, start: 2, end: 9 }, message: "and here" },
        ],
      },
    );
    const sources = new Map([
      [file, { path: file, text }],
      [other.path, other],
    ]);
    expect(renderDiagnostics([diagnostic], sources)).toMatchInlineSnapshot(`
      "error[http/unknown-parameter]: \`x\` is not a parameter
       --> skills/desk/SKILL.md:3:1
        |
      1 | create: 1
        | ------ first declared here
      2 | read: 2
      3 | create: 3
        | ^^^^^^
       ::: skills/desk/metadata.json:1:3
        |
      1 | { "tools": {} }
        |   ------- and here
      "
    `);
  });

  test("shortens a long line around the fault", () => {
    const text = `${"a".repeat(5000)} {x} ${"b".repeat(5000)}`;
    const shown = render(text, [fault(spanOf(text, "{x}"))], { width: 60 });
    expect(shown).toMatchInlineSnapshot(`
      "error[http/unknown-parameter]: \`x\` is not a parameter
       --> skills/desk/SKILL.md:1:5002
        |
      1 | …aaaaaaaaaaaaaaaaa {x} bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…
        |                    ^^^
      "
    `);
  });

  test("never draws carets past its line", () => {
    const text = `${"y".repeat(300)}\n`;
    const shown = render(text, [fault({ file, start: 0, end: 300 })], { width: 60 }).split("\n");
    expect(Math.max(...shown.slice(2).map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  test("points at the end of a file, and at an unknown file", () => {
    const text = "name: desk";
    expect(
      render(text, [
        fault({ file, start: 10, end: 10 }),
        fault({ file: "generated/x.ts", start: 3, end: 9 }),
      ]),
    ).toMatchInlineSnapshot(`
      "error[http/unknown-parameter]: \`x\` is not a parameter
       --> skills/desk/SKILL.md:1:11
        |
      1 | name: desk
        |           ^

      error[http/unknown-parameter]: \`x\` is not a parameter
       --> generated/x.ts
      "
    `);
  });

  test("makes escapes in source, message and help visible", () => {
    const text = "note: \u001b[31mred\u0007 \u202egnp.exe\u200b \u009b2J \ud800 {x}\n";
    const message = "`\u001b]0;title\u0007` is bad\nforged: line";
    const shown = render(text, [
      fault(spanOf(text, "{x}"), { message, help: "\u001b[2Jwrite `y`" }),
    ]);
    expect(shown).toMatchInlineSnapshot(`
      "error[http/unknown-parameter]: \`␛]0;title␇\` is bad␊forged: line
       --> skills/desk/SKILL.md:1:33
        |
      1 | note: ␛[31mred␇ <U+202E>gnp.exe<U+200B> <U+009B>2J <U+D800> {x}
        |                                                             ^^^
        |
        = help: ␛[2Jwrite \`y\`
      "
    `);
  });

  test("hides a secret in every frame that shows its line", () => {
    const text = 'headers: { Authorization: "Bearer sk_live_4eC39Hq" }\n';
    const secret = spanOf(text, "sk_live_4eC39Hq");
    const shown = render(text, [fault(spanOf(text, "headers")), fault(secret, { secret: true })]);
    expect(shown).not.toContain("sk_live");
    expect(shown.match(/Bearer •{15}"/g)).toHaveLength(2);
  });

  test("uses colours only with the option", () => {
    const text = "url: {x}\n";
    const diagnostics = [fault(spanOf(text, "{x}"), { help: "write `y`" })];
    expect(render(text, diagnostics)).not.toContain("\u001b");
    const coloured = render(text, diagnostics, { palette: picocolors.createColors(true) });
    // oxlint-disable-next-line no-control-regex
    expect(coloured.replace(/\u001b\[\d+m/g, "").replaceAll("write y", "write `y`")).toBe(
      render(text, diagnostics),
    );
    expect(coloured).toContain("\u001b[31m");
  });
});

// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]/;

test("contains only harmless lines for any text and any span", () => {
  const anyText = unicodeText({ maxLength: 300 }).map((text) =>
    text.replace(/[ac]/g, "\n").replace(/[bd]/g, "\u001b["),
  );
  fc.assert(
    fc.property(anyText, fc.nat(400), fc.nat(400), fc.boolean(), (text, start, length, secret) => {
      const diagnostic = fault(
        { file, start, end: start + length },
        {
          message: text,
          help: text,
          related: [{ span: { file, start: length, end: length + 5 }, message: text }],
          ...(secret && { secret: true as const }),
        },
      );
      const shown = render(text, [diagnostic]);
      expect(shown).not.toMatch(unsafe);
      expect(shown).toContain("http/unknown-parameter");
    }),
  );
});

test("the summary counts by severity, and the skills that are named", () => {
  const at = { file, start: 0, end: 1 };
  const warning = fault(at, { severity: "warning" });
  expect(summarize([])).toBeUndefined();
  expect(summarize([fault(at)])).toBe("1 error");
  expect(
    summarize([fault(at, { skill: "a" }), fault(at, { skill: "b" }), { ...warning, skill: "c" }]),
  ).toBe("2 errors, 1 warning in 3 skills");
});
