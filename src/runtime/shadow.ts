import type { CallInProgress } from "./call-in-progress.js";
import type { JsonValue } from "./json.js";
import { maskedInShape, maskText } from "./mask.js";
import type { AnyResult, Shadowed } from "./result.js";
import type { Binding, MaskedPaths, PreparedCall } from "./tool.js";

/** A request that was built, and what it was built from. */
export interface Built<Arguments, Result extends AnyResult> {
  readonly binding: Binding<Arguments, Result>;
  readonly args: Arguments;
  readonly prepared: PreparedCall<Result>;
}

/**
 * Shadow mode: the same builder, over masked parameters, gives what is recorded.
 *
 * @param paths where the parameters hold what may not be recorded
 */
export function recordOnly<Arguments, Result extends AnyResult>(
  built: Built<Arguments, Result>,
  paths: MaskedPaths | undefined,
  call: CallInProgress,
): Result {
  call.request = paths === undefined ? built.prepared.record() : recordMasked(built, paths, call);
  const shadowed: Shadowed<JsonValue> = { status: "shadow", request: call.request };
  // Every write's generated result type includes `Shadowed`.
  return shadowed as AnyResult as Result;
}

function recordMasked<Arguments, Result extends AnyResult>(
  { args, binding, prepared }: Built<Arguments, Result>,
  paths: MaskedPaths,
  call: CallInProgress,
): JsonValue {
  try {
    // Masking puts text where the schema may say otherwise; the builder only prints it.
    const masked = maskedInShape(args, paths) as Arguments;
    return prepared.recordMasked?.(masked) ?? binding.prepare(masked, call).record();
  } catch {
    // A builder that needs the value itself can't show the request without it.
    return maskText;
  }
}
