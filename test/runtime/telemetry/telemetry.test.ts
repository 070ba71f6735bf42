import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { httpReach } from "../../../src/runtime/reach.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import { telemetry } from "../../../src/runtime/telemetry/index.js";
import { exampleTool, succeed } from "../example-tool.js";
import { govern, policyOf } from "../governance/governed.js";

const spans = new InMemorySpanExporter();
const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({
  exporter: exported,
  exportIntervalMillis: 2 ** 30,
});

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
});

beforeEach(() => {
  spans.reset();
  exported.reset();
});

afterAll(async () => {
  await reader.shutdown();
  trace.disable();
  context.disable();
  metrics.disable();
});

const runtimeWith = (options: RuntimeOptions = {}) =>
  createRuntime({ ledger: false, env: {}, inherit: false, telemetry: telemetry(), ...options });

async function sumOf(metric: string): Promise<readonly (readonly [object, unknown])[]> {
  await reader.forceFlush();
  const last = exported.getMetrics().at(-1);
  const found = last?.scopeMetrics
    .flatMap((each) => each.metrics)
    .find(({ descriptor }) => descriptor.name === metric);
  return (found?.dataPoints ?? []).map(({ attributes, value }) => [attributes, value] as const);
}

describe("a call with telemetry", () => {
  test("a call has a span with a child span for each step, also during a wait", async () => {
    const runtime = runtimeWith();
    let active: string | undefined;
    const tool = exampleTool(async () => {
      active = trace.getActiveSpan()?.spanContext().spanId;
      return succeed();
    });
    await callTool(tool, { id: "a" }, { runtime, caller: { tenant: "acme", origin: "llm" } });
    const all = spans.getFinishedSpans();
    const call = all.find(({ name }) => name === "execute_tool desk/do-it");
    expect(call?.attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "desk/do-it",
      "skillc.tenant": "acme",
      "skillc.origin": "llm",
      "skillc.status": "success",
      "skillc.attempts": 1,
    });
    const steps = all.filter(
      ({ parentSpanContext }) => parentSpanContext?.spanId === call?.spanContext().spanId,
    );
    expect(steps.map(({ name }) => name)).toEqual(
      "receive available validate turnPage readFiles prepare credentials shadow record attempt answer"
        .split(" ")
        .map((each) => `skillc.${each}`),
    );
    const attempt = steps.find(({ name }) => name === "skillc.attempt");
    expect(active).toBe(attempt?.spanContext().spanId);
  });

  test("a call has a span that lists where an accepted answer differs from its schema", async () => {
    const unfit = Object.assign((value: unknown): value is unknown => value === undefined, {
      errors: [{ instancePath: "/id", keyword: "type", params: { type: "string" } }],
    });
    const tool = { ...exampleTool(succeed), returns: unfit };
    await callTool(tool, { id: "a" }, { runtime: runtimeWith({ misfits: "report" }) });
    const call = spans.getFinishedSpans().find(({ name }) => name === "execute_tool desk/do-it");
    expect(call?.attributes).toMatchObject({ "skillc.misfits": ["result type"] });
  });

  test("a call has a span for each step after the answer", async () => {
    const policy = policyOf({ limits: { bytesOut: 2 } });
    const runtime = { ...govern(policy).runtime, telemetry: telemetry({ tenants: true }) };
    const caller = { tenant: "withheld" };
    const call = callTool(exampleTool(succeed), { id: "a" }, { runtime, caller });
    await expect(call).rejects.toThrow("at most 2 are allowed");
    const finished = () => spans.getFinishedSpans().map(({ name }) => name);
    expect(finished().slice(-3)).toEqual([
      "skillc.answer",
      "skillc.countAnswer",
      "execute_tool desk/do-it",
    ]);
    // It was made, so that it was not denied.
    const labels = expect.objectContaining({ tenant: "withheld", code: "QUOTA.BUDGET_EXCEEDED" });
    expect(await sumOf("tool_errors_total")).toContainEqual([labels, 1]);
    expect(await sumOf("tool_denied_total")).not.toContainEqual([labels, 1]);
    spans.reset();
    const given = { ...govern(policyOf()).runtime, telemetry: telemetry() };
    await callTool(exampleTool(succeed), { id: "a" }, { runtime: given });
    expect(finished().slice(-3)).toEqual([
      "skillc.countAnswer",
      "skillc.obligations",
      "execute_tool desk/do-it",
    ]);
  });

  test("a call has a span with the code of its failure and no parameter value", async () => {
    const runtime = runtimeWith();
    // @ts-expect-error the type says so too
    const call = callTool(exampleTool(succeed), { id: 4_242_424_242 }, { runtime });
    await expect(call).rejects.toThrow("don't fit their schema");
    const failed = spans.getFinishedSpans().filter(({ status }) => status.code === 2);
    expect(failed.map(({ name }) => name)).toEqual(["skillc.validate", "execute_tool desk/do-it"]);
    expect(failed.map(({ attributes }) => attributes["error.type"])).toEqual([
      "SCHEMA.VALIDATION_FAILED",
      "SCHEMA.VALIDATION_FAILED",
    ]);
    expect(
      JSON.stringify(failed.map(({ attributes, status }) => [attributes, status])),
    ).not.toContain("4242424242");
  });

  test("a call has a span with its target by the names of settings and without parameter values", async () => {
    const { binding, ...rest } = exampleTool(succeed);
    const prepare: typeof binding.prepare = (args, call) => ({
      ...binding.prepare(args, call),
      reach: () => [httpReach("GET", "${U}", `/patients/${args.id}`)],
    });
    const tool = { ...rest, binding: { ...binding, prepare } };
    await callTool(tool, { id: "123-45-6789" }, { runtime: runtimeWith() });
    const attempt = spans.getFinishedSpans().find(({ name }) => name === "skillc.attempt");
    expect(attempt?.attributes).toEqual({
      "skillc.capabilities": ["net.http:get ${U}/patients/***"],
    });
  });

  test("counts the bytes that it spent, by direction", async () => {
    const quota = {
      name: "day",
      per: ["tenant"],
      bytesInPerDay: 999,
      bytesOutPerDay: 999,
    } as const;
    const { runtime } = govern(policyOf({}, { quotas: [quota] }));
    const seen = { ...runtime, telemetry: telemetry({ tenants: true }) };
    const caller = { tenant: "weighed" };
    await callTool(exampleTool(succeed), { id: "a" }, { runtime: seen, caller });
    const taken = await sumOf("tool_budget_bytes");
    expect(
      taken.map(([attributes, amount]) => ["dir" in attributes && attributes.dir, amount]),
    ).toEqual([
      ["in", Buffer.byteLength('{"id":"a"}')],
      ["out", Buffer.byteLength('{"status":"success","data":{"ok":true}}')],
    ]);
  });

  test("counts refusals apart from other failures, and tenants only if the option asks for it", async () => {
    const runtime = govern(policyOf({ limits: { callsPerMinute: 1 } })).runtime;
    const seen = { ...runtime, telemetry: telemetry({ tenants: true }) };
    const caller = { tenant: "metered", origin: "api" } as const;
    await callTool(exampleTool(succeed), { id: "a" }, { runtime: seen, caller });
    await expect(
      callTool(exampleTool(succeed), { id: "a" }, { runtime: seen, caller }),
    ).rejects.toThrow("used up");
    const labels = {
      tool_id: "desk/do-it",
      origin: "api",
      effect: "write",
      risk: "high",
      tenant: "metered",
    };
    expect(await sumOf("tool_invocations_total")).toContainEqual([labels, 2]);
    expect(await sumOf("tool_denied_total")).toContainEqual([
      { ...labels, code: "QUOTA.RATE_LIMITED" },
      1,
    ]);
    expect(await sumOf("tool_budget_calls")).toContainEqual([labels, 1]);
    const phases = (await sumOf("tool_latency_ms")).map(([attributes]) => attributes);
    expect(phases).toContainEqual(expect.objectContaining({ phase: "authorize" }));
    await callTool(exampleTool(succeed), { id: "a" }, { runtime: runtimeWith(), caller });
    expect(await sumOf("tool_invocations_total")).toContainEqual([
      { tool_id: "desk/do-it", origin: "api", effect: "write" },
      expect.any(Number),
    ]);
  });
});

test("spans of calls within a carried trace belong to that trace", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const own = telemetry();
  const runtime = createRuntime({ telemetry: own, ledger: false });
  const carrier = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, other: 1 };
  await own.within(carrier, () => callTool(exampleTool(succeed), { id: "a" }, { runtime }));
  expect(new Set(spans.getFinishedSpans().map((each) => each.spanContext().traceId))).toEqual(
    new Set([traceId]),
  );
});

test("a call with telemetry but without an SDK is made as usual", async () => {
  trace.disable();
  context.disable();
  expect(await callTool(exampleTool(succeed), { id: "a" }, { runtime: runtimeWith() })).toEqual({
    status: "success",
    data: { ok: true },
  });
});
