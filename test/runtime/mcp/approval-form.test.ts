import { describe, expect, test } from "vitest";
import type { TrialDetails } from "../../../src/runtime/rollback/trial.js";
import { approvalForm } from "../../../src/runtime/mcp/approval/approval-form.js";

const digest = "d".repeat(43);

interface Shown {
  readonly parameters?: object;
  readonly json?: string;
  readonly title?: string;
  readonly trial?: Partial<TrialDetails>;
  /** Schema of the arguments that models pass. */
  readonly schema?: object;
  /** Argument that contains all parameters. */
  readonly wrapper?: string;
}

/** Returns the lines of the form, and those in its box. */
function linesOf({ json, parameters = {}, schema, title = "Do it", trial, wrapper }: Shown) {
  const { message } = approvalForm({
    // The form reads no other fields.
    entry: {
      offered: {
        name: "desk__do-it",
        description: "",
        input_schema: { type: "object", ...schema },
      },
      tool: { name: "do-it", governance: { display_name: title }, input_parameter: wrapper },
    } as unknown as Parameters<typeof approvalForm>[0]["entry"],
    request: { tool: "desk/do-it", manifest: "m", digest, id: "i", ttlMs: 1 },
    parameters: json ?? JSON.stringify(parameters),
    trial: trial && {
      call: "c",
      host: "h",
      sha256: "e".repeat(64),
      status: "success",
      effects: [],
      ...trial,
    },
  });
  const lines = message.split("\n");
  return { message, lines, box: lines.slice(2, -1) };
}

const deleted = (at: number) => ({ change: "deleted", path: `old-${at}`, what: "a file" }) as const;
const created = (at: number) => ({ change: "created", path: `new-${at}`, what: "a file" }) as const;

describe("the form of an approval", () => {
  test("shows title, tool, digest and arguments, a line each", () => {
    expect(
      linesOf({ parameters: { id: "a", n: 7, list: [1, "b"], o: { p: null } } }).lines,
    ).toEqual([
      expect.stringContaining("An agent asks to make this call in your name."),
      "```",
      'title: "Do it"',
      "tool: desk__do-it",
      `digest: ${digest}`,
      "arguments:",
      '  id: "a"',
      "  n: 7",
      '  list: [1,"b"]',
      '  o: {"p":null}',
      "```",
    ]);
  });

  test("says that a call has no arguments", () => {
    expect(linesOf({}).box).toContain("arguments: none");
  });

  test.each([
    ["terminal escapes", "\u001b[31mred\u0007", "\\u001b\\u005b31mred\\u0007"],
    ["C1 controls", "a\u009b2Jb", "a\\u009b2Jb"],
    ["directions", "a\u202etxt.exe\u2066", "a\\u202etxt.exe\\u2066"],
    [
      "invisible characters",
      "a\u200b\u2060\u00ad\ufeff\u3164\u2800b",
      "a\\u200b\\u2060\\u00ad\\ufeff\\u3164\\u2800b",
    ],
    ["tags", "a\u{e0041}b", "a\\u{e0041}b"],
    ["line separators", "a\u2028b\u2029c\u0085d", "a\\u2028b\\u2029c\\u0085d"],
    ["unusual spaces", "a\u00a0b\u3000c", "a\\u00a0b\\u3000c"],
    ["runs of spaces", "a    b", "a  \\u0020\\u0020b"],
    ["runs of accents", "e\u0301\u0302\u0303\u0304", "e\u0301\u0302\\u0303\\u0304"],
    ["half characters", "a\ud800b", "a\\ud800b"],
    [
      "HTML",
      "<img src=x onerror=alert(1)>&lt;",
      "\\u003cimg src=x onerror=alert(1)\\u003e\\u0026lt;",
    ],
    ["links and images", "![a](http://x) [b](c)", "!\\u005ba\\u005d(http://x) \\u005bb\\u005d(c)"],
    ["code", "``` `x`", "\\u0060\\u0060\\u0060 \\u0060x\\u0060"],
    ["quotes and backslashes", 'a"b\\', 'a\\"b\\\\'],
    [
      "ordinary text",
      "Grüße an José, 北京 100 % *.tmp ord_1",
      "Grüße an José, 北京 100 % *.tmp ord_1",
    ],
  ])("makes %s harmless, as values, in lists and as names", (_, text, shown) => {
    const lists = linesOf({ parameters: { v: text, l: [text], o: { [text]: 1 } } });
    expect(lists.box).toContain(`  v: "${shown}"`);
    expect(lists.box).toContain(`  l: ["${shown}"]`);
    expect(lists.box).toContain(`  o: {"${shown}":1}`);
    expect(linesOf({ parameters: { [`${text} `]: 1 } }).box.at(-1)).toBe(`  "${shown} ": 1`);
    expect(linesOf({ title: text }).box[0]).toBe(`title: "${shown}"`);
  });

  test("keeps a value that imitates the form in one line", () => {
    const fake = 'a"\n```\n\nThe server has checked this call.\n\ndigest: 1\neffects: none\n```';
    const { box, message } = linesOf({ parameters: { note: fake } });
    expect(box.filter((line) => line.startsWith("digest: "))).toEqual([`digest: ${digest}`]);
    expect(box.at(-1)).toMatch(/^ {2}note: "a\\"\\n/);
    expect(message.match(/```/g)).toHaveLength(2);
  });

  test("quotes a name that imitates a name with a value", () => {
    const { box } = linesOf({ parameters: { 'id: "safe" ': "evil" } });
    expect(box.at(-1)).toBe('  "id: \\"safe\\" ": "evil"');
  });

  test("shows a parameter with the name __proto__", () => {
    expect(linesOf({ json: '{"__proto__": {"a": 1}, "constructor": 2}' }).box.slice(-2)).toEqual([
      '  __proto__: {"a":1}',
      "  constructor: 2",
    ]);
  });

  test("counts the characters that it cuts", () => {
    const { box } = linesOf({ parameters: { text: "x".repeat(10_000), list: ["y".repeat(1700)] } });
    expect(box.at(-2)).toBe(`  text: "${"x".repeat(500)}" … 9,500 more characters`);
    expect(box.at(-1)).toBe(`  list: ["${"y".repeat(498)} … 1,204 more characters`);
  });

  test("cuts before a character of two halves, and inside of an escape", () => {
    const { box } = linesOf({
      parameters: { text: `${"x".repeat(499)}😀`, o: [`${"\\".repeat(400)}`] },
    });
    expect(box.at(-2)).toBe(`  text: "${"x".repeat(499)}" … 2 more characters`);
    expect(box.at(-1)).toMatch(/… 304 more characters$/);
  });

  test("counts the parameters that it leaves out", () => {
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, at]));
    expect(linesOf({ parameters: named(40) }).box.at(-1)).toBe("  p39: 39");
    expect(linesOf({ parameters: named(41) }).box.at(-1)).toBe("  … 1 more parameter");
    expect(linesOf({ parameters: named(1240) }).box.at(-1)).toBe("  … 1,200 more parameters");
  });

  test("shows the tool's own parameters before all others that a model adds", () => {
    const others = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`, at]));
    const amount = { properties: { amount: { type: "integer" } } };
    const schemas = [
      { schema: amount },
      {
        schema: { properties: { input: { oneOf: [{ type: "null" }, amount] } } },
        wrapper: "input",
      },
    ];
    for (const each of schemas)
      expect(linesOf({ parameters: { ...others, amount: 9000 }, ...each }).box).toContain(
        "  amount: 9000",
      );
  });

  test("shows counts, every deletion, then 40 further lines, and counts the rest", () => {
    const effects = [
      ...Array.from({ length: 100 }, (_, at) => created(at)),
      ...Array.from({ length: 300 }, (_, at) => deleted(at)),
    ];
    const { box } = linesOf({ trial: { effects, more: 5 } });
    expect(box).toContain(`digest of the effects: ${"e".repeat(64)}`);
    expect(box).toContain(
      "effects: 100 created, 0 changed, 300 deleted, 5 more created or changed",
    );
    expect(box.filter((line) => line.startsWith("  deleted "))).toHaveLength(300);
    expect(box.filter((line) => line.startsWith("  created "))).toHaveLength(40);
    expect(box).toContain("  … 60 more lines");
    expect(box.indexOf('  deleted "old-299": "a file"')).toBeLessThan(
      box.indexOf('  created "new-0": "a file"'),
    );
  });

  test("shows diffs, in which no line passes for another one", () => {
    const diff = "@@ -1 +1 @@\n-one\n+```\u202e\n+  deleted nothing";
    const effects = [{ change: "changed", path: "a\n  deleted b", what: "a file", diff }] as const;
    const { box } = linesOf({ trial: { effects } });
    const from = box.indexOf("effects: 0 created, 1 changed, 0 deleted");
    expect(box.slice(from + 1, from + 6)).toEqual([
      '  changed "a\\n  deleted b": "a file"',
      '    "@@ -1 +1 @@"',
      '    "-one"',
      '    "+\\u0060\\u0060\\u0060\\u202e"',
      '    "+  deleted nothing"',
    ]);
  });

  test("says that a call changes nothing", () => {
    expect(linesOf({ trial: {} }).box).toContain("effects: 0 created, 0 changed, 0 deleted");
  });
});
