import type { JsonSchema, JsonValue } from "../../core/json.js";
import { literalText, type TextTemplate } from "../text-template.js";
import type { KafkaReceipt, RabbitmqReceipt, RedisReceipt } from "@skillc/runtime/v1/queue";
import type { QueueConfig } from "./model.js";

/** What a success of one tool carries when it declares no `returns`. */
export interface Receipt {
  /** `Kafka` */
  readonly provider: string;
  readonly fields: Readonly<Record<string, ReceiptField>>;
}

export interface ReceiptField {
  readonly type: "string" | "integer" | "boolean";
  /** Whether some receipts don't have it. */
  readonly isOptional?: true;
  /** The values that it may have; undefined for a name that is made for each call. */
  readonly schema?: JsonSchema;
  /** Two of them, as far apart as they get. */
  readonly examples: readonly [least: JsonValue, most: JsonValue];
}

/** The receipts of a tool. */
export function receiptOf({ idempotencyKey, target }: QueueConfig): Receipt {
  switch (target.kind) {
    case "kafka":
      return { provider: "Kafka", fields: kafkaFields(target.topic) };
    case "rabbitmq":
      return { provider: "RabbitMQ", fields: rabbitmqFields(target) };
    case "redis":
      return {
        provider: "Redis",
        fields: { ...redisFields(target.stream), ...(idempotencyKey && repeatedField) },
      };
  }
}

function kafkaFields(topic: TextTemplate): Record<keyof KafkaReceipt, ReceiptField> {
  return {
    topic: nameField(topic),
    partition: integerField(0, 2 ** 31 - 1),
    offset: textField("^[0-9]+$", "0", String(2n ** 63n - 1n)),
  };
}

function rabbitmqFields({
  exchange,
  routingKey,
}: Extract<QueueConfig["target"], { kind: "rabbitmq" }>): Record<
  keyof RabbitmqReceipt,
  ReceiptField
> {
  return {
    exchange: exchange === undefined ? fixedField("") : nameField(exchange),
    routing_key: nameField(routingKey),
    delivery_tag: integerField(1, Number.MAX_SAFE_INTEGER),
  };
}

function redisFields(
  stream: TextTemplate,
): Record<Exclude<keyof RedisReceipt, "repeated">, ReceiptField> {
  const most = String(2n ** 64n - 1n);
  return {
    stream: nameField(stream),
    id: textField("^[0-9]+-[0-9]+$", "0-1", `${most}-${most}`),
  };
}

/** Without an idempotency key nothing is known to be repeated. */
const repeatedField: Record<Extract<keyof RedisReceipt, "repeated">, ReceiptField> = {
  repeated: { type: "boolean", isOptional: true, schema: { const: true }, examples: [true, true] },
};

function nameField(template: TextTemplate): ReceiptField {
  const text = literalText(template);
  return text === undefined ? { type: "string", examples: ["", ""] } : fixedField(text);
}

function fixedField(text: string): ReceiptField {
  return { type: "string", schema: { const: text }, examples: [text, text] };
}

function textField(pattern: string, least: string, most: string): ReceiptField {
  return { type: "string", schema: { type: "string", pattern }, examples: [least, most] };
}

function integerField(minimum: number, maximum: number): ReceiptField {
  return {
    type: "integer",
    schema: { type: "integer", minimum, maximum },
    examples: [minimum, maximum],
  };
}
