import { type Counter, type Histogram, metrics } from "@opentelemetry/api";
import type { Call } from "../call/call.js";

/** Labels of every metric. Each has few values, except the tenant. */
export interface Labels {
  readonly [label: string]: string;
}

export interface Meters {
  readonly invocations: Counter;
  readonly denied: Counter;
  readonly errors: Counter;
  /** Duration in milliseconds. */
  readonly latency: Histogram;
  readonly budgetBytes: Counter;
  readonly budgetCalls: Counter;
}

export function openMeters(name: string): Meters {
  const meter = metrics.getMeter(name);
  return {
    invocations: meter.createCounter("tool_invocations_total", { description: "Calls of tools." }),
    denied: meter.createCounter("tool_denied_total", {
      description: "Calls that the runtime denied.",
    }),
    errors: meter.createCounter("tool_errors_total", { description: "Calls without an answer." }),
    latency: meter.createHistogram("tool_latency_ms", {
      description: "Duration of calls, and of each step.",
      unit: "ms",
    }),
    budgetBytes: meter.createCounter("tool_budget_bytes", {
      description: "Bytes that calls used of budgets.",
      unit: "By",
    }),
    budgetCalls: meter.createCounter("tool_budget_calls", {
      description: "Calls that counted against budgets.",
    }),
  };
}

export function labelsOf(call: Call, tenants: boolean): Labels {
  const { caller, runtime, tool, toolId } = call;
  const tools = runtime.governance?.policy.tools ?? {};
  const risk = Object.hasOwn(tools, toolId) ? tools[toolId]?.risk : undefined;
  return {
    tool_id: toolId,
    origin: caller?.origin ?? "none",
    effect: tool.effect,
    ...(risk !== undefined && { risk }),
    ...(tenants && { tenant: caller?.tenant ?? "none" }),
  };
}
