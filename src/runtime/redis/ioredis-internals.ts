import { inspect } from "node:util";
import type { Redis } from "ioredis";

/**
 * Makes a client silent, and no other that the process may have. ioredis prints every command with
 * its arguments, password and messages among them, when the variable `DEBUG` names it: it describes
 * its connection first, and then there is nothing left to see. Nothing is spent on it otherwise.
 */
export function hideArguments(redis: Redis): Redis {
  let sent: unknown;
  const send = redis.sendCommand;
  redis.sendCommand = function (command, stream) {
    sent = command.args;
    const answer = send.call(this, command, stream);
    sent = undefined;
    return answer;
  };
  // The client's own, which its types keep private.
  Object.defineProperty(redis, "_getDescription", {
    value: () => {
      hide(sent);
      return "skillc";
    },
  });
  return redis;
}

const hidden = { value: () => "hidden" };

/** From those who print; what is sent are the items. */
function hide(items: unknown): void {
  if (Array.isArray(items))
    Object.defineProperties(items, { join: hidden, [inspect.custom]: hidden });
}
