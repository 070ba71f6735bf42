import { once } from "node:events";
import type { ChannelModel, ConfirmChannel } from "amqplib";
import type { Attempt } from "../../../../../runtime/executor.js";
import type { Outgoing } from "../../../send/broker.js";
import { LostBroker } from "../../../send/failures.js";
import type { Link } from "../../../send/link/shared-link.js";
import { Silence } from "../../../send/link/silence.js";
import type { RabbitmqPlace, RabbitmqReceipt, Routed } from "../contract.js";
import type { ChannelHost } from "./publish-channel.js";
import { ExchangePublishers } from "./exchange-publisher.js";
import { ObservedLimits, type RejectedKeys, type PendingMessage } from "./deliveries.js";
import { messageOf } from "./message.js";
import { reasonOf, tooLarge } from "./failures.js";
import { AmqplibSocket } from "./amqplib-internals.js";

/** Time limit of the closing handshake, in milliseconds. */
const closeMs = 2000;

/** Facts about a broker that are known before connecting. */
export interface RabbitmqLinkOptions extends Pick<ChannelHost, "hidden"> {
  /** Shared by all links of the broker. */
  readonly rejectedKeys: RejectedKeys;
}

/** A connection to RabbitMQ. */
export class RabbitmqLink implements Link<RabbitmqPlace, Routed<RabbitmqReceipt>>, ChannelHost {
  readonly hidden: readonly string[];
  readonly #connection: ChannelModel;
  readonly #abortController: AbortController;
  readonly #amqplib: AmqplibSocket;
  readonly #publishers: ExchangePublishers;
  readonly #silence = new Silence();
  readonly #limits: ObservedLimits;
  #isUsable = true;
  #isBlocked = false;

  constructor(
    connection: ChannelModel,
    abortController: AbortController,
    options: RabbitmqLinkOptions,
  ) {
    this.hidden = options.hidden;
    this.#limits = new ObservedLimits(options.rejectedKeys);
    this.#publishers = new ExchangePublishers(this, this.#limits);
    this.#connection = connection;
    this.#abortController = abortController;
    this.#amqplib = new AmqplibSocket(connection);
    this.#listen();
  }

  get isUsable(): boolean {
    return this.#isUsable && !this.#abortController.signal.aborted;
  }

  get silentMs(): number {
    return this.#isBlocked ? 0 : this.#silence.ms;
  }

  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  publish(outgoing: Outgoing & RabbitmqPlace, attempt: Attempt): Promise<Routed<RabbitmqReceipt>> {
    return new Promise((resolve, reject) => {
      const message = messageOf(outgoing, this.#amqplib.frameMax);
      const { maxBytes } = this.#limits;
      if (message.body.length > maxBytes) throw tooLarge(message.body.length, maxBytes);
      if (!this.isUsable) throw new LostBroker("connection lost", "not-done");
      this.#deliver({ message, resolve, reject }, attempt);
    });
  }

  keepAlive(isNeeded: boolean): void {
    this.#amqplib.keepAlive(isNeeded);
  }

  async close(): Promise<void> {
    this.#isUsable = false;
    const { signal } = this.#abortController;
    const disconnected = signal.aborted || once(signal, "abort");
    const timer = setTimeout(
      () => this.#abortController.abort(),
      this.#silence.isLong ? 0 : closeMs,
    );
    this.#connection.close().catch(() => this.#abortController.abort());
    await disconnected;
    clearTimeout(timer);
  }

  createChannel(options: { readonly highWaterMark: number }): Promise<ConfirmChannel> {
    return this.#connection.createConfirmChannel(options);
  }

  sent(): void {
    // Only join writes if more messages are under way; a single message would only lose time.
    if (this.#silence.isOwed) this.#amqplib.cork();
  }

  asked(): void {
    this.#silence.asked();
  }

  answered(count: number): void {
    this.#silence.answered(count);
  }

  exhausted(): void {
    this.#isUsable = false;
  }

  #listen(): void {
    let reason: string | undefined;
    this.#connection.on("error", (error) => {
      reason = reasonOf(error);
    });
    this.#connection.on("blocked", () => {
      this.#isBlocked = true;
    });
    this.#connection.on("unblocked", () => {
      this.#isBlocked = false;
      this.#publishers.advance();
    });
    this.#connection.on("close", (error) => {
      this.#isUsable = false;
      this.#publishers.lose(reason ?? reasonOf(error));
      // amqplib only ends its half of the connection.
      this.#abortController.abort();
    });
  }

  #deliver(waiting: PendingMessage, attempt: Attempt): void {
    const publisher = this.#publishers.for(waiting.message);
    let isOver = false;
    attempt.onAbort(() => {
      isOver = true;
      const wasWaiting = publisher.remove(waiting);
      // A broker that is out of memory reports that, so its silence doesn't mean that it is gone.
      if (this.#silence.isLong && !this.#isBlocked) this.#isUsable = false;
      waiting.reject(new LostBroker("aborted"));
      return wasWaiting ? "not-done" : "unknown";
    });
    if (!isOver) publisher.add(waiting);
  }
}
