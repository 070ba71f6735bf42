/**
 * The stream of an answer between a binding, which supplies items, and the caller, who reads them.
 * The call ends with the stream. The end is recorded before the reader gets it.
 */
import { onAborted } from "../on-aborted.js";
import type { ToolError } from "../errors.js";
import { abortedError, callError } from "./call-error.js";
import type {
  AnswerItems,
  AnswerStream,
  EndListener,
  ItemChange,
  StreamEnd,
  StreamEnding,
} from "./answer-stream.js";
import type { Call } from "./call.js";

/** Time without a read after which the reader is considered gone, in milliseconds. */
const longestPauseMs = 60_000;

export class CallStream implements AnswerStream {
  readonly #call: Call;
  readonly #source: AsyncIterator<unknown>;
  readonly #changes: ItemChange[] = [];
  #end: StreamEnd | undefined;
  #count = 0;
  #isOver = false;
  #stopListening: (() => void) | undefined;
  /** Error of the stream, until the reader gets it. */
  #failure: ToolError | undefined;
  /** Stops waiting for the next item. */
  #interrupt: (() => void) | undefined;
  /** Settles when the end is recorded. */
  #ending: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #listeners: EndListener[] = [];
  #hasEnded = false;

  constructor(call: Call, source: AsyncIterable<unknown>) {
    this.#call = call;
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Adds a change of items. Changes run in the order in which they were added. */
  through(change: ItemChange): void {
    this.#changes.push(change);
  }

  /** Starts the stream when the answer is returned. From now on the stream ends the call. */
  begin(end: StreamEnd): void {
    const { cancel, options, tool } = this.#call;
    this.#end = end;
    if (cancel !== undefined) {
      cancel.listener = (error) => this.#stop(error);
      if (cancel.error !== undefined) this.#stop(cancel.error);
    }
    this.#stopListening = options.signal && onAborted(options.signal, this.#aborted);
    if (options.signal?.aborted) this.#aborted();
    this.#awaitReader(tool.timeoutMs ?? longestPauseMs);
  }

  /** Closes the stream of a call that failed before the caller got the stream. */
  abandon(): void {
    this.#isOver = true;
    this.#close();
  }

  /** Adds a listener for the end of the call. */
  onEnd(listener: EndListener): void {
    if (this.#hasEnded) listener(this.#failure);
    else this.#listeners.push(listener);
  }

  /** Items for the caller. */
  readonly items: AnswerItems = {
    [Symbol.asyncIterator]: () => this.items,
    next: () => this.#inTurn(() => this.#next()),
    return: async () => {
      await this.#leave();
      return { value: undefined, done: true };
    },
  };

  /**
   * Runs requests in order, because a reader may ask for the next item before it has the last one.
   */
  #inTurn<Value>(run: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(run, run);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #next(): Promise<IteratorResult<unknown, undefined>> {
    clearTimeout(this.#pause);
    if (!this.#isOver) {
      try {
        const step = await this.#stepOrStop();
        if (step !== undefined && step.done !== true && !this.#isOver) {
          const value = this.#changed(step.value, this.#count + 1);
          this.#count += 1;
          this.#awaitReader(Math.max(this.#call.tool.timeoutMs ?? 0, longestPauseMs));
          return { value, done: false };
        }
        if (!this.#isOver) await this.#finish({ items: this.#count, ended: "whole" });
      } catch (thrown) {
        if (!this.#isOver) this.#stop(thrown);
      }
    }
    await this.#ending;
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
    return { value: undefined, done: true };
  }

  /** Returns the next step; undefined if the stream is stopped meanwhile. */
  #stepOrStop(): Promise<IteratorResult<unknown> | undefined> {
    return new Promise((resolve, reject) => {
      this.#interrupt = () => resolve(undefined);
      this.#source.next().then(resolve, reject);
    });
  }

  #changed(item: unknown, number: number): unknown {
    const change = (value: unknown): unknown =>
      this.#changes.reduce((at, each) => each(at, number), value);
    if (this.#call.tool.binding.streams === "items") return change(item);
    const { data, event = "message", id = null } = item as Record<string, unknown>;
    return { event, data: change(data), id };
  }

  /** Stops the stream if the reader takes no item in time. */
  #awaitReader(ms: number): void {
    if (this.#isOver) return;
    this.#pause = setTimeout(() => this.#stop(unreadError(this.#call, ms)), ms);
  }

  readonly #aborted = (): void => this.#stop(abortedError(this.#call));

  async #leave(): Promise<void> {
    if (!this.#isOver) await this.#finish({ items: this.#count, ended: "left" });
    await this.#ending;
    this.#failure = undefined;
  }

  #stop(thrown: unknown): void {
    if (this.#isOver) return;
    const error = this.#end?.errorOf(thrown);
    if (error === undefined) return this.abandon();
    this.#failure = error;
    void this.#finish({ error, items: this.#count });
  }

  #finish(ending: StreamEnding): Promise<void> {
    const { cancel } = this.#call;
    this.#isOver = true;
    clearTimeout(this.#pause);
    this.#stopListening?.();
    if (cancel !== undefined) cancel.listener = undefined;
    this.#close();
    this.#interrupt?.();
    const recorded = async (): Promise<void> => {
      const other = await this.#end?.end(ending);
      if (other !== undefined) this.#failure = other;
      this.#hasEnded = true;
      const error = other ?? ("error" in ending ? ending.error : undefined);
      for (const listener of this.#listeners) listener(error);
    };
    this.#ending = recorded();
    return this.#ending;
  }

  /** Closes the source without waiting: a generator closes when it reaches its next `yield`. */
  #close(): void {
    try {
      void this.#source.return?.().catch(() => {});
    } catch {
      // A handler's iterator may throw anything.
    }
  }
}

function unreadError(call: Call, ms: number): ToolError {
  return callError(
    call,
    { code: "UNKNOWN.INTERNAL", reason: "aborted" },
    `\`${call.toolId}\` ended: nobody read an item of its stream for ${ms} ms`,
  );
}
