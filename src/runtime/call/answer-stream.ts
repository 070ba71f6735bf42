/** The stream of an answer, as the steps of its call see it: `call-stream.ts` is one. */
import type { ToolError } from "../errors.js";

export interface AnswerStream {
  /** What the caller gets. */
  readonly items: AsyncIterableIterator<unknown, undefined>;
  /** Changes go in the order in which they are added. */
  through(change: ItemChange): void;
  /** The answer is on its way to its caller: from now on the stream ends the call. */
  begin(end: StreamEnd): void;
  /** The call has failed before its caller had the stream. */
  abandon(): void;
  /** Told when the call has ended. */
  onEnd(listener: EndListener): void;
}

/** What the end of a call takes, by `call-tool.ts`. */
export interface StreamEnd {
  /** Records it. Gives the error that takes the place of the end, where one does. */
  readonly end: (ending: StreamEnding) => Promise<ToolError | undefined>;
  /** As the caller gets it. */
  readonly errorOf: (thrown: unknown) => ToolError;
}

export type StreamEnding =
  StreamSummary | { readonly error: ToolError; readonly items: StreamSummary["items"] };

/** What is told of a stream in place of its items. */
export interface StreamSummary {
  /** How many its reader was given. */
  readonly items: number;
  /** `left`: its reader wanted no more. `withheld`: governance gave no more. */
  readonly ended: "whole" | "left" | "withheld";
}

/** Changes what an item carries: itself, or the data of an event. @throws ToolError to end the stream */
export type ItemChange = (value: unknown, number: number) => unknown;

/** @param error why the stream has not come to its end */
export type EndListener = (error: ToolError | undefined) => void;
