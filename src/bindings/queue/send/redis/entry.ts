import { isUtf8 } from "node:buffer";
import type { Outgoing, RedisPlace } from "../broker.js";
import { tooLarge } from "./refusals.js";

/** The arguments of `XADD` after the stream's key. */
export type EntryArguments = readonly (string | Buffer)[];

/**
 * The entry that a message becomes: the fields `body` and `content_type`, and one `header:<name>` for each header.
 *
 * @param limit of one value, in bytes
 * @throws RefusedMessage for what would end the connection
 */
export function entryOf(
  { body, contentType, headers, maxLength }: Outgoing & RedisPlace,
  limit: number,
): EntryArguments {
  if (body.byteLength > limit) throw tooLarge("the message", body.byteLength, limit);
  const trim = maxLength === undefined ? [] : ["MAXLEN", "~", String(maxLength)];
  const value = asText(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  const entry: (string | Buffer)[] = [...trim, "*", "body", value, "content_type", contentType];
  for (const [name, value] of headers) {
    requireSmall("a header", value, limit);
    entry.push(`header:${name}`, value);
  }
  return entry;
}

/** Larger ones are not copied for that. */
const mostText = 16_384;

/** The same bytes: a command without buffers takes the client half the time. */
function asText(bytes: Buffer): string | Buffer {
  return bytes.length <= mostText && isUtf8(bytes) ? bytes.toString() : bytes;
}

function requireSmall(what: string, text: string, limit: number): void {
  // No character of UTF-16 takes more than three bytes of UTF-8.
  if (text.length * 3 <= limit) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > limit) throw tooLarge(what, bytes, limit);
}

/**
 * The key that remembers a message's id. In the slot of its stream, unless the stream's name has a brace in it; the encoding keeps keys of different
 * streams apart.
 */
export function idempotencyKeyOf(stream: string, key: string): string {
  const tag = stream.includes("{") ? stream : `{${stream}}`;
  return `skillc:idempotency:${tag}:${encodeURIComponent(key.toWellFormed())}`;
}
