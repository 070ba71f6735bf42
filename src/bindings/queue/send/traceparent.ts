/*
 * Reads the active span of `@opentelemetry/api` from the global registry that all copies of that
 * package share. The registry exists if the application loaded any copy. Nothing is imported, so an
 * application without the package, or a bundle with its own copy, needs nothing more.
 */

/** The used properties of a span's context. */
interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** The used properties of the API's registry for version 1. */
interface Registered {
  readonly context?: { active(): { getValue(key: symbol): unknown } };
}

const registry = Symbol.for("opentelemetry.js.api.1");
const activeSpan = Symbol.for("OpenTelemetry Context Key SPAN");

const traceId = /^(?!0{32})[\da-f]{32}$/i;
const spanId = /^(?!0{16})[\da-f]{16}$/i;

/**
 * Returns the W3C `traceparent` of the span that is active at the call; undefined if there is none.
 */
export function traceparent(): string | undefined {
  // The API sets this property, in this form since its version 1.0.
  const registered = Reflect.get(globalThis, registry) as Registered | undefined;
  const span = registered?.context?.active().getValue(activeSpan) as
    { spanContext(): SpanContext } | undefined;
  const context = span?.spanContext();
  if (context === undefined || !traceId.test(context.traceId) || !spanId.test(context.spanId))
    return undefined;
  const flags = (context.traceFlags & 0xff).toString(16).padStart(2, "0");
  return `00-${context.traceId}-${context.spanId}-${flags}`;
}
