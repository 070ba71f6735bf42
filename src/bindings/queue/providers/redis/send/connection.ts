import type { Redis } from "ioredis";
import type { Attempt } from "../../../../../runtime/executor.js";
import type { Outgoing } from "../../../send/broker.js";
import { LostBroker, UnknownAnswer } from "../../../send/failures.js";
import { Cork } from "../../../send/link/cork.js";
import type { Link } from "../../../send/link/shared-link.js";
import { Silence } from "../../../send/link/silence.js";
import type { RedisPlace, RedisReceipt } from "../contract.js";
import { addOnce, type EntryArguments, entryOf, idempotencyKeyOf } from "./entry.js";
import { classifyError } from "./failures.js";

/** An entry id: milliseconds and a sequence number, of 64 bits each. */
const entryId = /^\d{1,20}-\d{1,20}$/;

/** Time limit for closing the connection, in milliseconds. */
const closeMs = 2000;

/** A connection to Redis. */
export class RedisLink implements Link<RedisPlace, RedisReceipt> {
  readonly #redis: Redis;
  readonly #socket: Redis["stream"];
  readonly #abortController: AbortController;
  /** Maximum size of one value, in bytes. */
  readonly #bulkBytes: number;
  readonly #silence = new Silence();
  readonly #cork: Cork;
  /**
   * Actions that wait until the socket accepts more data, each with the function that rejects its
   * call.
   */
  readonly #waiting = new Map<() => void, (problem: LostBroker) => void>();
  #isUsable = true;

  constructor(redis: Redis, abortController: AbortController, bulkBytes: number) {
    this.#redis = redis;
    this.#socket = redis.stream;
    this.#abortController = abortController;
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
      const answered = (answer: unknown) => {
        const receipt = this.#receiptOf(stream, answer);
        if (receipt === undefined) reject(this.#strangeAnswer());
        else resolve(receipt);
      };
      const send = () => {
        // Only join writes if more messages are under way; a single message would only lose time.
        if (this.#silence.isOwed) this.#cork.add();
        this.#silence.asked();
        this.#add(stream, idempotencyKey, entry).then(answered, (error: unknown) =>
          reject(this.#classifyError(error)),
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
    const timer = setTimeout(
      () => this.#abortController.abort(),
      this.#silence.isLong ? 0 : closeMs,
    );
    await this.#redis.quit().catch(() => {});
    clearTimeout(timer);
    this.#abortController.abort();
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

  /** Returns undefined for an answer that is not the id of an entry. */
  #receiptOf(stream: string, answer: unknown): RedisReceipt | undefined {
    this.#silence.answered(1);
    // `addOnce` returns a list if the entry already existed.
    const isRepeated = Array.isArray(answer);
    const id: unknown = isRepeated ? answer[0] : answer;
    if (typeof id !== "string" || !entryId.test(id)) return undefined;
    return isRepeated ? { stream, id, repeated: true } : { stream, id };
  }

  /** Stops using the connection: a server that answers like this may answer the wrong commands. */
  #strangeAnswer(): UnknownAnswer {
    this.#isUsable = false;
    return new UnknownAnswer("the response of Redis to XADD is not the id of an entry");
  }

  #classifyError(error: unknown): Error {
    this.#silence.answered(1);
    const problem = classifyError(error);
    // After a failover, the host name leads to another server.
    if (problem instanceof LostBroker && problem.reason === "READONLY") this.#isUsable = false;
    return problem;
  }
}

function neverSent(): LostBroker {
  return new LostBroker("connection lost", "not-done");
}
