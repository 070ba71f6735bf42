import type { Call } from "./call.js";

/**
 * The checked answer as JSON, written once for budgets and for what is kept of a keyed call;
 * undefined where it has none.
 *
 * @throws what `JSON.stringify` throws, for what a handler gave that JSON can't say
 */
export function answerJson(call: Call): string | undefined {
  call.answerJson ??= JSON.stringify(call.answered) as string | undefined;
  return call.answerJson;
}
