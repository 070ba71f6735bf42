/*
 * The active span of `@opentelemetry/api`, by the registry that all its copies share: there is one
 * where the application loaded any of them. Nothing is imported, so an application without it, or a
 * bundle with a copy of its own, needs nothing more.
 */

/** What is used of a span's context. */
interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** What is registered for version 1 of the API, as far as it is asked. */
interface Registered {
  readonly context?: { active(): { getValue(key: symbol): unknown } };
}

const registry = Symbol.for("opentelemetry.js.api.1");
const activeSpan = Symbol.for("OpenTelemetry Context Key SPAN");

const traceId = /^(?!0{32})[\da-f]{32}$/i;
const spanId = /^(?!0{16})[\da-f]{16}$/i;

/**
 * The W3C `traceparent` of the span that is active where the call was made; undefined when none is.
 */
export function traceparent(): string | undefined {
  // Set by the API, in this form since its version 1.0.
  const registered = Reflect.get(globalThis, registry) as Registered | undefined;
  const span = registered?.context?.active().getValue(activeSpan) as
    { spanContext(): SpanContext } | undefined;
  const context = span?.spanContext();
  if (context === undefined || !traceId.test(context.traceId) || !spanId.test(context.spanId))
    return undefined;
  const flags = (context.traceFlags & 0xff).toString(16).padStart(2, "0");
  return `00-${context.traceId}-${context.spanId}-${flags}`;
}
