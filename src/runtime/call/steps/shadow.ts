import type { JsonValue } from "../../json/json.js";
import { maskedInShape, maskText, withoutShapes } from "../mask.js";
import type { AnyResult, Shadowed } from "../../result.js";
import type { PreparedCall } from "../binding.js";
import type { MaskedPaths } from "../../tool.js";
import type { Call } from "../call.js";

/** Returns whether a call is recorded instead of sent. Shadow mode still makes reads. */
export function isShadowed({ mode, tool }: Call): boolean {
  return mode === "shadow" && tool.effect === "write";
}

/**
 * Returns whether a call only reports what it would do. It then must not use up or store anything.
 */
export function sendsNothing(call: Call): boolean {
  return call.preflight !== undefined || isShadowed(call);
}

/**
 * Answers a write in shadow mode, and every dry run, with the request that would be sent. Only the
 * end record is written. A plan goes on in shadow mode, because it makes its reads.
 */
export function shadow(call: Call): undefined {
  const { binding, preflight, prepared } = call;
  if (prepared === undefined || !sendsNothing(call)) return undefined;
  if (binding.plan !== undefined && preflight === undefined) return undefined;
  call.request = describeRequest(prepared, call);
  const shadowed: Shadowed<JsonValue> = { status: "shadow", request: call.request };
  call.result = shadowed;
}

/** Returns the request as it may be kept: masked, with `${NAME}` in place of credentials. */
export function describeRequest(prepared: PreparedCall<AnyResult>, call: Call): JsonValue {
  const { maskedParams } = call.tool;
  return maskedParams === undefined
    ? prepared.describe()
    : describeMasked(prepared, maskedParams, call);
}

/** Builds the recorded request with the same builder, from masked parameters. */
function describeMasked(
  prepared: PreparedCall<AnyResult>,
  paths: MaskedPaths,
  call: Call,
): JsonValue {
  try {
    // Masking may put text in place of other types. The builder only prints it.
    const masked = maskedInShape(call.args, paths);
    const described =
      prepared.describeMasked?.(masked) ?? call.binding.prepare(masked as never, call).describe();
    // Text replaces values that are not JSON.
    return withoutShapes(described) as JsonValue;
  } catch {
    // The builder can't work with a masked value.
    return maskText;
  }
}
