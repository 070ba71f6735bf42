import {
  announceOrderCreated,
  announceOrderShipped,
  announceStockLevel,
} from "../../generated/order-events/index.js";
import { startKafkaProxy, type TestKafka } from "../../test/bindings/queue/support/kafka.js";
import { avroField, jsonField, protobufField } from "./decode.js";
import { limitOfOne, limitOfThree, type Subject, type SubjectTool } from "./subject.js";

const topics = [
  ["orders.created", avroField("order-created.avsc", "order_id")],
  ["orders.shipped", protobufField("OrderShipped", "order_id")],
  ["stock.levels", jsonField("sku")],
] as const;

const now = "2026-07-25T10:11:12.345Z";

/**
 * A real broker recognizes a repeated message by its producer and sequence number. The mock cluster
 * writes it again.
 */
const mayRepeat = true;

const tools: readonly SubjectTool[] = [
  {
    name: "announce-order-created",
    limitMs: limitOfOne,
    mayRepeat,
    call(order_id, options) {
      const lines = [{ sku: "MUG", quantity: 2 }];
      const order = { customer_id: 7, total: "12.50", currency: "EUR", created_at: now } as const;
      return announceOrderCreated({ order_id, ...order, lines }, options);
    },
  },
  {
    name: "announce-order-shipped",
    limitMs: limitOfOne,
    mayRepeat,
    call(order_id, options) {
      const parcels = [{ id: "p1", grams: 400 }];
      const shipment = { carrier: "CARRIER_POST", shipped_at: now, parcels } as const;
      return announceOrderShipped({ order_id, ...shipment }, options);
    },
  },
  {
    name: "announce-stock-level",
    limitMs: limitOfThree,
    mayRepeat,
    call: (sku, options) => announceStockLevel({ sku, available: 3 }, options),
  },
];

/** @param kafka an empty Kafka that no other test uses; the caller closes it */
export async function kafkaSubject(kafka: TestKafka): Promise<Subject> {
  const proxy = await startKafkaProxy(kafka);
  return {
    provider: "kafka",
    credentials: { ORDER_EVENTS_KAFKA: `kafka://127.0.0.1:${proxy.port}` },
    proxy,
    tools,
    note: "librdkafka's mock cluster keeps nothing when it ends, so its proxy fails and the broker is not restarted; nor does it know an idempotent producer's repetitions",
    async read() {
      const read = async ([topic, idOf]: (typeof topics)[number]) =>
        (await kafka.read(topic)).map(({ body }) => idOf(body));
      return (await Promise.all(topics.map(read))).flat();
    },
  };
}
