/** A fault that only the type check can see is reported where the author wrote what caused it. */
import { expect, test } from "vitest";
import { at, code, defineBinding, literal, valueOf } from "../../../src/bindings/public.js";
import type { JsonValue } from "../../../src/core/json.js";
import type { Span } from "../../../src/core/span.js";
import { compileFiles, linesOf } from "../../support/compile.js";

interface SaidConfig {
  readonly value: JsonValue;
  readonly span: Span;
}

/** A kind that prints what the author says as the argument of a function that takes text: any other type is a mistake of its author's. */
const said = defineBinding<SaidConfig>({
  type: "said",
  title: "said",
  schema: { properties: { says: {} }, required: ["says"] },
  modes: ["active"],
  needsHandler: false,
  diagnostics: {},
  runtime: { module: "@skillc/runtime/v1/handler", values: ["handler"], types: [] },
  template: { name: "said.hbs", text: "{{handler}}({{says}})" },
  resolve({ node }) {
    const says = valueOf(node, "says");
    if (says?.kind !== "scalar") return undefined;
    const config = { value: says.value, span: says.span };
    return {
      config,
      effect: "read",
      idempotent: true,
      credentials: [],
      references: [],
    };
  },
  check() {},
  schemas: () => ({}),
  emit: ({ config, runtime }) => ({
    view: { handler: runtime("handler"), says: at(config.span, literal(config.value)) },
    dataType: code`unknown`,
    answerType: () => code`{ readonly status: string }`,
  }),
});

const skill = `---
name: parrot
description: Repeats.
---
`;

const tools = (second: string, third = '"c"') => `{
  "tools": {
    "first": { "description": "One.", "binding": { "type": "said", "says": "a" } },
    "second": {
      "description": "Two.",
      "binding": { "type": "said", "says": ${second} }
    },
    "third": { "description": "Three.", "binding": { "type": "said", "says": ${third} } }
  }
}
`;

const project = (second: string, third?: string) => ({
  "skills/parrot/SKILL.md": skill,
  "skills/parrot/metadata.json": tools(second, third),
});

test("right code has nothing to report", async () => {
  const { diagnostics, files } = await compileFiles(project('"b"'), { kinds: [said] });
  expect(diagnostics).toEqual([]);
  expect(files.length).toBeGreaterThan(0);
});

const message = (tool: string, type: string) =>
  `the generated \`parrot/${tool}.ts\` does not type-check: TS2345: Argument of type '${type}' is not assignable to parameter of type 'string'.`;

test.each([{}, { semi: false, singleQuote: true, printWidth: 40, useTabs: true }])(
  "each fault is at its place, in the style %o, and nothing comes out",
  async (style) => {
    const files = project("22", "true");
    const compilation = await compileFiles(files, { kinds: [said], style });
    expect(linesOf(compilation, files)).toEqual([
      `skills/parrot/metadata.json:6:44 error generate/type-error: ${message("second", "number")}`,
      `skills/parrot/metadata.json:8:78 error generate/type-error: ${message("third", "boolean")}`,
    ]);
    expect(compilation.files).toEqual([]);
  },
);

test("output of a project's own kind is never taken from the cache, right or wrong", async () => {
  const cache = new Map<string, string>();
  for (const [says, errors] of [
    ["22", 1],
    ["22", 1],
    ['"b"', 0],
    ['"b"', 0],
  ] as const) {
    const { counts, diagnostics } = await compileFiles(project(says), { kinds: [said], cache });
    expect(counts).toMatchObject({ compiled: 1, reused: 0 });
    expect(diagnostics).toHaveLength(errors);
  }
});

/** As `said`, but in its plain form says the value's text. */
const saidPlainly = (hasPlainForm: boolean) =>
  defineBinding<SaidConfig>({
    ...said,
    engine: {
      ...(hasPlainForm && { hasPlainForm }),
      open: () => ({
        fingerprint: async () => "",
        analyze: async (_tool, config, report, form) => {
          const isPlain = form === "plain" && config.value !== null;
          if (isPlain)
            report.add({ code: "said/plain", span: config.span, message: "said as a text" });
          const { value } = config;
          return { config: isPlain ? { ...config, value: String(value) } : config, references: [] };
        },
        modules: async () => [],
        close: async () => {},
      }),
    },
    diagnostics: {
      "said/plain": {
        severity: "warning",
        title: "said as a text",
        explanation: "The value is no text.",
        example: {},
        fixed: {},
      },
    },
  });

test("a tool that does not type-check is compiled again in its plain form, and the others are left alone", async () => {
  const files = project("22");
  const compilation = await compileFiles(files, { kinds: [saidPlainly(true)] });
  expect(linesOf(compilation, files)).toEqual([
    "skills/parrot/metadata.json:6:44 warning said/plain: said as a text",
  ]);
  const text = (tool: string) =>
    compilation.files.find(({ path }) => path === `parrot/${tool}.ts`)?.text;
  expect(text("second")).toContain('handler("22")');
  expect(text("first")).toBe(
    (await compileFiles(project('"b"'), { kinds: [saidPlainly(true)] })).files.find(
      ({ path }) => path === "parrot/first.ts",
    )?.text,
  );
});

test.each([
  ["a kind without a plain form", "22", false, "number"],
  ["a tool whose plain form does not type-check either", "null", true, "null"],
])("a type error of %s is reported", async (_, value, hasPlainForm, type) => {
  const files = project(value);
  const compilation = await compileFiles(files, { kinds: [saidPlainly(hasPlainForm)] });
  expect(linesOf(compilation, files)).toEqual([
    `skills/parrot/metadata.json:6:44 error generate/type-error: ${message("second", type)}`,
  ]);
  expect(compilation.files).toEqual([]);
});
