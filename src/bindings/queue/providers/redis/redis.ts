import { redisNames } from "@skillc/runtime/internal/queue";
import type { RedisReceipt } from "@skillc/runtime/v1/redis";
import { valueOf } from "../../../../core/syntax-node.js";
import {
  nameField,
  noTarget,
  type QueueProvider,
  type ReceiptField,
  textField,
  textKey,
  nameUnder,
} from "../provider.js";

export const redis: QueueProvider = {
  name: "redis",
  otherNames: ["redis-streams", "redis_streams", "redis-stream"],
  title: "Redis",
  server: "a Redis server",
  types: { publication: "RedisPublication", receipt: "RedisReceipt" },
  packages: ["ioredis"],
  keys: {
    topic: textKey("the stream"),
    maxlen: {
      description: "approximate maximum number of entries in the stream",
      type: "integer",
      minimum: 1,
      maximum: 1_000_000_000,
    },
  },
  ways: [["topic"]],
  instead: new Map([
    ["exchange", "Redis sends messages to a stream: name it with `topic`"],
    ["key", "a stream keeps all its messages in order"],
    ["routing_key", "a stream keeps all its messages in order"],
  ]),
  names: redisNames,
  readTarget(reading) {
    const stream = nameUnder(reading, "topic");
    if (stream === undefined) return noTarget(reading, "write `topic: …` beside it");
    const most = valueOf(reading.node, "maxlen");
    const length = most?.kind === "scalar" && typeof most.value === "number" ? [most.value] : [];
    return [
      { kind: "name", field: "stream", template: stream },
      ...length.map((value) => ({ kind: "fixed", field: "maxlen", value }) as const),
    ];
  },
  receiptOf: ({ idempotencyKey, target }) => ({
    ...always(target),
    ...(idempotencyKey && repeated),
  }),
  explains: {
    target: "Redis needs a stream, written as `topic`.",
    names: "A Redis stream may have any name that is not empty.",
    receipt: "`stream` and `id` (Redis, also `repeated` if the idempotency key was used before)",
  },
};

function always(
  target: Parameters<typeof nameField>[0],
): Record<Exclude<keyof RedisReceipt, "repeated">, ReceiptField> {
  const most = String(2n ** 64n - 1n);
  return {
    stream: nameField(target, "stream"),
    id: textField("^[0-9]+-[0-9]+$", "0-1", `${most}-${most}`),
  };
}

/** Without an idempotency key, Redis can't recognize a repetition. */
const repeated: Record<Extract<keyof RedisReceipt, "repeated">, ReceiptField> = {
  repeated: { type: "boolean", isOptional: true, schema: { const: true }, examples: [true, true] },
};
