/** `request-label`: Protobuf, to a queue of RabbitMQ by the default exchange. */
import { randomUUID } from "node:crypto";
import { connect, type ConfirmChannel, type GetMessage } from "amqplib";
import { requestLabel } from "../../generated/order-events/index.js";
import { orderType } from "../../test/bindings/queue/support/order-type.js";
import { startRabbitmq } from "../../test/bindings/queue/support/rabbitmq.js";
import { type Publishing, withoutIds } from "./publishing.js";

const queue = "labels";
/**
 * Limits the queue, so that it doesn't grow from round to round. RabbitMQ drops the oldest
 * messages.
 */
const limits = { "x-max-length": 1000 };

const params = {
  order_id: randomUUID(),
  recipient: "Ada Lovelace",
  address_lines: ["12 St James's Square", "London", "SW1Y 4JH"],
};

interface Queue {
  /** True if RabbitMQ writes a message to disk before it confirms the message. */
  readonly isDurable: boolean;
}

export async function openRabbitmq({ isDurable }: Queue): Promise<Publishing> {
  const rabbitmq = await startRabbitmq();
  const options = { durable: isDurable, arguments: limits };
  await rabbitmq.side((channel) => channel.assertQueue(queue, options));
  const connection = await connect(rabbitmq.url, { noDelay: true });
  const channel = await connection.createConfirmChannel();
  const label = orderType("LabelRequested");
  return {
    name: `RabbitMQ ${isDurable ? "on disk" : "in memory"}, Protobuf`,
    credentials: { ORDER_EVENTS_AMQP: rabbitmq.url },
    generated: (_, runtime) => requestLabel(params, { runtime }),
    hand: {
      how: "protobufjs, and `publish` with a callback on one confirm channel of amqplib, mandatory and persistent",
      publish: () => publish(channel, label.encode(params).finish()),
    },
    published: async () => (await rabbitmq.drain(queue)).map(textOf),
    async close() {
      await connection.close();
      await rabbitmq.close();
    },
  };
}

function publish(channel: ConfirmChannel, bytes: Uint8Array): Promise<void> {
  const correlationId = randomUUID();
  const options = {
    persistent: true,
    mandatory: true,
    contentType: "application/x-protobuf",
    messageId: randomUUID(),
    correlationId,
    headers: { correlation_id: correlationId, source: "order-events/request-label" },
  };
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Promise((resolve, reject) => {
    channel.publish("", queue, body, options, (error: unknown) => {
      if (error) reject(error instanceof Error ? error : new Error("refused"));
      else resolve();
    });
  });
}

function textOf({ content, fields, properties }: GetMessage): string {
  const { exchange, routingKey } = fields;
  return `${exchange}, ${routingKey}, ${withoutIds(properties)}, ${content.toString("hex")}`;
}
