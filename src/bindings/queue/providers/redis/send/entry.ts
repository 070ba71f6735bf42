import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Outgoing } from "../../../send/broker.js";
import type { RedisPlace } from "../contract.js";
import { ofKey, tooLarge } from "./failures.js";

/** The arguments of `XADD` after the stream's key. */
export type EntryArguments = readonly (string | Buffer)[];

/**
 * The entry that a message becomes: the fields `body` and `content_type`, and one `header:<name>`
 * for each header.
 *
 * @param limit of one value, in bytes
 * @throws RejectedMessage for what would end the connection
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
const maxText = 16_384;

/** The same bytes: a command without buffers takes the client half the time. */
function asText(bytes: Buffer): string | Buffer {
  return bytes.length <= maxText && isUtf8(bytes) ? bytes.toString() : bytes;
}

function requireSmall(what: string, text: string, limit: number): void {
  // No character of UTF-16 takes more than three bytes of UTF-8.
  if (text.length * 3 <= limit) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > limit) throw tooLarge(what, bytes, limit);
}

/**
 * The key that remembers a message's id. In the slot of its stream, unless the stream's name has a
 * brace in it; the encoding keeps keys of different streams apart.
 */
export function idempotencyKeyOf(stream: string, key: string): string {
  const tag = stream.includes("{") ? stream : `{${stream}}`;
  return `skillc:idempotency:${tag}:${encodeURIComponent(key.toWellFormed())}`;
}

/** A day: longer than any caller repeats a message. */
const rememberedSeconds = 86_400;

/**
 * Adds an entry unless the key remembers one. The key is written first, and empty, which remembers
 * nothing: who may not write it, or finds no memory for it, adds no entry. Errors are given as they
 * are: those that are raised in a script get a prefix from older servers.
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
 * @returns the id of the entry that was added; in a list, of the one that was there
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
    // Redis has not run it yet, since it was started.
    return redis.eval(script, 2, stream, key, ...entry);
  }
}
