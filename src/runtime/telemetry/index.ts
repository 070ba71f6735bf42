/**
 * The entry point `@skillc/runtime/telemetry`: spans and metrics of calls. It uses only
 * OpenTelemetry's API, which does nothing unless the application starts an SDK.
 */
import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import type { Call } from "../call/call.js";
import { callEnd } from "../call/call-end.js";
import { recordedMisfits } from "../call/misfits.js";
import { placesOf } from "../call/places.js";
import { isToolError } from "../errors.js";
import { type Labels, labelsOf, type Meters, openMeters } from "./meters.js";
import type { Telemetry } from "./telemetry.js";

export type { Telemetry } from "./telemetry.js";

/** Options of `telemetry`. */
export interface TelemetryOptions {
  /**
   * True if metrics have a label for the tenant; false by default, because each tenant adds its own
   * series. Spans always name the tenant.
   */
  readonly tenants?: boolean;
}

const name = "@skillc/runtime";

/**
 * Creates telemetry for `RuntimeOptions.telemetry`. Importing this module fails if
 * `@opentelemetry/api` is not installed.
 */
export function telemetry({ tenants = false }: TelemetryOptions = {}): Telemetry {
  const instruments = { meters: openMeters(name), tracer: trace.getTracer(name), tenants };
  // The call path passes calls, and gets their results back.
  return {
    within: (carrier, run) => context.with(propagation.extract(context.active(), carrier), run),
    around: (call, make) =>
      aroundCall(instruments, call as Call, make as (call: Call) => Promise<never>),
    step: (step, run, call) =>
      aroundStep(instruments, step, run as (call: Call) => undefined | Promise<void>, call),
  };
}

interface Instruments {
  readonly meters: Meters;
  readonly tracer: Tracer;
  readonly tenants: boolean;
}

async function aroundCall<Result>(
  { meters, tenants, tracer }: Instruments,
  call: Call,
  make: (call: Call) => Promise<Result>,
): Promise<Result> {
  const labels = labelsOf(call, tenants);
  const attributes = attributesOf(call);
  const span = tracer.startSpan(`execute_tool ${call.toolId}`, { attributes });
  meters.invocations.add(1, labels);
  const failed = (error: unknown): void => {
    countError(call, error, labels, meters);
    tellError(span, error);
  };
  const ended = (): void => {
    meters.latency.record(performance.now() - call.startedAt, { ...labels, phase: "call" });
    countBudget(call, labels, meters);
    span.setAttributes(outcomeOf(call));
    span.end();
  };
  try {
    const result = await context.with(trace.setSpan(context.active(), span), make, undefined, call);
    if (call.stream === undefined) ended();
    else
      call.stream.onEnd((error) => {
        if (error !== undefined) failed(error);
        ended();
      });
    return result;
  } catch (error) {
    failed(error);
    ended();
    throw error;
  }
}

/** Makes a span for a step. A step that doesn't wait stays synchronous. */
function aroundStep(
  { meters, tenants, tracer }: Instruments,
  step: string,
  run: (call: Call) => undefined | Promise<void>,
  call: Call,
): undefined | Promise<void> {
  const span = tracer.startSpan(`skillc.${step}`, { kind: kindOf(step) });
  const began = performance.now();
  const end = (): void => {
    const labels = { ...labelsOf(call, tenants), phase: step };
    meters.latency.record(performance.now() - began, labels);
    if (step === "attempt") span.setAttributes(reachOf(call));
    span.end();
  };
  const fail = (error: unknown): never => {
    tellError(span, error);
    end();
    throw error;
  };
  let waiting: undefined | Promise<void>;
  try {
    waiting = context.with(trace.setSpan(context.active(), span), run, undefined, call);
  } catch (error) {
    return fail(error);
  }
  if (waiting !== undefined) return waiting.then(end, fail);
  end();
  return undefined;
}

function outcomeOf(call: Call): Attributes {
  const { attempts, decision, misfits, result } = call;
  return {
    "skillc.attempts": attempts,
    ...(result !== undefined && { "skillc.status": result.status }),
    ...(misfits !== undefined && {
      "skillc.misfits": recordedMisfits(call).map(
        ({ keyword, subject }) => `${subject} ${keyword}`,
      ),
    }),
    ...(decision !== undefined && {
      "skillc.policy": decision.policy,
      "skillc.decided_by": [...decision.decidedBy],
    }),
  };
}

/** Attributes by OpenTelemetry's conventions for tools of models, as far as they exist. */
function attributesOf(call: Call): { readonly [name: string]: string } {
  const { caller, id, mode, tool, toolId, undoing } = call;
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": toolId,
    "gen_ai.tool.call.id": id,
    "skillc.effect": tool.effect,
    "skillc.mode": mode,
    "skillc.kind": call.binding.kind,
    ...(undoing !== undefined && { "skillc.rollback_of": undoing.of }),
    ...(caller?.tenant !== undefined && { "skillc.tenant": caller.tenant }),
    ...(caller?.subject !== undefined && { "enduser.id": caller.subject }),
    ...(caller?.origin !== undefined && { "skillc.origin": caller.origin }),
  };
}

function kindOf(step: string): SpanKind {
  return step === "attempt" ? SpanKind.CLIENT : SpanKind.INTERNAL;
}

/** Targets with names of settings and without arguments, because values may be secret. */
function reachOf(call: Call): { readonly [name: string]: string[] } {
  return { "skillc.capabilities": placesOf(call).flat() };
}

function tellError(span: Span, error: unknown): void {
  // The message of a `ToolError` contains no credential and no value of a parameter.
  const message = isToolError(error) ? error.message : "failed";
  span.setStatus({ code: SpanStatusCode.ERROR, message });
  span.setAttribute("error.type", isToolError(error) ? error.code : "unknown");
}

function countError(call: Call, error: unknown, labels: Labels, { denied, errors }: Meters): void {
  // A test's own error is not a `ToolError`.
  const isDenial = isToolError(error) && callEnd(call, { error }).state === "Denied";
  const code = isToolError(error) ? error.code : "UNKNOWN.INTERNAL";
  (isDenial ? denied : errors).add(1, { ...labels, code });
}

function countBudget(
  { decision }: Call,
  labels: Labels,
  { budgetBytes, budgetCalls }: Meters,
): void {
  for (const [budget, amount] of Object.entries(decision?.spent ?? {})) {
    if (budget.startsWith("calls_")) budgetCalls.add(amount, labels);
    else if (budget.startsWith("bytes_in")) budgetBytes.add(amount, { ...labels, dir: "in" });
    else if (budget.startsWith("bytes_out")) budgetBytes.add(amount, { ...labels, dir: "out" });
  }
}
