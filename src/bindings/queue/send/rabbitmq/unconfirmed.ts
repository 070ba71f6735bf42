import type { Message } from "amqplib";
import type { Delivery, Waiting } from "./delivery.js";

/** What was sent over a channel and is not confirmed yet, in the order in which it was sent. */
export class Unconfirmed {
  readonly #deliveries = new Map<number, Delivery>();
  #read = 0;

  /** Whether some are read, and left unconfirmed. */
  get hasRead(): boolean {
    return this.#read > 0;
  }

  /** How many of them are not known to be read. */
  get unread(): number {
    return this.#deliveries.size - this.#read;
  }

  /** The first one's tag of whom more is to be heard: it is unread, or somebody waits for its confirm. */
  get oldest(): number | undefined {
    for (const [tag, { isRead, waiting }] of this.#deliveries)
      if (!isRead || waiting !== undefined) return tag;
    return undefined;
  }

  add(tag: number, delivery: Delivery): void {
    this.#deliveries.set(tag, delivery);
  }

  /**
   * Takes out what a confirm speaks of.
   *
   * @param multiple everything up to the tag
   * @returns how many of them were unread
   */
  take(tag: number, multiple: boolean, each: (delivery: Delivery, tag: number) => void): number {
    if (!multiple) return this.#takeOne(tag, each);
    let count = 0;
    for (const sent of this.#deliveries.keys()) {
      if (sent > tag) break;
      count += this.#takeOne(sent, each);
    }
    return count;
  }

  #takeOne(tag: number, each: (delivery: Delivery, tag: number) => void): number {
    const delivery = this.#deliveries.get(tag);
    if (delivery === undefined) return 0;
    this.#deliveries.delete(tag);
    each(delivery, tag);
    if (!delivery.isRead) return 1;
    this.#read -= 1;
    return 0;
  }

  /**
   * RabbitMQ has read everything up to the tag.
   *
   * @returns how many of them were unread
   */
  read(tag: number, each: (delivery: Delivery) => void): number {
    let count = 0;
    for (const [sent, delivery] of this.#deliveries) {
      if (sent > tag) break;
      if (delivery.isRead) continue;
      count += 1;
      delivery.isRead = true;
      each(delivery);
    }
    this.#read += count;
    return count;
  }

  /** Its call is over: it is never sent again. */
  forget(waiting: Waiting): void {
    for (const delivery of this.#deliveries.values())
      if (delivery.waiting === waiting) {
        delivery.waiting = undefined;
        return;
      }
  }

  takeAll(): readonly Delivery[] {
    const all = [...this.#deliveries.values()];
    this.#deliveries.clear();
    this.#read = 0;
    return all;
  }

  /**
   * Notes that RabbitMQ gave a message back. It does so in the order in which messages were sent; a message is known by its id and its routing key, which
   * only two copies of one message share.
   */
  markReturned({ fields, properties }: Message): void {
    for (const delivery of this.#deliveries.values()) {
      if (
        !delivery.isReturned &&
        delivery.messageId === properties.messageId &&
        delivery.routingKey === fields.routingKey
      ) {
        delivery.isReturned = true;
        return;
      }
    }
  }
}
