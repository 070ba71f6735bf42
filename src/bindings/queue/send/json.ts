import { deepestJson } from "../../../runtime/json-depth.js";
import { RefusedValue } from "../../../runtime/sink.js";
import type { MessageEncoder } from "../contract.js";

/** Messages as JSON, in UTF-8. Absent properties are left out. */
export function json<Message>(): MessageEncoder<Message> {
  return {
    contentType: "application/json",
    encode(message) {
      mustBeJson(message, 0);
      return Buffer.from(JSON.stringify(message));
    },
  };
}

/** Any other value would vanish or fail as JSON is written. @throws RefusedValue */
function mustBeJson(value: unknown, depth: number): void {
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol")
    throw new RefusedValue("", "json", "is not JSON");
  if (typeof value !== "object" || value === null) return;
  if (depth > deepestJson)
    throw new RefusedValue("", "depth", `must not nest deeper than ${deepestJson} levels`);
  for (const each of Object.values(value)) mustBeJson(each, depth + 1);
}
