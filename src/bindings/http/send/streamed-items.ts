/** The items of a streamed body, each held to its schema before it is given. */
import { type Attempt, ToolError } from "../../../runtime/executor.js";
import { type AnswerPlan, itemOf } from "./answer.js";
import type { ItemReader, RawItem, StreamContent } from "./content.js";
import { idleError, protocolError } from "./failures.js";
import { type IncomingBody, unreadable } from "./incoming-body.js";

/**
 * Reads the body as items are asked for. The time of an attempt is here that between two pieces of
 * the body: a server that sends comments, or parts of an item, is not idle.
 */
export class StreamedItems<Body> implements AsyncIterableIterator<unknown> {
  readonly #plan: AnswerPlan<Body>;
  readonly #body: IncomingBody;
  readonly #attempt: Attempt;
  readonly #reader: ItemReader;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #whole: RawItem[] = [];
  /** Of items that were given. */
  #count = 0;
  #isOver = false;

  constructor(
    plan: AnswerPlan<Body> & { readonly maxResponseBytes: number },
    content: StreamContent,
    body: IncomingBody,
    attempt: Attempt,
  ) {
    this.#plan = plan;
    this.#body = body;
    this.#attempt = attempt;
    this.#reader = content.read(plan.maxResponseBytes);
    this.#chunks = body.decoded[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @throws ToolError, which ends it */
  async next(): Promise<IteratorResult<unknown, undefined>> {
    try {
      for (;;) {
        const item = this.#whole.shift();
        if (item !== undefined) return { value: this.#given(item), done: false };
        if (this.#isOver) return { value: undefined, done: true };
        await this.#readOn();
      }
    } catch (error) {
      this.#close();
      throw this.#told(error);
    }
  }

  /** Cuts the connection, where the body has not ended. Whoever waits for an item gets none. */
  async return(): Promise<IteratorResult<unknown, undefined>> {
    this.#close();
    return { value: undefined, done: true };
  }

  #close(): void {
    this.#isOver = true;
    this.#whole.length = 0;
    this.#body.destroy();
  }

  #given({ event, value }: RawItem): unknown {
    this.#count += 1;
    const data = itemOf(this.#plan, value, this.#attempt, this.#count);
    return event === undefined ? data : { event: event.event, data, id: event.id };
  }

  async #readOn(): Promise<void> {
    const chunk = await this.#inTime();
    if (this.#isOver) return;
    if (chunk.done === true) {
      this.#isOver = true;
      this.#whole.push(...this.#reader.end());
      return;
    }
    const { isLast, items } = this.#reader.take(chunk.value);
    for (const item of items) this.#whole.push(item);
    if (isLast !== true) return;
    this.#isOver = true;
    this.#body.destroy();
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
