import { isSpanContextValid, trace } from "@opentelemetry/api";

/** The W3C `traceparent` of the span that is active where the call was made; undefined when none is. */
export function traceparent(): string | undefined {
  const context = trace.getActiveSpan()?.spanContext();
  if (context === undefined || !isSpanContextValid(context)) return undefined;
  const flags = (context.traceFlags & 0xff).toString(16).padStart(2, "0");
  return `00-${context.traceId}-${context.spanId}-${flags}`;
}
