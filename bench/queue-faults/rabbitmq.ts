import { requestInvoice, requestLabel, requestRefund } from "../../generated/order-events/index.js";
import { startProxy } from "../../test/bindings/queue/support/proxy.js";
import type { TestRabbitmq } from "../../test/bindings/queue/support/rabbitmq.js";
import { avroField, jsonField, protobufField } from "./decode.js";
import { limitOfOne, limitOfThree, type Subject, type SubjectTool } from "./subject.js";

const queues = [
  ["refunds", avroField("refund.avsc", "order_id")],
  ["labels", protobufField("LabelRequested", "order_id")],
  ["invoices", jsonField("order")],
] as const;

const tools: readonly SubjectTool[] = [
  {
    name: "request-refund",
    limitMs: limitOfThree,
    mayRepeat: true,
    call(order_id, options) {
      const refund = { amount: "0.05", reason: "late", requested_on: "2026-07-25" } as const;
      return requestRefund({ refund_id: order_id, order_id, ...refund }, options);
    },
  },
  {
    name: "request-label",
    limitMs: limitOfOne,
    mayRepeat: false,
    call(order_id, options) {
      const to = { recipient: "Zoë O'Hara", address_lines: ["1 Main St"] };
      return requestLabel({ order_id, ...to }, options);
    },
  },
  {
    name: "request-invoice",
    limitMs: limitOfOne,
    mayRepeat: false,
    call: (order_id, options) => requestInvoice({ order_id }, options),
  },
];

/** @param rabbitmq an empty RabbitMQ that no other test uses; the caller closes it */
export async function rabbitmqSubject(rabbitmq: TestRabbitmq): Promise<Subject> {
  const { port } = rabbitmq;
  const proxy = await startProxy({ port });
  await declareQueues(rabbitmq);
  return {
    provider: "rabbitmq",
    credentials: { ORDER_EVENTS_AMQP: `amqp://guest:guest@127.0.0.1:${proxy.port}` },
    proxy,
    broker: {
      restartEvery: 6,
      kill: () => rabbitmq.kill(),
      start: () => rabbitmq.start(),
    },
    tools,
    note: "durable queues, persistent messages; a restart kills the broker's process",
    async read() {
      const read = async ([queue, idOf]: (typeof queues)[number]) =>
        (await rabbitmq.drain(queue)).map(({ content }) => idOf(content));
      return (await Promise.all(queues.map(read))).flat();
    },
  };
}

async function declareQueues(rabbitmq: TestRabbitmq): Promise<void> {
  await rabbitmq.side(async (channel) => {
    await channel.assertExchange("billing", "topic", { durable: true });
    for (const [queue] of queues) await channel.assertQueue(queue, { durable: true });
    await channel.bindQueue("refunds", "billing", "refund.#");
    await channel.bindQueue("invoices", "billing", "invoice");
  });
}
