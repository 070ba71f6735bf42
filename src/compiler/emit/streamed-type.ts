import type { StreamedAnswer } from "../../kit/binding.js";
import { type Code, code, imported } from "../../core/code.js";
import { runtimeEntry } from "../../core/runtime-entry.js";

/**
 * Type of a successful result's `data`.
 *
 * @param data type of the whole data, or of each streamed item
 */
export function streamedType(data: Code, streams: StreamedAnswer | undefined): Code {
  if (streams === undefined) return data;
  const name = streams === "items" ? "ItemStream" : "EventStream";
  return code`${imported(runtimeEntry(), name, true)}<${data}>`;
}
