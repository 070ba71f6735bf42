import type { Redis } from "ioredis";
import type { Attempt } from "../../../../runtime/sink.js";
import type { RedisReceipt } from "../../contract.js";
import type { Outgoing, RedisPlace } from "../broker.js";
import { LostBroker } from "../faults.js";
import { Cork } from "../link/cork.js";
import type { Link } from "../link/link.js";
import { Silence } from "../link/silence.js";
import { addOnce } from "./add-once.js";
import { type EntryArguments, entryOf, idempotencyKeyOf } from "./entry.js";
import { faultOf } from "./refusals.js";

/** What a farewell may take. */
const closeMs = 2000;

/** A connection to Redis. */
export class RedisLink implements Link<RedisPlace, RedisReceipt> {
  readonly #redis: Redis;
  readonly #socket: Redis["stream"];
  readonly #hangUp: AbortController;
  /** Of one value. */
  readonly #bulkBytes: number;
  readonly #silence = new Silence();
  readonly #cork: Cork;
  /** Sends what waits until the socket takes more; with each, what rejects its call. */
  readonly #waiting = new Map<() => void, (fault: LostBroker) => void>();
  #isUsable = true;

  constructor(redis: Redis, hangUp: AbortController, bulkBytes: number) {
    this.#redis = redis;
    this.#socket = redis.stream;
    this.#hangUp = hangUp;
    this.#bulkBytes = bulkBytes;
    this.#cork = new Cork(redis.stream, (handOver) => process.nextTick(handOver));
    redis.stream.on("drain", () => this.#advance());
    redis.once("end", () => this.#end());
  }

  get isUsable(): boolean {
    return this.#isUsable && this.#redis.status === "ready";
  }

  get silentMs(): number {
    return this.#silence.ms;
  }

  publish(outgoing: Outgoing & RedisPlace, attempt: Attempt): Promise<RedisReceipt> {
    const { stream, idempotencyKey } = outgoing;
    return new Promise((resolve, reject) => {
      const entry = entryOf(outgoing, this.#bulkBytes);
      if (!this.isUsable) throw neverSent();
      let isOver = false;
      const send = () => {
        // A message that is alone only loses time.
        if (this.#silence.isOwed) this.#cork.add();
        this.#silence.asked();
        this.#add(stream, idempotencyKey, entry).then(
          (answer) => resolve(this.#receiptOf(stream, answer)),
          (error: unknown) => reject(this.#faultOf(error)),
        );
      };
      attempt.onAbort(() => {
        isOver = true;
        const wasWaiting = this.#waiting.delete(send);
        if (this.#silence.isLong) this.#isUsable = false;
        reject(new LostBroker("aborted"));
        return wasWaiting ? "not-done" : "unknown";
      });
      if (isOver) return;
      if (this.#socket.writableNeedDrain) this.#waiting.set(send, reject);
      else send();
    });
  }

  keepAlive(isNeeded: boolean): void {
    if (isNeeded) this.#socket.ref();
    else this.#socket.unref();
  }

  async close(): Promise<void> {
    this.#isUsable = false;
    const timer = setTimeout(() => this.#hangUp.abort(), this.#silence.isLong ? 0 : closeMs);
    await this.#redis.quit().catch(() => {});
    clearTimeout(timer);
    this.#hangUp.abort();
  }

  #add(stream: string, key: string | undefined, entry: EntryArguments): Promise<unknown> {
    if (key === undefined) return this.#redis.xadd(stream, ...entry);
    return addOnce(this.#redis, stream, idempotencyKeyOf(stream, key), entry);
  }

  #advance(): void {
    for (const send of this.#waiting.keys()) {
      if (this.#socket.writableNeedDrain) return;
      this.#waiting.delete(send);
      send();
    }
  }

  #end(): void {
    this.#isUsable = false;
    for (const reject of this.#waiting.values()) reject(neverSent());
    this.#waiting.clear();
  }

  #receiptOf(stream: string, answer: unknown): RedisReceipt {
    this.#silence.answered(1);
    // A list is what `addOnce` gives for an entry that was there.
    if (Array.isArray(answer)) return { stream, id: String(answer[0]), repeated: true };
    return { stream, id: String(answer) };
  }

  #faultOf(error: unknown): Error {
    this.#silence.answered(1);
    const fault = faultOf(error);
    // After a failover the name leads to another server.
    if (fault instanceof LostBroker && fault.reason === "READONLY") this.#isUsable = false;
    return fault;
  }
}

function neverSent(): LostBroker {
  return new LostBroker("connection lost", "not-done");
}
