import type { AnyResult } from "./result.js";

/** A whole answer of a handler, in place of a success's data. Made by `answer`. */
export class Answer<out Result extends AnyResult> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/**
 * What a handler returns to answer with another status than `success`, or with more than data: `return answer({ status: "not_found", error: "no such order",
 * status_code: 404 })`.
 *
 * @param result any answer of the tool's result type but `shadow`
 * @throws TypeError for what has no status
 */
export function answer<Status extends string, Result extends { readonly status: Status }>(
  result: Result,
): Answer<Result> {
  // Callers in JavaScript may pass anything.
  const { status }: { readonly status?: unknown } = { ...result };
  if (typeof status !== "string")
    throw new TypeError("`answer` takes a tool's whole answer, with its `status`");
  return new Answer(result);
}
