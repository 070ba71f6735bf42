import type { DiagnosticEntries } from "../../core/diagnostic-entry.js";
import { exampleSkill } from "../../core/example-skill.js";

const skill = exampleSkill("lamps", "Switches lamps.", [
  "tools_schema:",
  "  switch-on:",
  "    description: Switch a lamp on.",
  "    lamp: string",
  "    binding: { type: lamp }",
]);

/** A custom kind. `argument` is the code that it prints. */
const kind = (argument: string): string => `import { code, defineBinding } from "skillc/binding";

export default defineBinding({
  type: "lamp",
  title: "lamp",
  needsHandler: false,
  schema: { properties: {} },
  modes: ["active", "shadow"],
  diagnostics: {},
  runtime: { module: "./lamp/runtime.js", values: ["lamp"], types: [] },
  template: { name: "lamp.hbs", text: "{{lamp}}((p) => {{argument}})" },
  resolve: () => ({
    config: {},
    effect: "write",
    idempotent: true,
    credentials: [],
    references: [{ path: ["lamp"], span: { file: "", start: 0, end: 0 } }],
  }),
  check() {},
  schemas: () => ({}),
  emit: ({ runtime }) => ({
    view: { lamp: runtime("lamp"), argument: code\`${argument}\` },
    dataType: code\`unknown\`,
    answerType: () => code\`{ status: string }\`,
  }),
});
`;

const runtime = `export const lamp = (name) => ({
  kind: "lamp",
  prepare: (p) => ({ credentials: [], reach: () => [], describe: () => name(p), send: async () => ({ result: { status: "success" } }) }),
});
`;

const types = `export declare function lamp(name: (p: { lamp: string }) => string): any;
`;

const project = (argument: string) => ({
  "skillc.yaml": "bindings:\n  lamp: ./lamp/index.js\n",
  "lamp/index.js": kind(argument),
  "lamp/runtime.js": runtime,
  "lamp/runtime.d.ts": types,
  ...skill,
});

export const verifyDiagnosticEntries: DiagnosticEntries = {
  "generate/type-error": {
    severity: "error",
    title: "generated code does not type-check",
    explanation:
      "Before skillc writes anything, it type-checks new modules with the project's own compiler options. It reports an error of TypeScript at the place in " +
      "the skill that the code was made from. skillc's own checks run first, so there are two usual causes: a custom binding kind emits wrong code, or " +
      "compiler options hide `@skillc/runtime`. If the builder code of a SQL statement does not type-check, skillc reports `sql/not-translated` instead and " +
      "sends the statement's own text.",
    example: project("p.lamb"),
    fixed: project("p.lamp"),
  },
};
