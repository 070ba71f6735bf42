import type { AnyResult } from "../../result.js";
import type { Binding } from "../../tool.js";
import type { Call } from "../call.js";
import { handlerBinding } from "../handler-binding.js";

/** Finds what serves the call, and builds the request: pure, nothing is opened or sent. */
export function prepare(call: Call): undefined {
  call.binding = chooseBinding(call);
  call.prepared = call.binding.prepare(call.args as never, call);
}

function chooseBinding(call: Call): Binding<never, AnyResult> {
  const { runtime, tool, toolId } = call;
  const { fakes, handlers } = runtime;
  const handler = Object.hasOwn(handlers, toolId) ? handlers[toolId] : undefined;
  if (handler !== undefined) return handlerBinding(handler, call);
  return fakes?.bindingFor(tool.binding, call) ?? tool.binding;
}
