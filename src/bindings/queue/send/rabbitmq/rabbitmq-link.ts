import { once } from "node:events";
import type { Writable } from "node:stream";
import type { ChannelModel, ConfirmChannel } from "amqplib";
import type { Attempt } from "../../../../runtime/sink.js";
import type { RabbitmqReceipt } from "../../contract.js";
import type { Outgoing, RabbitmqPlace, Routed } from "../broker.js";
import { LostBroker } from "../faults.js";
import { Batch } from "../link/batch.js";
import type { Link } from "../link/link.js";
import { Silence } from "../link/silence.js";
import type { Waiting } from "./delivery.js";
import { Lane, type LaneHost } from "./lane.js";
import { messageOf, type RabbitmqMessage } from "./message.js";
import { reasonOf, tooLarge } from "./refusals.js";

/** Larger messages go one at a time, apart from the rest: one that is too large closes its channel. */
const largeBytes = 1_048_576;

/** Channels that a connection keeps for exchanges that it is not publishing to. RabbitMQ allows 2047 in all. */
const keptLanes = 64;

/** What a closing handshake may take. */
const closeMs = 2000;

/** The least that a connection's frames may be limited to. */
const leastFrame = 4096;

interface ClientConnection {
  readonly frameMax: number;
  readonly stream: Writable;
}

/** The client collects frames for a tick, and writes them in the phase for immediates. */
function afterWrites(handOver: () => void): void {
  process.nextTick(() => setImmediate(handOver));
}

/** A connection to RabbitMQ. */
export class RabbitmqLink implements Link<RabbitmqPlace, Routed<RabbitmqReceipt>>, LaneHost {
  readonly #connection: ChannelModel;
  readonly #hangUp: AbortController;
  readonly #frameMax: number;
  readonly #batch: Batch | undefined;
  readonly #lanes = new Map<string, Lane>();
  readonly #silence = new Silence();
  #isUsable = true;
  #isBlocked = false;
  #largest = Number.POSITIVE_INFINITY;

  constructor(connection: ChannelModel, hangUp: AbortController) {
    this.#connection = connection;
    this.#hangUp = hangUp;
    // The client's own, which its types leave out.
    const { frameMax, stream } = connection.connection as Partial<ClientConnection>;
    this.#frameMax = frameMax ?? leastFrame;
    this.#batch = stream && new Batch(stream, afterWrites);
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
      const message = messageOf(outgoing, this.#frameMax);
      const { length } = message.body;
      if (length > this.#largest) throw tooLarge(length, this.#largest);
      if (!this.isUsable) throw new LostBroker("connection lost");
      this.#deliver({ message, resolve, reject }, attempt);
    });
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
    if (this.#silence.isOwed) this.#batch?.add();
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

  limitLearned(bytes: number): void {
    this.#largest = bytes;
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
      for (const lane of this.#lanes.values()) lane.advance();
    });
    this.#connection.on("close", (error) => {
      this.#isUsable = false;
      for (const lane of this.#lanes.values()) lane.lose(reason ?? reasonOf(error));
      // The client only ends its half of the connection.
      this.#hangUp.abort();
    });
  }

  #deliver(waiting: Waiting, attempt: Attempt): void {
    const lane = this.#laneOf(waiting.message);
    let isOver = false;
    attempt.onAbort(() => {
      isOver = true;
      lane.remove(waiting);
      // A broker that is out of memory says so, and is not gone.
      if (this.#silence.isLong && !this.#isBlocked) this.#isUsable = false;
      waiting.reject(new LostBroker("aborted"));
    });
    if (!isOver) lane.add(waiting);
  }

  #laneOf({ exchange, body }: RabbitmqMessage): Lane {
    const oneByOne = body.length > largeBytes;
    const name = `${oneByOne ? "large" : "any"} ${exchange}`;
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    this.#closeIdle();
    const lane = new Lane(this, { oneByOne });
    this.#lanes.set(name, lane);
    return lane;
  }

  #closeIdle(): void {
    for (const [name, lane] of this.#lanes) {
      if (this.#lanes.size < keptLanes) return;
      if (!lane.isIdle) continue;
      this.#lanes.delete(name);
      lane.close();
    }
  }
}
