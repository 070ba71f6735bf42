/*
 * The operations in Redis. Each is one script, so it is atomic. rate-limiter-flexible has no step
 * that takes several budgets or none: its union spends the other budgets of a call that one budget
 * denies. Times are Redis' own, in milliseconds. The scripts compare them; Redis' expiry only
 * removes garbage, and does so later.
 */
import { createHash } from "node:crypto";
import { lineMs, takenMs } from "../times.js";
import { requestOperations } from "./request-scripts.js";
import { slackMs } from "./slack.js";

/** One operation, with the hash by which Redis knows it after its first run. */
export interface Script {
  readonly text: string;
  readonly digest: string;
}

/** Lua expression for the current time. Tests use another one. */
export type LuaClock = string;

export const serverClock: LuaClock = "serverTime()";

const prelude = (clock: LuaClock) => `
local function serverTime()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local now = tonumber(${clock})
local function text(number) return string.format('%.17g', number) end
-- The window that counts: a clock that was set back by less than one is still in the last.
local function windowOf(key, window)
  local known = redis.call('HMGET', key, 'start', 'used')
  local start = tonumber(known[1] or '-1')
  local current = now - now % window
  if current > start or start - current > window then return current, 0 end
  return start, tonumber(known[2])
end
local function keepBudget(key, window, start, used)
  redis.call('HSET', key, 'start', text(start), 'used', text(used))
  redis.call('PEXPIRE', key, text(start + 2 * window - now + ${slackMs}))
end
`;

/**
 * KEYS: budgets, then the record of the call's `take`. ARGV: call, milliseconds; then limit,
 * amount, needs and window of each use.
 */
const judgeUses = `
local left, starts, counts = {}, {}, {}
local refused, refusedWait = nil, -1
local uses = (#ARGV - 2) / 4
for i = 1, uses do
  local key = KEYS[i]
  local limit, amount = tonumber(ARGV[4 * i - 1]), tonumber(ARGV[4 * i])
  local needs, window = tonumber(ARGV[4 * i + 1]), tonumber(ARGV[4 * i + 2])
  local wait = math.huge
  if window == 0 then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', text(now))
    counts[i] = redis.call('ZCARD', key)
  else
    starts[i], counts[i] = windowOf(key, window)
    wait = starts[i] + window - now
  end
  if amount + needs > limit then wait = math.huge end
  local rest = limit - counts[i] - amount - needs
  left[i] = text(rest)
  if rest < 0 and wait > refusedWait then refused, refusedWait = i, wait end
end
if refused then
  return {'refused', refused - 1, refusedWait == math.huge and '' or text(refusedWait)}
end
`;

const takeUses = `
-- Given back before it was taken: nobody waits for it any more.
if not redis.call('SET', KEYS[uses + 1], text(now), 'NX', 'PX', ${takenMs}) then
  return {'refused', 0, ''}
end
for i = 1, uses do
  local key = KEYS[i]
  local amount, window = tonumber(ARGV[4 * i]), tonumber(ARGV[4 * i + 2])
  if window == 0 then
    local ttl = tonumber(ARGV[2])
    redis.call('ZADD', key, text(now + ttl), ARGV[1])
    redis.call('PEXPIRE', key, text(math.max(redis.call('PTTL', key), ttl + ${slackMs})))
  else
    keepBudget(key, window, starts[i], counts[i] + amount)
  end
end
`;

const tellUses = `
return {'taken', text(now), unpack(left)}
`;

/** ARGV: amount and window of each use. */
const add = `
for i, key in ipairs(KEYS) do
  local amount, window = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local start, used = windowOf(key, window)
  keepBudget(key, window, start, used + amount)
end
`;

/**
 * KEYS: budgets, then the record of the call's `take`. ARGV: call, its time or empty; then amount
 * and window of each use.
 */
const giveBack = `
local uses = (#ARGV - 2) / 2
local known = redis.call('GET', KEYS[uses + 1]) or ARGV[2]
redis.call('SET', KEYS[uses + 1], '', 'PX', ${takenMs})
if known == '' then return end
for i = 1, uses do
  local key, amount, window = KEYS[i], tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  if window == 0 then
    redis.call('ZREM', key, ARGV[1])
  else
    local start, used = windowOf(key, window)
    if start <= tonumber(known) then keepBudget(key, window, start, used - amount) end
  end
end
`;

/** ARGV: call, milliseconds. */
const renewHold = `
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, 'XX', text(now + ARGV[2]), ARGV[1])
  redis.call('PEXPIRE', key, text(math.max(redis.call('PTTL', key), ARGV[2] + ${slackMs})))
end
`;

/** ARGV: call. */
const release = `
for _, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[1]) end
`;

/** ARGV: tool and manifest, for each tool. */
const register = `
local before = {}
for i = 1, #ARGV, 2 do
  before[(i + 1) / 2] = redis.call('HGET', KEYS[1], ARGV[i])
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
return before
`;

/** ARGV: key of the state, change. */
const setState = `
redis.call('HSET', KEYS[1], ARGV[1], text(now) .. ' ' .. ARGV[2])
`;

/** ARGV: key of the state. */
const resetState = `
return redis.call('HDEL', KEYS[1], ARGV[1])
`;

const states = `
return redis.call('HVALS', KEYS[1])
`;

const readApproval = `
local known = redis.call('HMGET', KEYS[1], 'approval', 'at', 'ends', 'call')
if not known[1] then return false end
return {known[1], known[2], known[3], tonumber(known[3]) <= now and 1 or 0, known[4]}
`;

/** ARGV: call. */
const useApproval = `
local known = redis.call('HMGET', KEYS[1], 'ends', 'call')
if not known[1] then return 'none' end
if known[2] then return 'spent' end
if tonumber(known[1]) <= now then return 'expired' end
redis.call('HSET', KEYS[1], 'call', ARGV[1])
return 'used'
`;

/** ARGV: call. */
const returnApproval = `
if redis.call('HGET', KEYS[1], 'call') == ARGV[1] then redis.call('HDEL', KEYS[1], 'call') end
`;

/** ARGV: fingerprint, call, milliseconds, settled call or empty. */
const begin = `
local known = redis.call('HMGET', KEYS[1], 'fingerprint', 'call', 'runs', 'ends', 'answer')
local call, ends = known[2], known[4]
local isFree = not call
if ends then isFree = tonumber(ends) <= now
elseif call then
  isFree = call == ARGV[2] or (call == ARGV[4] and tonumber(known[3]) <= now)
end
if isFree then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'call', ARGV[2], 'runs', text(now + ARGV[3]))
  return {'begun'}
end
if known[1] ~= ARGV[1] then return {'other', call} end
if ends then return {'done', call, known[5]} end
return {tonumber(known[3]) > now and 'running' or 'unknown', call}
`;

/** ARGV: call, milliseconds, answer if there is one. */
const finish = `
if redis.call('HGET', KEYS[1], 'call') ~= ARGV[1] then return end
redis.call('HSET', KEYS[1], 'ends', text(now + ARGV[2]))
if ARGV[3] then redis.call('HSET', KEYS[1], 'answer', ARGV[3]) end
redis.call('PEXPIRE', KEYS[1], text(ARGV[2] + ${slackMs}))
`;

/** ARGV: call. */
const free = `
local known = redis.call('HMGET', KEYS[1], 'call', 'ends')
if known[1] == ARGV[1] and not known[2] then redis.call('DEL', KEYS[1]) end
`;

/** ARGV: call. */
const abandon = `
if redis.call('HGET', KEYS[1], 'call') == ARGV[1] then redis.call('HSET', KEYS[1], 'runs', '0') end
`;

/**
 * KEYS: lease, counter of fences, line, expiry of each place in the line. ARGV: holder,
 * milliseconds.
 */
const lease = `
local known = redis.call('HMGET', KEYS[1], 'holder', 'ends')
local isHeld = known[1] and tonumber(known[2]) > now
local isOwn = isHeld and known[1] == ARGV[1]
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', text(now))) do
  redis.call('ZREM', KEYS[3], gone)
  redis.call('ZREM', KEYS[4], gone)
end
local first = redis.call('ZRANGE', KEYS[3], 0, 0)[1] or ARGV[1]
if not isOwn and (isHeld or first ~= ARGV[1]) then
  if not redis.call('ZSCORE', KEYS[3], ARGV[1]) then
    redis.call('ZADD', KEYS[3], redis.call('INCR', KEYS[2]), ARGV[1])
  end
  redis.call('ZADD', KEYS[4], text(now + ${lineMs}), ARGV[1])
  for i = 3, 4 do redis.call('PEXPIRE', KEYS[i], ${lineMs + slackMs}) end
  return false
end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
local fence = redis.call('INCR', KEYS[2])
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'fence', fence, 'ends', text(now + ARGV[2]))
redis.call('PEXPIRE', KEYS[1], text(ARGV[2] + ${slackMs}))
return fence
`;

/** ARGV: fence, milliseconds. */
const renew = `
local known = redis.call('HMGET', KEYS[1], 'fence', 'ends')
if known[1] ~= ARGV[1] or tonumber(known[2]) <= now then return 0 end
redis.call('HSET', KEYS[1], 'ends', text(now + ARGV[2]))
redis.call('PEXPIRE', KEYS[1], text(ARGV[2] + ${slackMs}))
return 1
`;

/** ARGV: fence. */
const unlease = `
if redis.call('HGET', KEYS[1], 'fence') == ARGV[1] then redis.call('DEL', KEYS[1]) end
`;

/** KEYS: line, expiry of each place in the line. ARGV: holder. */
const leaveLine = `
for _, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[1]) end
`;

const operations = {
  ...requestOperations,
  take: judgeUses + takeUses + tellUses,
  peek: judgeUses + tellUses,
  add,
  giveBack,
  renewHold,
  release,
  register,
  setState,
  resetState,
  states,
  readApproval,
  useApproval,
  returnApproval,
  begin,
  finish,
  free,
  abandon,
  lease,
  renew,
  unlease,
  leaveLine,
};

export type Operation = keyof typeof operations;

export type Scripts = { readonly [Each in Operation]: Script };

export function scriptsWith(clock: LuaClock): Scripts {
  const scripts = Object.entries(operations).map(([name, body]) => {
    const text = prelude(clock) + body;
    return [name, { text, digest: createHash("sha1").update(text).digest("hex") }];
  });
  // The keys are the names of the operations.
  return Object.fromEntries(scripts) as Scripts;
}
