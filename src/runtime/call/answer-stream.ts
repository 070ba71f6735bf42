/** The stream of an answer as the call's steps see it. `call-stream.ts` implements it. */
import type { ToolError } from "../errors.js";

/**
 * An `AsyncIterableIterator` that returns undefined at its end. TypeScript 5.4 has no type for it.
 */
export interface AnswerItems extends AsyncIterator<unknown, undefined> {
  [Symbol.asyncIterator](): AnswerItems;
}

export interface AnswerStream {
  /** Items for the caller. */
  readonly items: AnswerItems;
  /** Adds a change of items. Changes run in the order in which they were added. */
  through(change: ItemChange): void;
  /** Starts the stream when the answer is returned. From now on the stream ends the call. */
  begin(end: StreamEnd): void;
  /** Closes the stream of a call that failed before the caller got the stream. */
  abandon(): void;
  /** Adds a listener for the end of the call. */
  onEnd(listener: EndListener): void;
}

/** Ends a call with a stream; made by `call-tool.ts`. */
export interface StreamEnd {
  /** Records the end. Returns an error if one replaces the end. */
  readonly end: (ending: StreamEnding) => Promise<ToolError | undefined>;
  /** Returns the error that the caller gets. */
  readonly errorOf: (thrown: unknown) => ToolError;
}

export type StreamEnding =
  StreamSummary | { readonly error: ToolError; readonly items: StreamSummary["items"] };

/** Replaces the items of a stream in records. */
export interface StreamSummary {
  /** Number of items that the reader got. */
  readonly items: number;
  /**
   * `whole`: all items were read. `left`: the reader stopped. `withheld`: governance stopped the
   * stream.
   */
  readonly ended: "whole" | "left" | "withheld";
}

/**
 * Changes an item, or the data of an event.
 *
 * @throws ToolError to end the stream
 */
export type ItemChange = (value: unknown, number: number) => unknown;

/** @param error set if the stream did not reach its end */
export type EndListener = (error: ToolError | undefined) => void;
