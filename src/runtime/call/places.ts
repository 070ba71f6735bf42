import { maskedInShape } from "./mask.js";
import type { MaskedPaths } from "../tool.js";
import type { Call } from "./call.js";

/** The value of each argument. */
const everything = [["*"]] as const;

/**
 * Where a call goes, as it may be told: settings by name, and without any value of an argument,
 * which a path or a topic has in it. What is sent is another matter: that is `prepared.reach()`, in
 * the same order.
 *
 * @param hidden which arguments are not to be told; all of them when not given
 * @returns the capabilities of each place
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

/** What a request built of masked arguments reaches; undefined where none can be built of them. */
function masked(
  { args, binding, caller, id, toolId }: Parameters<typeof placesOf>[0],
  hidden: MaskedPaths,
): readonly (readonly string[])[] | undefined {
  try {
    // Of the shape that the tool's validator accepted.
    const own = maskedInShape(args, hidden) as never;
    const prepared = binding.prepare(own, { id, toolId, caller });
    return prepared.reach().map(({ capabilities }) => capabilities);
  } catch {
    return undefined;
  }
}

/** What is asked for, and the origin, the database or the provider alone. */
export function withoutPath(capability: string): string {
  const [purpose = "", place = ""] = capability.split(" ");
  const [origin = place] = /^(?:\$\{\w+\}|[a-z][a-z\d+.-]*:\/\/[^/?#]*)/i.exec(place) ?? [];
  return origin === "" ? purpose : `${purpose} ${origin}`;
}
