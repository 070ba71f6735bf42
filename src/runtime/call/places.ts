import { maskedInShape } from "./mask.js";
import type { MaskedPaths } from "../tool.js";
import type { Call } from "./call.js";

/** Path of every argument. */
const everything = [["*"]] as const;

/**
 * Returns the targets of a call in a form that may be shown: with names of settings, and without
 * values of arguments, which paths and topics contain. `prepared.reach()` has the actual targets,
 * in the same order.
 *
 * @param hidden arguments to hide; all of them by default
 * @returns the capabilities of each target
 */
export function placesOf(
  call: Pick<Call, "args" | "binding" | "caller" | "id" | "prepared" | "toolId">,
  hidden: MaskedPaths = everything,
): readonly (readonly string[])[] {
  const reached = (call.prepared?.reach() ?? []).map(({ capabilities }) => capabilities);
  if (hidden.length === 0) return reached;
  const shown = masked(call, hidden);
  const isSame =
    shown?.length === reached.length &&
    reached.every((each, at) => each.length === shown[at]?.length);
  return isSame ? shown : reached.map((each) => each.map(withoutPath));
}

/** Returns the targets of a request with masked arguments; undefined if it can't be built. */
function masked(
  { args, binding, caller, id, toolId }: Parameters<typeof placesOf>[0],
  hidden: MaskedPaths,
): readonly (readonly string[])[] | undefined {
  try {
    // The shape is one that the tool's validator accepted.
    const own = maskedInShape(args, hidden) as never;
    const prepared = binding.prepare(own, { id, toolId, caller });
    return prepared.reach().map(({ capabilities }) => capabilities);
  } catch {
    return undefined;
  }
}

/** Returns the action with only the origin, database or provider. */
export function withoutPath(capability: string): string {
  const [purpose = "", place = ""] = capability.split(" ");
  const [origin = place] = /^(?:\$\{\w+\}|[a-z][a-z\d+.-]*:\/\/[^/?#]*)/i.exec(place) ?? [];
  return origin === "" ? purpose : `${purpose} ${origin}`;
}
