/*
 * The operations on requests for approval in Redis. They run after the prelude of `scripts.ts`.
 *
 * KEYS: a hash with all requests, their ids by time, their ids by the end of their lifetime. The hash has three
 * fields for each request: `ID:request` and `ID:decision` are JSON. `ID:facts` has eight words: state, time,
 * end, time of the decision, approval, tool, tenant, subject. All but the state and the times are digests, `-` if
 * absent.
 */
import { slackMs } from "./slack.js";

/** Expired approvals are reported as expired for a day. */
const dayMs = 24 * 60 * 60 * 1000;
/** Maximum number of expired requests that one operation removes. */
const maxSwept = 100;
/** Number of requests that a list reads at once. */
const readAtOnce = 500;

const prelude = `
local function readFacts(id)
  local facts = redis.call('HGET', KEYS[1], id .. ':facts')
  if not facts then return nil end
  local words = {}
  for word in string.gmatch(facts, '%S+') do words[#words + 1] = word end
  if tonumber(words[3]) <= now then return nil end
  return words
end
local function answer(id, words)
  local texts = redis.call('HMGET', KEYS[1], id .. ':request', id .. ':decision')
  return {words[1], words[2], words[3], words[4], texts[1], texts[2]}
end
local function sweep()
  local over = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', text(now - ${slackMs}), 'LIMIT', 0, ${maxSwept})
  for _, id in ipairs(over) do
    redis.call('HDEL', KEYS[1], id .. ':facts', id .. ':request', id .. ':decision')
    redis.call('ZREM', KEYS[2], id)
    redis.call('ZREM', KEYS[3], id)
  end
end
local function keepFacts(id, words)
  redis.call('HSET', KEYS[1], id .. ':facts', table.concat(words, ' '))
  redis.call('ZADD', KEYS[2], words[2], id)
  redis.call('ZADD', KEYS[3], words[3], id)
  local ttl = tonumber(words[3]) - now + ${slackMs}
  for i = 1, 3 do
    redis.call('PEXPIRE', KEYS[i], text(math.max(redis.call('PTTL', KEYS[i]), ttl)))
  end
  sweep()
end
`;

/**
 * Stores a request. If an approval may have answered the request, the script returns its digest,
 * and must be run again with it.
 *
 * KEYS: also the approval, if its digest is given. ARGV: request's digest, request, milliseconds,
 * digest of an approval or empty, tool, tenant, subject.
 */
const saveRequest = `
local id = ARGV[1]
local known = readFacts(id)
if known then
  local isKept = known[1] ~= 'approved'
  if not isKept then
    if known[5] ~= ARGV[4] then return {'look', known[5]} end
    local approval = redis.call('HMGET', KEYS[4], 'ends', 'call')
    isKept = approval[1] and not approval[2] and tonumber(approval[1]) > now
  end
  if isKept then return {'known', answer(id, known)} end
end
redis.call('HSET', KEYS[1], id .. ':request', ARGV[2])
redis.call('HDEL', KEYS[1], id .. ':decision')
local words = {'pending', text(now), text(now + ARGV[3]), '-', '-', ARGV[5], ARGV[6], ARGV[7]}
keepFacts(id, words)
return {'new', answer(id, words)}
`;

/** ARGV: request's digest. */
const readRequest = `
local known = readFacts(ARGV[1])
return known and answer(ARGV[1], known)
`;

/**
 * ARGV: maximum number; then state, tool, tenant and subject, each of which is empty if any will
 * do.
 */
const listRequests = `
local found, place = {}, 0
local function isOther(wanted, word) return wanted ~= '' and wanted ~= word end
while #found < tonumber(ARGV[1]) do
  local ids = redis.call('ZREVRANGE', KEYS[2], place, place + ${readAtOnce - 1})
  if #ids == 0 then break end
  place = place + #ids
  local fields = {}
  for i, id in ipairs(ids) do fields[i] = id .. ':facts' end
  for i, facts in ipairs(redis.call('HMGET', KEYS[1], unpack(fields))) do
    local state, at, ends, decidedAt, tool, tenant, subject =
      string.match(facts or '', '^(%S+) (%S+) (%S+) (%S+) %S+ (%S+) (%S+) (%S+)$')
    if state and tonumber(ends) > now and #found < tonumber(ARGV[1])
      and not (isOther(ARGV[2], state) or isOther(ARGV[3], tool)
        or isOther(ARGV[4], tenant) or isOther(ARGV[5], subject)) then
      found[#found + 1] = answer(ids[i], {state, at, ends, decidedAt})
    end
  end
end
return found
`;

/** ARGV: request's digest, decision. */
const denyRequest = `
local id = ARGV[1]
local known = readFacts(id)
if not known then return 'none' end
if known[1] ~= 'pending' then return known[1] end
known[1], known[4] = 'denied', text(now)
redis.call('HSET', KEYS[1], id .. ':decision', ARGV[2])
keepFacts(id, known)
return 'denied'
`;

/**
 * KEYS: also the approval. ARGV: approval, milliseconds, decision, approval's digest; then the
 * request as it is stored if there is none: its digest, request, tool, tenant, subject.
 */
const saveApproval = `
if redis.call('EXISTS', KEYS[4]) == 1 then return 'known' end
local id, ttl = ARGV[5], tonumber(ARGV[2])
local known = readFacts(id)
if known and known[1] == 'denied' then return 'denied' end
redis.call('HSET', KEYS[4], 'approval', ARGV[1], 'at', text(now), 'ends', text(now + ttl))
redis.call('PEXPIRE', KEYS[4], text(ttl + ${dayMs}))
if not known then
  redis.call('HSET', KEYS[1], id .. ':request', ARGV[6])
  known = {'', text(now), '', '', '', ARGV[7], ARGV[8], ARGV[9]}
end
known[1], known[3], known[4], known[5] = 'approved', text(now + ttl), text(now), ARGV[4]
redis.call('HSET', KEYS[1], id .. ':decision', ARGV[3])
keepFacts(id, known)
return 'saved'
`;

export const requestOperations = {
  saveRequest: prelude + saveRequest,
  readRequest: prelude + readRequest,
  listRequests: prelude + listRequests,
  denyRequest: prelude + denyRequest,
  saveApproval: prelude + saveApproval,
};
