import type { AnyResult } from "../result.js";
import type { Call } from "./call.js";

/** Whether the data of an answer is of its status's own type, of which `returns` says nothing. */
export function hasOwnData({ status }: AnyResult, { tool }: Pick<Call, "tool">): boolean {
  return tool.ownData?.includes(status) ?? false;
}
