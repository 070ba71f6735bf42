import type { JsonValue } from "../../json/json.js";
import { maskedInShape, maskText, withoutShapes } from "../mask.js";
import type { AnyResult, Shadowed } from "../../result.js";
import type { MaskedPaths, PreparedCall } from "../../tool.js";
import type { Call } from "../call.js";

/** Whether a call is recorded instead of sent: reads are made in shadow mode, too. */
export function isShadowed({ mode, tool }: Call): boolean {
  return mode === "shadow" && tool.effect === "write";
}

/** Whether a call only tells what it would do: it then uses nothing up, and leaves nothing behind. */
export function sendsNothing(call: Call): boolean {
  return call.preflight !== undefined || isShadowed(call);
}

/**
 * Shadow mode answers a write with the request as it would have been sent, and a dry run every call.
 * Its record is the end record alone.
 */
export function shadow(call: Call): undefined {
  const { prepared } = call;
  if (prepared === undefined || !sendsNothing(call)) return undefined;
  call.request = describeRequest(prepared, call);
  const shadowed: Shadowed<JsonValue> = { status: "shadow", request: call.request };
  call.result = shadowed;
}

/** The request as it may be kept: with `${NAME}` in place of credentials, and masked. */
export function describeRequest(prepared: PreparedCall<AnyResult>, call: Call): JsonValue {
  const { maskedParams } = call.tool;
  return maskedParams === undefined
    ? prepared.describe()
    : describeMasked(prepared, maskedParams, call);
}

/** The same builder, over masked parameters, gives what is recorded. */
function describeMasked(
  prepared: PreparedCall<AnyResult>,
  paths: MaskedPaths,
  call: Call,
): JsonValue {
  try {
    // Masking puts text where the schema may say otherwise; the builder only prints it.
    const masked = maskedInShape(call.args, paths);
    const described =
      prepared.describeMasked?.(masked) ?? call.binding.prepare(masked as never, call).describe();
    // Text takes the place of what was no JSON.
    return withoutShapes(described) as JsonValue;
  } catch {
    // A builder that needs the value itself can't show the request without it.
    return maskText;
  }
}
