import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { EntryArguments } from "./entry.js";

/** A day: longer than any caller repeats a message. */
const rememberedSeconds = 86_400;

/**
 * Adds an entry unless the key remembers one. An error of `XADD` is given as it is: one that is raised in a script gets a prefix from older servers. What
 * more a script may do when memory is short is Redis' business; the key is set only after the entry is in.
 */
const script = `
local known = redis.call('GET', KEYS[2])
if known then return known end
local id = redis.pcall('XADD', KEYS[1], unpack(ARGV))
if type(id) == 'string' then redis.call('SET', KEYS[2], id, 'EX', ${rememberedSeconds}) end
return id
`;

const digest = createHash("sha1").update(script).digest("hex");

/** The id of the entry that was added, or of the one that was added under this key within a day. */
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
