import { callError } from "./call-error.js";
import type { AnswerStream } from "./answer-stream.js";
import { CallStream } from "./call-stream.js";
import type { Call } from "./call.js";
import { hasOwnData } from "./own-data.js";

/**
 * Returns the stream of the call's answer; undefined if it has none.
 *
 * @throws ToolError if a handler returned data that are not a stream
 */
export function openStream(call: Call): AnswerStream | undefined {
  const { answered, tool } = call;
  if (call.stream !== undefined || tool.binding.streams === undefined) return call.stream;
  // A 204 answer has no content, and a status with its own schema is not a stream.
  if (answered === undefined || !("data" in answered) || hasOwnData(answered, call))
    return undefined;
  call.stream = new CallStream(call, streamIn(answered.data, call));
  return call.stream;
}

function streamIn(data: unknown, call: Call): AsyncIterable<unknown> {
  if (typeof data === "object" && data !== null) {
    if (Symbol.asyncIterator in data) return data as AsyncIterable<unknown>;
    // Accept a list too, because tests return lists.
    if (Array.isArray(data)) return listed(data);
  }
  throw callError(
    call,
    {
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "result",
      problems: [{ pointer: "", keyword: "type", message: "must be an async iterable" }],
    },
    `result of \`${call.toolId}\` must be an async iterable, such as an async generator`,
  );
}

async function* listed(items: readonly unknown[]): AsyncGenerator<unknown, undefined> {
  yield* items;
  return undefined;
}
