import { once } from "node:events";
import type { ChannelModel, ConfirmChannel } from "amqplib";
import type { Attempt } from "../../../../../runtime/sink.js";
import type { Outgoing } from "../../../send/broker.js";
import { LostBroker } from "../../../send/faults.js";
import type { Link } from "../../../send/link/shared-link.js";
import { Silence } from "../../../send/link/silence.js";
import type { RabbitmqPlace, RabbitmqReceipt, Routed } from "../contract.js";
import type { LaneHost } from "./confirm-channel.js";
import { Lanes } from "./exchange-publisher.js";
import { Learned, type Suspects, type Waiting } from "./delivery.js";
import { messageOf } from "./message.js";
import { reasonOf, tooLarge } from "./failures.js";
import { Wire } from "./amqplib-internals.js";

/** What a closing handshake may take. */
const closeMs = 2000;

/** What a link is told of its broker. */
export interface RabbitmqLinkOptions extends Pick<LaneHost, "hidden"> {
  /** Of all its links. */
  readonly suspects: Suspects;
}

/** A connection to RabbitMQ. */
export class RabbitmqLink implements Link<RabbitmqPlace, Routed<RabbitmqReceipt>>, LaneHost {
  readonly hidden: readonly string[];
  readonly #connection: ChannelModel;
  readonly #hangUp: AbortController;
  readonly #wire: Wire;
  readonly #lanes: Lanes;
  readonly #silence = new Silence();
  readonly #learned: Learned;
  #isUsable = true;
  #isBlocked = false;

  constructor(connection: ChannelModel, hangUp: AbortController, options: RabbitmqLinkOptions) {
    this.hidden = options.hidden;
    this.#learned = new Learned(options.suspects);
    this.#lanes = new Lanes(this, this.#learned);
    this.#connection = connection;
    this.#hangUp = hangUp;
    this.#wire = new Wire(connection);
    this.#listen();
  }

  get isUsable(): boolean {
    return this.#isUsable && !this.#hangUp.signal.aborted;
  }

  get silentMs(): number {
    return this.#isBlocked ? 0 : this.#silence.ms;
  }

  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  publish(outgoing: Outgoing & RabbitmqPlace, attempt: Attempt): Promise<Routed<RabbitmqReceipt>> {
    return new Promise((resolve, reject) => {
      const message = messageOf(outgoing, this.#wire.frameMax);
      const { mostBytes } = this.#learned;
      if (message.body.length > mostBytes) throw tooLarge(message.body.length, mostBytes);
      if (!this.isUsable) throw new LostBroker("connection lost", "not-done");
      this.#deliver({ message, resolve, reject }, attempt);
    });
  }

  keepAlive(isNeeded: boolean): void {
    this.#wire.keepAlive(isNeeded);
  }

  async close(): Promise<void> {
    this.#isUsable = false;
    const { signal } = this.#hangUp;
    const hungUp = signal.aborted || once(signal, "abort");
    const timer = setTimeout(() => this.#hangUp.abort(), this.#silence.isLong ? 0 : closeMs);
    this.#connection.close().catch(() => this.#hangUp.abort());
    await hungUp;
    clearTimeout(timer);
  }

  createChannel(options: { readonly highWaterMark: number }): Promise<ConfirmChannel> {
    return this.#connection.createConfirmChannel(options);
  }

  sent(): void {
    // A message that is alone only loses time.
    if (this.#silence.isOwed) this.#wire.cork();
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
      this.#lanes.advance();
    });
    this.#connection.on("close", (error) => {
      this.#isUsable = false;
      this.#lanes.lose(reason ?? reasonOf(error));
      // The client only ends its half of the connection.
      this.#hangUp.abort();
    });
  }

  #deliver(waiting: Waiting, attempt: Attempt): void {
    const lane = this.#lanes.for(waiting.message);
    let isOver = false;
    attempt.onAbort(() => {
      isOver = true;
      const wasWaiting = lane.remove(waiting);
      // A broker that is out of memory says so, and is not gone.
      if (this.#silence.isLong && !this.#isBlocked) this.#isUsable = false;
      waiting.reject(new LostBroker("aborted"));
      return wasWaiting ? "not-done" : "unknown";
    });
    if (!isOver) lane.add(waiting);
  }
}
