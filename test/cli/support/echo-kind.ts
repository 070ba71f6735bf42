const kind = `import { code, defineBinding, imported, literal } from "skillc/binding";
import { title } from "./title.js";

interface EchoConfig {
  readonly prefix: string;
}

export default defineBinding<EchoConfig>({
  type: "echo",
  title,
  schema: { properties: { prefix: { type: "string" } }, required: ["prefix"] },
  modes: ["active", "shadow"],
  diagnostics: {
    "echo/empty-prefix": {
      severity: "error",
      title: "an empty prefix",
      explanation: "An echo has a prefix.",
      example: {},
      fixed: {},
    },
  },
  runtime: { module: "./kinds/echo/runtime.js", values: ["echo"], types: ["EchoData"] },
  template: { name: "echo.hbs", text: "{{echo}}({{prefix}})" },
  resolve({ node, parameters, report }) {
    const entry = node.entries.find((each) => each.key.value === "prefix");
    const prefix = entry?.value.kind === "scalar" ? String(entry.value.value) : "";
    if (prefix === "") report.add({ code: "echo/empty-prefix", span: node.span, message: "the prefix is empty" });
    const names = Object.keys((parameters.schema as { properties?: object }).properties ?? {});
    const references = names.map((name) => ({ path: [name], span: node.span }));
    return { config: { prefix }, effect: "read", idempotent: true, credentials: [], references };
  },
  check() {},
  schemas: () => ({}),
  emit: ({ config, runtime }) => ({
    view: { echo: runtime("echo"), prefix: literal(config.prefix) },
    dataType: runtime("EchoData"),
    answerType: (data) => code\`\${imported("@skillc/runtime", "ToolResult", true)}<\${data}>\`,
  }),
});
`;

const runtime = `import type { Binding, ToolResult } from "@skillc/runtime/executor";

export interface EchoData {
  readonly echo: string;
}

export function echo<Arguments, Result extends ToolResult<EchoData>>(prefix: string): Binding<Arguments, Result> {
  return {
    kind: "echo",
    prepare: (args) => ({
      credentials: [],
      reach: () => [],
      describe: () => prefix,
      send: async () => ({ result: { status: "success", data: { echo: prefix + JSON.stringify(args) } } as Result }),
    }),
  };
}
`;

/** A project with a custom binding kind in several TypeScript files. */
export const echoProject = {
  "skillc.yaml": "skills: skills\nout: generated\nbindings:\n  echo: ./kinds/echo/index.ts\n",
  "kinds/echo/index.ts": kind,
  "kinds/echo/title.ts": 'export const title: string = "echo";\n',
  "kinds/echo/runtime.ts": runtime,
  "skills/parrot/SKILL.md": "---\nname: parrot\ndescription: Repeats.\n---\nRepeat.\n",
  "skills/parrot/metadata.json": JSON.stringify({
    tools_schema: {
      repeat: {
        description: "Repeat a word.",
        parameters: {
          type: "object",
          additionalProperties: false,
          required: ["word"],
          properties: { word: { type: "string" } },
        },
        binding: { type: "echo", prefix: "> " },
      },
    },
  }),
} as const;
