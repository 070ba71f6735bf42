import { code, imported, literal } from "../../core/code.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import { defineBinding } from "../../kit/binding.js";
import { loadTemplate } from "../../kit/load-template.js";

/**
 * The kind of `type: handler`, and of tools without a `binding:`: the application supplies the
 * function. Its effect is unknown, so it counts as a write unless the author declares otherwise.
 */
export const handlerBinding = defineBinding<Record<never, never>>({
  type: "handler",
  title: "handler supplied by the application",
  schema: { properties: {} },
  declaresEffect: true,
  int64Text: true,
  needsHandler: true,
  modes: ["active", "shadow"],
  diagnostics: {},
  runtime: { module: runtimeEntry("handler"), values: ["handler"], types: [] },
  template: loadTemplate("handler"),
  resolve: () => ({
    config: {},
    effect: "write",
    idempotent: false,
    credentials: [],
    references: [],
  }),
  answers: (tool) => [
    { status: "success", data: tool.returns ? { model: tool.returns, at: [] } : "unknown" },
  ],
  capabilities: (_config, credentials, toolId) => [
    { capability: `handler:call ${toolId}`, credentials },
  ],
  check() {},
  schemas: () => ({}),
  emit: ({ toolId, runtime }) => ({
    view: { handler: runtime("handler"), tool: literal(toolId) },
    dataType: code`unknown`,
    answerType: (data) => code`${imported(runtimeEntry(), "ToolResult", true)}<${data}>`,
    recordType: imported(runtimeEntry(), "HandlerRecord", true),
  }),
});
