import { maskedInShape } from "./mask.js";
import type { AnyResult } from "./result.js";
import type { MaskedPaths, PreparedCall } from "./tool.js";

/**
 * The result as the ledger keeps it: a receipt may repeat a parameter that is masked.
 *
 * @param args what the call was prepared with
 */
export function keptResult(
  prepared: PreparedCall<AnyResult>,
  result: AnyResult,
  args: unknown,
  paths: MaskedPaths | undefined,
): AnyResult {
  if (paths === undefined || prepared.maskResult === undefined) return result;
  try {
    return prepared.maskResult(result, maskedInShape(args, paths));
  } catch {
    // What needs the value itself can't be shown without it.
    return { status: result.status };
  }
}
