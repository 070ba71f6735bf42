import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Outgoing } from "../../../send/broker.js";
import type { RedisPlace } from "../contract.js";
import { ofKey, tooLarge } from "./failures.js";

/** The arguments of `XADD` after the stream's key. */
export type EntryArguments = readonly (string | Buffer)[];

/**
 * Returns the entry for a message: the fields `body` and `content_type`, and one `header:<name>`
 * for each header.
 *
 * @param limit maximum size of one value, in bytes
 * @throws RejectedMessage for values that would end the connection
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

/** Copying a larger body would cost more than it saves. */
const maxText = 16_384;

/**
 * Returns text that encodes to the same bytes. Without buffers, the client needs half the time for
 * a command.
 */
function asText(bytes: Buffer): string | Buffer {
  return bytes.length <= maxText && isUtf8(bytes) ? bytes.toString() : bytes;
}

function requireSmall(what: string, text: string, limit: number): void {
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (text.length * 3 <= limit) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > limit) throw tooLarge(what, bytes, limit);
}

/**
 * Returns the key that remembers the idempotency key of a message. It is in the same slot as its
 * stream, unless the stream's name contains a brace. The encoding keeps keys of different streams
 * apart.
 */
export function idempotencyKeyOf(stream: string, key: string): string {
  const tag = stream.includes("{") ? stream : `{${stream}}`;
  return `skillc:idempotency:${tag}:${encodeURIComponent(key.toWellFormed())}`;
}

/** One day in seconds, which is longer than callers repeat a message. */
const rememberedSeconds = 86_400;

/**
 * Adds an entry unless the key remembers one. The script first writes an empty value to the key,
 * which remembers nothing. If that write fails for lack of permission or memory, no entry is added.
 * Errors are returned, not raised: older servers add a prefix to errors that a script raises.
 */
const script = `
local known = redis.pcall('GET', KEYS[2])
if type(known) == 'table' then return {err = known.err .. '${ofKey}'} end
if known and known ~= '' then return {known} end
local set = redis.pcall('SET', KEYS[2], '', 'EX', ${rememberedSeconds})
if set.err then return set end
local id = redis.pcall('XADD', KEYS[1], unpack(ARGV))
if type(id) == 'string' then
  redis.pcall('SET', KEYS[2], id, 'EX', ${rememberedSeconds})
else
  redis.pcall('DEL', KEYS[2])
end
return id
`;

const digest = createHash("sha1").update(script).digest("hex");

/**
 * Adds an entry, unless one was added under this key within a day.
 *
 * @returns the id of the new entry; or a list with the id of the existing entry
 */
export async function addOnce(
  redis: Redis,
  stream: string,
  key: string,
  entry: EntryArguments,
): Promise<unknown> {
  try {
    return await redis.evalsha(digest, 2, stream, key, ...entry);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    // `EVAL` is needed because Redis has not run the script since it was started.
    return redis.eval(script, 2, stream, key, ...entry);
  }
}
