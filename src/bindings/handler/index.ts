import { code, imported, literal } from "../../core/code.js";
import { defineBinding } from "../binding.js";
import { loadTemplate } from "../load-template.js";

/** A tool without a `binding:`: the application supplies the function. What it does is not known, so it counts as a write. */
export const handlerBinding = defineBinding<Record<never, never>>({
  type: "handler",
  title: "handler supplied by the application",
  schema: { properties: {} },
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
  emit: ({ toolId, runtime }) => ({
    view: { handler: runtime("handler"), tool: literal(toolId) },
    dataType: code`unknown`,
    resultType: (data) =>
      code`${imported("skillc/runtime", "ToolResult", true)}<${data}> | ${imported("skillc/runtime", "Shadowed", true)}<${imported("skillc/runtime", "HandlerRecord", true)}>`,
  }),
});
