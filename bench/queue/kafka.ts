/** `announce-order-created`: Avro, with a key, on Kafka. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import avro from "avsc";
import kafkajs, { type Message, type Producer } from "kafkajs";
import {
  announceOrderCreated,
  type AnnounceOrderCreatedParams,
} from "../../generated/order-events/index.js";
import { repair } from "../../src/bindings/queue/providers/kafka/send/repair.js";
import { repository } from "../../test/support/repository.js";
import { startMockKafka } from "./mock-kafka.js";
import type { Publishing } from "./publishing.js";

const topic = "orders.created";
const settings = { topic, acks: -1 };

const file = `${repository}skills/order-events/order-created.avsc`;
// The library checks the content of the file.
const schema = avro.Type.forSchema(JSON.parse(readFileSync(file, "utf8")) as avro.Schema);

export async function openKafka(callers: number): Promise<Publishing> {
  const kafka = await startMockKafka();
  const client = new kafkajs.Kafka({
    brokers: [`127.0.0.1:${kafka.port}`],
    logLevel: kafkajs.logLevel.NOTHING,
  });
  // The mock cluster names no controller, and kafkajs can't create an idempotent producer without
  // one.
  repair(client);
  const producer = client.producer({
    idempotent: true,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  const orders = Array.from({ length: callers }, order);
  const messageOf = (caller: number) => message(orders[caller] ?? order());
  const inBatches = batching(producer);
  return {
    name: "Kafka in memory, Avro",
    credentials: { ORDER_EVENTS_KAFKA: `kafka://127.0.0.1:${kafka.port}` },
    generated: (caller, runtime) => announceOrderCreated(orders[caller] ?? order(), { runtime }),
    hand: {
      how: "avsc, and `producer.send` of each message on one idempotent producer of kafkajs, acks -1",
      publish: (caller) => producer.send({ ...settings, messages: [messageOf(caller)] }),
    },
    handForMany: {
      how: "avsc, and `producer.send` of all messages that came while the last one ran, acks -1",
      publish: (caller) => inBatches(messageOf(caller)),
    },
    published: () => kafka.read(topic),
    async close() {
      await producer.disconnect();
      await kafka.close();
    },
  };
}

function order(): AnnounceOrderCreatedParams {
  return {
    order_id: randomUUID(),
    customer_id: 1_001,
    total: "12.50",
    currency: "EUR",
    created_at: "2026-07-25T10:11:12.345Z",
    lines: [
      { sku: "MUG-BLUE", quantity: 2 },
      { sku: "TEA-GREEN", quantity: 1 },
    ],
    note: "leave at the door",
  };
}

function message(params: AnnounceOrderCreatedParams): Message {
  const value = schema.toBuffer({
    ...params,
    total: unscaled(params.total),
    created_at: Date.parse(params.created_at),
    note: params.note ?? null,
    channel: "agent",
  });
  const headers = {
    correlation_id: params.order_id,
    source: "order-events",
    "content-type": "avro/binary",
  };
  return { key: params.order_id, value, headers };
}

/**
 * Encodes Avro's `decimal` with two decimal places: two's complement, in as few bytes as possible.
 */
function unscaled(amount: string): Buffer {
  const hex = Number(amount.replace(".", "")).toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Buffer.from(even < "8" ? even : `00${even}`, "hex");
}

interface Waiting {
  readonly message: Message;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects messages while a request is under way. kafkajs sends each message of an idempotent
 * producer alone, one after the other, and an expert would avoid that.
 */
function batching(producer: Producer): (message: Message) => Promise<void> {
  let waiting: Waiting[] = [];
  let isSending = false;
  const sendAll = async () => {
    isSending = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const messages = batch.map((each) => each.message);
      await producer.send({ ...settings, messages }).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      );
    }
    isSending = false;
  };
  return (message) =>
    new Promise((resolve, reject) => {
      waiting.push({ message, resolve, reject });
      if (!isSending) void sendAll();
    });
}
