import type { JsonObject } from "../../core/json.js";
import { isChecked, isOfFormat } from "../formats.js";

/** The format of texts that have two: the second, or the first where it says more. */
export function bothFormats(one: JsonObject, other: JsonObject): JsonObject {
  const [a, b] = [one["format"], other["format"]];
  if (typeof a !== "string" || typeof b !== "string") return {};
  return { format: !isChecked(b) || isOfFormat(a, b) ? a : b };
}

/** What the first of two schemas asks of texts, and can't be said together with what the other does. */
export function textsAside(one: JsonObject, other: JsonObject): readonly JsonObject[] {
  const { format, pattern } = one;
  const kept = bothFormats(one, other)["format"];
  const losesFormat =
    typeof format === "string" &&
    typeof kept === "string" &&
    isChecked(format) &&
    !isOfFormat(kept, format);
  const losesPattern =
    pattern !== undefined && other["pattern"] !== undefined && pattern !== other["pattern"];
  return [...(losesFormat ? [{ format }] : []), ...(losesPattern ? [{ pattern }] : [])];
}
