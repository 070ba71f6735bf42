import * as fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { referenceDiagnosticEntries } from "../../src/kit/reference-diagnostics.js";
import {
  literalText,
  loneParameter,
  parseTemplate,
  type TextPart,
} from "../../src/kit/text-template.js";
import { createReport } from "../../src/core/report.js";
import { escaped } from "../bindings/support/escaped.js";
import { textNodeOf, yamlMap } from "../bindings/support/yaml-node.js";
import { unicodeText } from "../support/unicode-text.js";

function parse(text: string, node = textNodeOf(text)) {
  const report = createReport(referenceDiagnosticEntries("http", () => ({})));
  const template = parseTemplate(node, { kind: "http" }, report);
  return { ...template, template, diagnostics: report.diagnostics() };
}

/** `lit` for literal text, `${A}` for a credential, `{a.b}` for a parameter. */
function shape(parts: readonly TextPart[]): readonly string[] {
  return parts.map((part) => {
    if (part.kind === "literal") return part.text;
    return part.kind === "credential" ? `\${${part.name}}` : `{${part.path.join(".")}}`;
  });
}

describe("parseTemplate", () => {
  it.each<[string, readonly string[]]>([
    ["", []],
    ["plain", ["plain"]],
    ["{a}", ["{a}"]],
    ["for {a.b}!", ["for ", "{a.b}", "!"]],
    ["Bearer ${TOKEN_2}", ["Bearer ", "${TOKEN_2}"]],
    ["{a}{b}${C}", ["{a}", "{b}", "${C}"]],
    ["{订单号.é}", ["{订单号.é}"]],
    ["{order id}", ["{order id}"]],
    ["{order-id}", ["{order-id}"]],
    ["$5 and 5$", ["$", "5 and 5", "$"]],
    ["$$", ["$$"]],
    ["$}}", ["$", "}"]],
  ])("reads %j", (text, parts) => {
    const result = parse(text);
    expect(shape(result.parts)).toEqual(parts);
    expect(result.diagnostics).toEqual([]);
    expect(result.whole).toBe(true);
  });

  it.each<[string, string]>([
    ["{{a}}", "{a}"],
    ["{{{{", "{{"],
    ["}}}}", "}}"],
    ["$${{a}}", "${a}"],
    ["$$$${{", "$${"],
  ])("reads %j as the literal %j", (text, meant) => {
    const result = parse(text);
    expect(literalText(result.template)).toBe(meant);
    expect(result.diagnostics).toEqual([]);
  });

  it("reads `$$` before a placeholder as a dollar, and a third `$` as part of the credential", () => {
    expect(shape(parse("$${price}").parts)).toEqual(["$", "{price}"]);
    expect(shape(parse("$$${PRICE}").parts)).toEqual(["$", "${PRICE}"]);
    expect(shape(parse("$$$${price}").parts)).toEqual(["$", "$", "{price}"]);
  });

  it("reads braces from the left, so that a placeholder may be between literal ones", () => {
    expect(shape(parse("{{{a}}}").parts)).toEqual(["{", "{a}", "}"]);
  });

  it.each<[text: string, start: number, end: number, message: string, help: string]>([
    [
      "a { b",
      2,
      3,
      "this `{` opens a placeholder that nothing closes",
      "for a literal brace write `{{`",
    ],
    ["a } b", 2, 3, "this `}` closes nothing", "for a literal brace write `}}`"],
    [
      "${A",
      0,
      2,
      "this `${` opens a placeholder that nothing closes",
      "for a literal brace write `{{`",
    ],
    [
      "{a{b}",
      0,
      1,
      "this `{` opens a placeholder that nothing closes",
      "for a literal brace write `{{`",
    ],
    ["{a}}", 3, 4, "this `}` closes nothing", "for a literal brace write `}}`"],
  ])("rejects the lone brace in %j", (text, start, end, message, help) => {
    const { diagnostics, whole } = parse(text);
    expect(diagnostics).toMatchObject([
      { code: "http/lone-brace", span: { start, end }, message, help },
    ]);
    expect(whole).toBe(false);
  });

  it.each<[text: string, end: number, message: string, help: string]>([
    [
      "{ order_id }",
      12,
      "`{ order_id }` is not a placeholder",
      "write `{order_id}`, or `{{` and `}}` for literal braces",
    ],
    [
      "{a..b}",
      6,
      "`{a..b}` is not a placeholder",
      "write `{a.b}`, or `{{` and `}}` for literal braces",
    ],
    [
      "{}",
      2,
      "this placeholder names no parameter",
      "write `{parameter}`, or `{{` and `}}` for literal braces",
    ],
    [
      "{.}",
      3,
      "this placeholder names no parameter",
      "write `{parameter}`, or `{{` and `}}` for literal braces",
    ],
    [
      "${}",
      3,
      "this placeholder names no credential",
      "write `${NAME}`: letters, digits and `_`; for a literal `${` write `$${{`",
    ],
    [
      "${bad-name}",
      11,
      "`bad-name` is not the name of a credential",
      "write `${bad_name}`: letters, digits and `_`; for a literal `${` write `$${{`",
    ],
    [
      "${ A }",
      6,
      "` A ` is not the name of a credential",
      "write `${A}`: letters, digits and `_`; for a literal `${` write `$${{`",
    ],
    [
      "${2FA}",
      6,
      "`2FA` is not the name of a credential",
      "write `${_2FA}`: letters, digits and `_`; for a literal `${` write `$${{`",
    ],
  ])("rejects the placeholder %j", (text, end, message, help) => {
    const { diagnostics } = parse(text);
    expect(diagnostics).toMatchObject([
      { code: "http/bad-placeholder", span: { start: 0, end }, message, help },
    ]);
  });

  it("understands a placeholder with spaces inside, so that it causes no further error", () => {
    expect(shape(parse("{ order_id }").parts)).toEqual(["{order_id}"]);
  });

  it("gives each part its place in the file", () => {
    const text = `url: "x {{ {a.b}/\${C}"`;
    const [entry] = yamlMap(text).entries;
    if (entry?.value.kind !== "scalar" || typeof entry.value.value !== "string") throw new Error();
    const { parts } = parse("", { ...entry.value, value: entry.value.value });
    expect(parts.map(({ span }) => text.slice(span.start, span.end))).toEqual([
      "x ",
      "{{",
      " ",
      "{a.b}",
      "/",
      "${C}",
    ]);
  });

  it("returns any text whose braces are doubled, and dollars before them", () => {
    const braces = fc.string({
      unit: fc.constantFrom("{", "}", "$", "a", ".", " ", "\n", "é", "😀"),
    });
    fc.assert(
      fc.property(fc.oneof(braces, unicodeText()), (text) => {
        const { template, diagnostics } = parse(escaped(text));
        expect(literalText(template)).toBe(text);
        expect(diagnostics).toEqual([]);
      }),
    );
  });

  it("covers any text with parts and faults, in order and without a gap", () => {
    const unit = fc.constantFrom("{", "}", "$", "a", ".", " ", "B", "-");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        const { parts, diagnostics } = parse(text);
        const spans = [...parts.map(({ span }) => span), ...diagnostics.map(({ span }) => span)];
        const covered = new Set(
          spans.flatMap(({ start, end }) =>
            Array.from({ length: end - start }, (_, at) => start + at),
          ),
        );
        expect(covered.size).toBe(text.length);
      }),
    );
  });

  it.each([
    ["$ORDERS_URL", ["${ORDERS_URL}"], 0, 11],
    ["$ORDERS_URL/orders/{id}", ["${ORDERS_URL}", "/orders/", "{id}"], 0, 11],
    ["Bearer $TOKEN", ["Bearer ", "${TOKEN}"], 7, 13],
    ["Bearer $(TOKEN) ", ["Bearer ", "${TOKEN}", " "], 7, 15],
    ["https://$HOST/a", ["https://", "${HOST}", "/a"], 8, 13],
  ])("reads %j as a reference without braces", (text, parts, start, end) => {
    const { whole, diagnostics, ...result } = parse(text);
    const name = /\w+/.exec(text.slice(start))?.[0];
    expect(shape(result.parts)).toEqual(parts);
    expect(whole).toBe(false);
    expect(diagnostics).toMatchObject([
      { code: "http/bad-placeholder", span: { start, end }, help: `write \`\${${name}}\`` },
    ]);
  });

  it.each([
    "$USD",
    "$5",
    "costs $ORDERS_URL",
    "$name",
    "$order_url",
    "$.data",
    "$",
    "$A_B c",
    "$A_B-c",
  ])("reads %j as text", (text) => {
    expect(parse(text)).toMatchObject({ whole: true, diagnostics: [] });
  });

  it("reads a million braces and dollars without stalling", () => {
    const size = 1_000_000;
    expect(literalText(parse("$".repeat(size)).template)).toHaveLength(size);
    expect(literalText(parse(`${"$".repeat(size)}{{`).template)).toHaveLength(size / 2 + 1);
    expect(parse("{".repeat(size + 1)).diagnostics).toHaveLength(1);
    expect(parse(`{${"a".repeat(size)}`).diagnostics).toHaveLength(1);
  });
});

describe("loneParameter", () => {
  it("returns the parameter of a template with only that part", () => {
    expect(loneParameter(parse("{a.b}").template)?.path).toEqual(["a", "b"]);
    expect(loneParameter(parse(" {a}").template)).toBeUndefined();
    expect(loneParameter(parse("{a}{b}").template)).toBeUndefined();
    expect(loneParameter(parse("${A}").template)).toBeUndefined();
  });
});

describe("a language with named roots", () => {
  const schema = { kind: "schema", schema: true, places: {} } as const;
  const span = { file: "SKILL.md", start: 0, end: 0 };
  const language = {
    kind: "http",
    roots: [
      { name: "result", schema: { ...schema, span } },
      { name: "caller", schema: { ...schema, span } },
    ],
  } as const;
  const partsOf = (text: string) => {
    const report = createReport(referenceDiagnosticEntries("http", () => ({})));
    return parseTemplate(textNodeOf(text), language, report).parts;
  };

  it("returns parts of these roots, and reads every other placeholder as a parameter", () => {
    expect(partsOf("{result.id}/{caller.tenant.name}/{id.result}")).toMatchObject([
      { kind: "root", root: "result", path: ["id"] },
      { kind: "literal" },
      { kind: "root", root: "caller", path: ["tenant", "name"] },
      { kind: "literal" },
      { kind: "parameter", path: ["id", "result"] },
    ]);
  });

  it("reads a root alone as the whole root", () => {
    expect(partsOf("{result}")).toMatchObject([{ kind: "root", root: "result", path: [] }]);
  });

  it("tells the compiler which roots exist", () => {
    const [part] = partsOf("{caller}");
    expect(part?.kind).toBe("root");
    if (part?.kind === "root") expectTypeOf(part.root).toEqualTypeOf<"result" | "caller">();
  });
});

describe("a language with marks", () => {
  const root = {
    name: "caller",
    schema: {
      kind: "schema",
      schema: true,
      places: {},
      span: { file: "SKILL.md", start: 0, end: 0 },
    },
  } as const;
  const read = (
    text: string,
    marks: { readonly hasTokens?: true; readonly hasOptional?: true },
  ) => {
    const report = createReport(referenceDiagnosticEntries("http", () => ({})));
    const language = { kind: "http", roots: [root], ...marks } as const;
    const { parts } = parseTemplate(textNodeOf(text), language, report);
    return { parts, problems: report.diagnostics().map(({ message, help }) => [message, help]) };
  };

  it("marks `{author?}` as optional, and `{paths...}` as several tokens", () => {
    const { parts, problems } = read("{a.b?}{paths...}{c}", { hasTokens: true, hasOptional: true });
    expect(parts).toMatchObject([
      { path: ["a", "b"], optional: true },
      { path: ["paths"], extent: "tokens" },
      { path: ["c"] },
    ]);
    expect(parts[2]).not.toHaveProperty("optional");
    expect(problems).toEqual([]);
  });

  it("takes the mark for a part of the name if the language has none", () => {
    expect(read("{a?}", {}).parts).toMatchObject([{ path: ["a?"] }]);
  });

  it("rejects `?` at the value of a root, which is always there", () => {
    expect(read("{caller.tenant?}", { hasOptional: true }).problems).toEqual([
      [
        "`{caller.tenant?}` always has a value: only a parameter can be absent",
        "write `{caller.tenant}`",
      ],
    ]);
  });

  it("reports a mark without a name", () => {
    expect(read("{?}", { hasOptional: true }).problems).toEqual([
      ["this placeholder names no parameter", expect.any(String)],
    ]);
  });
});
