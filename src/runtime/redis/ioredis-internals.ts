import { inspect } from "node:util";
import type { Redis } from "ioredis";

/**
 * Prevents one client from printing arguments of commands, such as passwords and messages. ioredis
 * prints every command if the variable `DEBUG` names it. It describes its connection first, and the
 * replaced description hides the arguments. There is no other cost.
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
  // A method of the client that its types keep private.
  Object.defineProperty(redis, "_getDescription", {
    value: () => {
      hide(sent);
      return "skillc";
    },
  });
  return redis;
}

const hidden = { value: () => "hidden" };

/** Hides items from printing. They are still sent. */
function hide(items: unknown): void {
  if (Array.isArray(items))
    Object.defineProperties(items, { join: hidden, [inspect.custom]: hidden });
}
