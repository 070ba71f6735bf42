import { callError } from "./call-error.js";
import type { AnswerStream } from "./answer-stream.js";
import { CallStream } from "./call-stream.js";
import type { Call } from "./call.js";
import { hasOwnData } from "./own-data.js";

/**
 * The stream that the call was answered with; undefined for an answer without one.
 *
 * @throws ToolError for data that is no stream, which a handler may give
 */
export function openStream(call: Call): AnswerStream | undefined {
  const { answered, tool } = call;
  if (call.stream !== undefined || tool.binding.streams === undefined) return call.stream;
  // A success of 204 has no content, and one with a schema of its own is no stream.
  if (answered === undefined || !("data" in answered) || hasOwnData(answered, call))
    return undefined;
  call.stream = new CallStream(call, streamIn(answered.data, call));
  return call.stream;
}

function streamIn(data: unknown, call: Call): AsyncIterable<unknown> {
  if (typeof data === "object" && data !== null) {
    if (Symbol.asyncIterator in data) return data as AsyncIterable<unknown>;
    // A list is one, as tests write it.
    if (Array.isArray(data)) return listed(data);
  }
  throw callError(
    call,
    {
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "result",
      problems: [{ pointer: "", keyword: "type", message: "must be an async iterable" }],
    },
    `result of \`${call.toolId}\` must be an async iterable, as an async generator gives`,
  );
}

async function* listed(items: readonly unknown[]): AsyncGenerator<unknown, undefined> {
  yield* items;
  return undefined;
}
