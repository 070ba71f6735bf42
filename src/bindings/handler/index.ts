import { code, imported, literal } from "../../core/code.js";
import { defineBinding } from "../binding.js";
import { loadTemplate } from "../load-template.js";

/**
 * `type: handler`, and a tool without a `binding:`: the application supplies the function. What it does is not known, so it counts as a write unless its author says
 * otherwise.
 */
export const handlerBinding = defineBinding<Record<never, never>>({
  type: "handler",
  title: "handler supplied by the application",
  schema: { properties: {} },
  declaresEffect: true,
  needsHandler: true,
  modes: ["active", "shadow"],
  catalogue: {},
  runtime: { module: "skillc/runtime/handler", values: ["handler"], types: [] },
  template: loadTemplate("handler"),
  resolve: () => ({
    config: {},
    effect: "write",
    idempotent: false,
    egress: [],
    credentials: [],
    references: [],
  }),
  check() {},
  schemas: () => ({}),
  emit: ({ binding, toolId, runtime }) => ({
    view: { handler: runtime("handler"), tool: literal(toolId) },
    dataType: code`unknown`,
    resultType(data) {
      const answers = code`${imported("skillc/runtime", "ToolResult", true)}<${data}>`;
      if (binding.effect === "read") return answers;
      return code`${answers} | ${imported("skillc/runtime", "Shadowed", true)}<${imported("skillc/runtime", "HandlerRecord", true)}>`;
    },
  }),
});
