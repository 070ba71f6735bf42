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
  catalogue: {},
  runtime: { module: "skillc/runtime/handler", values: ["handler"], types: [] },
  template: { name: "said.hbs", text: "{{handler}}({{says}})" },
  resolve({ node }) {
    const says = valueOf(node, "says");
    if (says?.kind !== "scalar") return undefined;
    const config = { value: says.value, span: says.span };
    return {
      config,
      effect: "read",
      idempotent: true,
      egress: [],
      credentials: [],
      references: [],
    };
  },
  check() {},
  schemas: () => ({}),
  emit: ({ config, runtime }) => ({
    view: { handler: runtime("handler"), says: at(config.span, literal(config.value)) },
    dataType: code`unknown`,
    resultType: () => code`{ readonly status: string }`,
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

test("nothing made by a kind of the user's own is taken from the cache, right or wrong", async () => {
  const cache = new Map<string, string>();
  for (const [says, errors] of [
    ["22", 1],
    ["22", 1],
    ['"b"', 0],
    ['"b"', 0],
  ] as const) {
    const { counts, diagnostics } = await compileFiles(project(says), { kinds: [said], cache });
    expect(counts).toEqual({ compiled: 1, reused: 0 });
    expect(diagnostics).toHaveLength(errors);
  }
});
