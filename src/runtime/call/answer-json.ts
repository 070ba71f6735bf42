import type { Call } from "./call.js";

/**
 * Returns the validated answer as JSON, for budgets and stored answers; undefined if there is no
 * answer. The text is cached.
 *
 * @throws any error of `JSON.stringify`, for a handler's value that JSON can't express
 */
export function answerJson(call: Call): string | undefined {
  call.answerJson ??= JSON.stringify(call.answered) as string | undefined;
  return call.answerJson;
}
