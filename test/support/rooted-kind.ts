import { checkCoverage, credentialsIn, parametersIn } from "../../src/kit/coverage.js";
import {
  callerRoot,
  callerValue,
  code,
  defineBinding,
  literal,
} from "../../src/bindings/public.js";
import {
  referenceDiagnosticEntries,
  rootDiagnosticEntries,
} from "../../src/kit/reference-diagnostics.js";
import { rootsIn } from "../../src/kit/roots.js";
import {
  parseTemplate,
  type TemplateLanguage,
  textNode,
  type TextTemplate,
} from "../../src/kit/text-template.js";
import { templateCode } from "../../src/kit/values/emit-value.js";
import { valueOf } from "../../src/core/syntax-node.js";

/** A call's result, as an object with an `id`. */
const result = {
  kind: "schema",
  schema: {
    type: "object",
    required: ["id"],
    properties: { id: { type: "string" }, total: { type: "number" } },
  },
  span: { file: "rooted-kind", start: 0, end: 0 },
  places: {},
} as const;

const templates: TemplateLanguage<"result" | "caller"> = {
  kind: "note",
  roots: [{ name: "result", schema: result }, callerRoot],
};

interface NoteConfig {
  readonly text: TextTemplate<"result" | "caller">;
}

/**
 * A binding kind with one text, which may refer to the call's result (`{result.id}`) and its
 * caller.
 */
export const noteBinding = defineBinding<NoteConfig>({
  type: "note",
  title: "note",
  schema: { properties: { text: { type: "string" } }, required: ["text"] },
  roots: templates.roots ?? [],
  modes: ["active"],
  needsHandler: false,
  diagnostics: {
    ...referenceDiagnosticEntries("note", () => ({})),
    ...rootDiagnosticEntries("note", { example: {}, fixed: {} }),
  },
  runtime: { module: "@skillc/runtime/v1/handler", values: ["handler"], types: [] },
  furtherRuntime: [
    { module: "@skillc/runtime/executor", values: [], types: ["BoundCaller"] },
    { module: "@skillc/runtime/v1/queue", values: ["credential", "pick", "text"], types: [] },
  ],
  template: { name: "note.hbs", text: "{{handler}}(String({{text}}))" },
  resolve({ node, report }) {
    const text = textNode(valueOf(node, "text"));
    if (text === undefined) return undefined;
    const template = parseTemplate(text, templates, report);
    return {
      config: { text: template },
      effect: "read",
      idempotent: true,
      credentials: credentialsIn(template.parts),
      references: parametersIn(template.parts),
      roots: rootsIn(template.parts),
    };
  },
  check(tool, { text }, report) {
    const { references } = tool.binding;
    const coverage = { kind: "note", references, whole: text.whole, sendsRest: false };
    checkCoverage(tool, coverage, report);
  },
  schemas: () => ({}),
  emit({ argumentsType, config, runtime, tool }) {
    const roots = { result: { code: code`result`, schema: result }, ...callerValue };
    const scope = { parameters: tool.parameters, runtime, roots };
    const type = code`{ readonly id: string; readonly total?: number }`;
    return {
      view: {
        handler: runtime("handler"),
        text: code`(p: ${argumentsType}, result: ${type}, caller: ${runtime("BoundCaller")}) => [${literal("note")}, p, ${templateCode(scope, config.text)}]`,
      },
      dataType: code`unknown`,
      answerType: () => code`{ readonly status: string }`,
    };
  },
});
