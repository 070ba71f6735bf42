/** The items of a streamed body, each validated before it is returned. */
import { type Attempt, ToolError } from "../../../runtime/executor.js";
import { type AnswerOptions, itemOf } from "./answer.js";
import type { ItemReader, RawItem } from "../../../kit/run/item-reader.js";
import type { StreamContent } from "./content.js";
import { idleError, protocolError } from "./failures.js";
import { type IncomingBody, unreadable } from "./incoming-body.js";

/**
 * Reads the body when items are requested. The time limit of an attempt applies here to the pause
 * between two pieces of the body. A server that sends comments or parts of an item is therefore not
 * idle.
 */
export class StreamedItems<Body> implements AsyncIterableIterator<unknown> {
  readonly #options: AnswerOptions<Body>;
  readonly #body: IncomingBody;
  readonly #attempt: Attempt;
  readonly #reader: ItemReader;
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** Items that have arrived and were not returned yet. */
  #pending: Iterator<RawItem, "last" | undefined, undefined> | undefined;
  /** Number of returned items. */
  #count = 0;
  #isOver = false;

  constructor(
    options: AnswerOptions<Body> & { readonly maxResponseBytes: number },
    content: StreamContent,
    body: IncomingBody,
    attempt: Attempt,
  ) {
    this.#options = options;
    this.#body = body;
    this.#attempt = attempt;
    this.#reader = content.read(options.maxResponseBytes);
    this.#chunks = body.decoded[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @throws ToolError, which ends the stream */
  async next(): Promise<IteratorResult<unknown, undefined>> {
    try {
      for (;;) {
        if (this.#isOver) return { value: undefined, done: true };
        const step = this.#pending?.next();
        if (step?.done === false) return { value: this.#given(step.value), done: false };
        if (step?.value === "last") this.#close();
        else await this.#readOn();
      }
    } catch (error) {
      this.#close();
      throw this.#told(error);
    }
  }

  /**
   * Closes the connection if the body has not ended. Pending requests for an item end without one.
   */
  async return(): Promise<IteratorResult<unknown, undefined>> {
    this.#close();
    return { value: undefined, done: true };
  }

  #close(): void {
    this.#isOver = true;
    this.#pending = undefined;
    this.#body.destroy();
  }

  #given(item: RawItem): unknown {
    this.#count += 1;
    const { event } = item;
    const data = itemOf(this.#options, item, this.#attempt, this.#count);
    return event === undefined ? data : { event: event.event, data, id: event.id };
  }

  async #readOn(): Promise<void> {
    const chunk = await this.#inTime();
    if (this.#isOver) return;
    this.#pending = chunk.done === true ? this.#reader.end() : this.#reader.take(chunk.value);
  }

  async #inTime(): Promise<IteratorResult<Uint8Array>> {
    const { timeoutMs } = this.#attempt;
    if (timeoutMs === undefined) return this.#chunks.next();
    const timer = setTimeout(
      () => this.#body.destroy(idleError(this.#attempt, timeoutMs)),
      timeoutMs,
    );
    try {
      return await this.#chunks.next();
    } finally {
      clearTimeout(timer);
    }
  }

  #told(error: unknown): unknown {
    if (error instanceof ToolError) return error;
    const damage = unreadable(error);
    if (damage === undefined) return error;
    return protocolError(this.#attempt, `${damage.message} (after ${this.#count} items)`);
  }
}
