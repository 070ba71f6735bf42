import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { EntryArguments } from "./entry.js";
import { ofKey } from "./refusals.js";

/** A day: longer than any caller repeats a message. */
const rememberedSeconds = 86_400;

/**
 * Adds an entry unless the key remembers one. The key is written first, and empty, which remembers nothing: who may not write it, or finds no memory for
 * it, adds no entry. Errors are given as they are: those that are raised in a script get a prefix from older servers.
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
