import { type JetStreamClient, jetstream, type PubAck } from "@nats-io/jetstream";
import {
  headers as emptyHeaders,
  type MsgHdrs,
  type NatsConnection,
} from "@nats-io/transport-node";
import type { Attempt } from "../../../../../runtime/executor.js";
import type { Outgoing } from "../../../send/broker.js";
import { LostBroker, RejectedMessage } from "../../../send/failures.js";
import { headerNamed } from "../../../send/headers.js";
import type { Link } from "../../../send/link/shared-link.js";
import { Silence } from "../../../send/link/silence.js";
import type { NatsPlace, NatsReceipt } from "../contract.js";
import { publishError, strangeAnswer } from "./failures.js";
import { socketOf } from "./nats-internals.js";

/** Time limit for closing the connection, in milliseconds. */
const closeMs = 2000;

/** A server that acknowledges nothing for this long is considered lost, in milliseconds. */
const maxMs = 20_000;

/**
 * The client's timeout is later than the call's own by this much, so that the call's timeout comes
 * first.
 */
const behindMs = 1000;

/** A connection to NATS. */
export class NatsLink implements Link<NatsPlace, NatsReceipt> {
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #socket: ReturnType<typeof socketOf>;
  readonly #abortController: AbortController;
  readonly #silence = new Silence();
  #isUsable = true;

  constructor(connection: NatsConnection, abortController: AbortController) {
    this.#connection = connection;
    this.#client = jetstream(connection);
    this.#socket = socketOf(connection);
    this.#abortController = abortController;
    abortController.signal.addEventListener("abort", () => this.#cut(), { once: true });
  }

  get isUsable(): boolean {
    return this.#isUsable && !this.#connection.isClosed() && this.#socket?.destroyed !== true;
  }

  get silentMs(): number {
    return this.#silence.ms;
  }

  async publish(outgoing: Outgoing & NatsPlace, attempt: Attempt): Promise<NatsReceipt> {
    const { body, idempotencyKey, subject } = outgoing;
    this.#requireRoom(body);
    const headers = headersOf(outgoing);
    if (!this.isUsable) throw new LostBroker("connection lost", "not-done");
    return new Promise((resolve, reject) => {
      let isOver = false;
      attempt.onAbort(() => {
        const wasSent = !isOver;
        isOver = true;
        if (this.#silence.isLong) this.#isUsable = false;
        reject(new LostBroker("aborted"));
        return wasSent ? "unknown" : "not-done";
      });
      if (isOver) return;
      this.#silence.asked();
      this.#client
        .publish(subject, body, {
          headers,
          timeout: Math.min(attempt.remainingMs ?? maxMs, maxMs) + behindMs,
          ...(idempotencyKey !== undefined && { msgID: idempotencyKey }),
        })
        .finally(() => this.#silence.answered(1))
        .then(receiptOf)
        .then(resolve, (error: unknown) => reject(publishError(error)));
    });
  }

  keepAlive(isNeeded: boolean): void {
    if (isNeeded) this.#socket?.ref();
    else this.#socket?.unref();
  }

  async close(): Promise<void> {
    this.#isUsable = false;
    const timer = setTimeout(
      () => this.#abortController.abort(),
      this.#silence.isLong ? 0 : closeMs,
    );
    await this.#connection.close().catch(() => {});
    clearTimeout(timer);
    this.#abortController.abort();
  }

  #cut(): void {
    this.#isUsable = false;
    this.#socket?.destroy();
    void this.#connection.close().catch(() => {});
  }

  /** @throws RejectedMessage for a message for which the server would end the connection */
  #requireRoom({ byteLength }: Uint8Array): void {
    const most = this.#connection.info?.max_payload ?? Infinity;
    if (byteLength > most)
      throw new RejectedMessage(
        `the message has ${byteLength} bytes, but NATS accepts at most ${most} (max_payload)`,
      );
  }
}

/**
 * @throws RejectedMessage for a line break, which ends a header in NATS, and for blanks, which NATS
 *   drops
 */
function headersOf({ contentType, headers, idempotencyKey = "" }: Outgoing): MsgHdrs {
  if (/[\r\n]/.test(idempotencyKey))
    throw new RejectedMessage(
      "the idempotency key has a line break, which a NATS header can't carry",
    );
  const all = emptyHeaders();
  const add = (name: string, value: string) => {
    if (/[\r\n]/.test(value))
      throw new RejectedMessage("a header has a line break, which a NATS header can't carry");
    if (value !== value.trim())
      throw new RejectedMessage("a header starts or ends with a space, which NATS would remove");
    all.append(name, value);
  };
  for (const [name, value] of headers) add(name, value);
  if (headerNamed(headers, "content-type") === undefined) add("content-type", contentType);
  return all;
}

/** @throws UnknownAnswer */
function receiptOf({ duplicate, seq, stream }: Partial<PubAck>): NatsReceipt {
  if (typeof stream !== "string" || typeof seq !== "number") throw strangeAnswer();
  return { stream, seq, duplicate: duplicate === true };
}
