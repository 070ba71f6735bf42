/** A schema that passes every check of ours, and that Ajv refuses: a version of it may do so. What a binding kind asks of it meanwhile is told at the tool. */
import { expect, test } from "vitest";
import { type BindingKind, code, defineBinding } from "../../../src/bindings/public.js";
import { compiling } from "../../../src/schema/ajv-instance.js";
import { compileFiles, linesOf } from "../../support/compile.js";

function refuse(): never {
  return compiling(() => {
    throw new Error("strange keyword\nat somewhere");
  });
}

const plain = defineBinding<object>({
  type: "plain",
  title: "plain",
  schema: { properties: {} },
  modes: ["active"],
  needsHandler: false,
  diagnostics: {},
  runtime: { module: "@skillc/runtime/v1/handler", values: ["handler"], types: [] },
  template: { name: "plain.hbs", text: "{{handler}}(1)" },
  resolve: () => ({
    config: {},
    effect: "read",
    idempotent: true,
    credentials: [],
    references: [],
  }),
  check() {},
  schemas: () => ({}),
  emit: ({ runtime }) => ({
    view: { handler: runtime("handler") },
    dataType: code`unknown`,
    answerType: () => code`{ readonly status: string }`,
  }),
});

const project = {
  "skills/parrot/SKILL.md": "---\nname: parrot\ndescription: Repeats.\n---\n",
  "skills/parrot/metadata.json": `{
  "tools": {
    "one": { "description": "One.", "binding": { "type": "plain" } },
    "two": { "description": "Two.", "binding": { "type": "plain" } }
  }
}
`,
};

test.each<[string, Partial<BindingKind>]>([
  [
    "checked",
    {
      check: (tool) => {
        if (tool.name === "two") refuse();
      },
    },
  ],
  [
    "analyzed",
    {
      engine: {
        open: () => ({
          fingerprint: async () => "",
          analyze: async (tool) =>
            tool.name === "two" ? refuse() : { config: {}, references: [] },
          modules: async () => [],
          close: async () => {},
        }),
      },
    },
  ],
])(
  "a schema that Ajv rejects while a tool is %s causes an error at that tool",
  async (_, changes) => {
    const compilation = await compileFiles(project, {
      kinds: [defineBinding<object>({ ...plain, ...changes })],
    });
    expect(linesOf(compilation, project)).toEqual([
      "skills/parrot/metadata.json:4:5 error schema/unsupported: Ajv can't compile this schema: strange keyword",
    ]);
    expect(compilation.files).toEqual([]);
  },
);
