import type { AnyResult } from "../../result.js";
import type { Binding } from "../binding.js";
import type { Call } from "../call.js";
import { handlerBinding } from "../handler-binding.js";

/**
 * Chooses the binding that serves the call, and builds the request. It is pure: nothing is opened
 * or sent.
 */
export function prepare(call: Call): undefined {
  call.binding = servingBinding(call);
  call.prepared = call.binding.prepare(call.args as never, call);
}

/** Returns the tool's own binding, or the handler or fake that replaces it. */
export function servingBinding(call: Call): Binding<never, AnyResult> {
  const { runtime, tool, toolId } = call;
  const { fakes, handlers } = runtime;
  const handler = Object.hasOwn(handlers, toolId) ? handlers[toolId] : undefined;
  if (handler !== undefined) return handlerBinding(handler, call);
  return fakes?.bindingFor(tool.binding, call) ?? tool.binding;
}
