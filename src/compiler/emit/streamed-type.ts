import type { StreamedAnswer } from "../../kit/binding.js";
import { type Code, code, imported } from "../../core/code.js";
import { runtimeEntry } from "../../core/runtime-entry.js";

/**
 * The type of a success's `data`.
 *
 * @param data that of what it carries, or of each item that it gives
 */
export function streamedType(data: Code, streams: StreamedAnswer | undefined): Code {
  if (streams === undefined) return data;
  const name = streams === "items" ? "ItemStream" : "EventStream";
  return code`${imported(runtimeEntry(), name, true)}<${data}>`;
}
