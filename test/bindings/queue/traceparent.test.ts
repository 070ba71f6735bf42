/**
 * skillc reads the private registry of `@opentelemetry/api`. These tests fail on the day that the
 * registry changes.
 */
import { context, type Context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { traceparent } from "../../../src/bindings/queue/send/traceparent.js";

/** A context manager whose active context is the test's to say. */
function activate(active: Context): void {
  context.disable();
  context.setGlobalContextManager({
    active: () => active,
    with: (_, work, self, ...args) => work.call(self, ...args),
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
}

const ids = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

function spanOf(more: Partial<typeof ids> = {}, traceFlags = 1): Context {
  return trace.setSpan(ROOT_CONTEXT, trace.wrapSpanContext({ ...ids, ...more, traceFlags }));
}

afterEach(() => context.disable());

test("the active span of OpenTelemetry's API becomes a `traceparent` in the W3C form", () => {
  activate(spanOf());
  expect(traceparent()).toBe("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  activate(spanOf({}, 0));
  expect(traceparent()).toMatch(/-00$/);
});

test("there is no `traceparent` without a context manager, without a span, or with invalid ids", () => {
  expect(traceparent()).toBeUndefined();
  activate(ROOT_CONTEXT);
  expect(traceparent()).toBeUndefined();
  for (const invalid of [
    { traceId: "0".repeat(32) },
    { traceId: "short" },
    { spanId: "0".repeat(16) },
  ]) {
    activate(spanOf(invalid));
    expect(traceparent()).toBeUndefined();
  }
});
