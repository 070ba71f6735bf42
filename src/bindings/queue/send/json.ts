import type { MessageEncoder } from "../contract.js";

/** Messages as JSON, in UTF-8. Absent properties are left out. */
export function json<Message>(): MessageEncoder<Message> {
  return {
    contentType: "application/json",
    // Literals and copied arguments: nothing that JSON can't say.
    encode: (message) => Buffer.from(JSON.stringify(message)),
  };
}
