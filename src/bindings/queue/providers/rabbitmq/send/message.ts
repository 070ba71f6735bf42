import { randomUUID } from "node:crypto";
import type { Options } from "amqplib";
import type { Outgoing } from "../../../send/broker.js";
import { RejectedMessage } from "../../../send/failures.js";
import { headerNamed } from "../../../send/headers.js";
import type { RabbitmqPlace } from "../contract.js";

/** AMQP's limit on names and short properties, in bytes. */
const shortBytes = 255;

/** amqplib encodes a table of headers into a buffer of this size. */
const clientTableBytes = 65_536;

/** Bytes of a header beside its name and its value. */
const fieldBytes = 6;

/** Maximum number of UTF-8 bytes for one UTF-16 unit. */
const maxUtf8 = 3;

/** Maximum size of the other properties in the header frame, in bytes. */
const otherPropertiesBytes = 2048;

/** A message in the form of amqplib. */
export interface RabbitmqMessage extends RabbitmqPlace {
  readonly body: Buffer;
  readonly options: Options.Publish & { readonly messageId: string };
}

/**
 * @param frameMax largest frame of the connection, in bytes
 * @throws RejectedMessage for a message that AMQP can't carry: too long a name would break the
 *   channel, too many headers the connection
 */
export function messageOf(outgoing: Outgoing & RabbitmqPlace, frameMax: number): RabbitmqMessage {
  const { body, contentType, headers, exchange, routingKey } = outgoing;
  const messageId = outgoing.idempotencyKey ?? randomUUID();
  const correlationId = headerNamed(headers, "correlation_id");
  requireShort("exchange", exchange);
  requireShort("routing key", routingKey);
  requireShort("idempotency key", messageId);
  requireShort("content type", contentType);
  if (correlationId !== undefined) requireShort("correlation id", correlationId);
  requireSmallHeaders(headers, frameMax);
  return {
    exchange,
    routingKey,
    body: Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    options: {
      persistent: true,
      mandatory: true,
      contentType,
      messageId,
      ...(correlationId !== undefined && { correlationId }),
      headers: Object.fromEntries(headers),
    },
  };
}

function requireShort(what: string, text: string): void {
  if (text.length * maxUtf8 <= shortBytes) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > shortBytes)
    throw new RejectedMessage(
      `the ${what} has ${bytes} bytes, but RabbitMQ accepts at most ${shortBytes}`,
    );
}

function requireSmallHeaders(headers: Outgoing["headers"], frameMax: number): void {
  const limit = Math.min(clientTableBytes, frameMax - otherPropertiesBytes);
  let most = 0;
  for (const [name, value] of headers) {
    requireShort("name of a header", name);
    most += (name.length + value.length) * maxUtf8 + fieldBytes;
  }
  if (most <= limit) return;
  const each = headers.map(([name, value]) => Buffer.byteLength(name) + Buffer.byteLength(value));
  const bytes = each.reduce((sum, next) => sum + next + fieldBytes, 0);
  if (bytes > limit)
    throw new RejectedMessage(
      `the headers have ${bytes} bytes, but RabbitMQ accepts at most ${limit}`,
    );
}
