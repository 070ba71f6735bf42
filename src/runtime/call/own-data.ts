import type { AnyResult } from "../result.js";
import type { Call } from "./call.js";

/**
 * Returns whether the status of an answer has its own type of data, which `returns` doesn't
 * validate.
 */
export function hasOwnData({ status }: AnyResult, { tool }: Pick<Call, "tool">): boolean {
  return tool.ownData?.includes(status) ?? false;
}
