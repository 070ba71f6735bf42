import type { JsonObject } from "../../core/json.js";
import type { OtherBindingWords } from "../../kit/binding.js";
import { connectionForEditors } from "../../kit/read-connection.js";
import { defaultProvider, providers } from "./providers/registry.js";
import { targetForEditors, targetKeys } from "./target.js";

const text = { type: "string", minLength: 1 } as const;

/**
 * Schema of the keys of a queue binding, beyond those of every binding. `resolve` checks which keys
 * a provider has.
 */
export const queueSchema: JsonObject = {
  ...targetForEditors,
  properties: {
    provider: {
      description: "The kind of message broker.",
      enum: providers.map(({ name }) => name),
      default: defaultProvider.name,
    },
    connection: {
      ...connectionForEditors,
      description: "The setting that holds the broker's URL: `${ORDER_EVENTS}`.",
      type: "string",
    },
    ...targetKeys,
    message: { description: "The message. By default an object with all parameters." },
    format: {
      description: "Encoding of the message.",
      enum: ["json", "avro", "protobuf"],
      default: "json",
    },
    schema: {
      ...text,
      description:
        "Schema of the message. For Avro `./order.avsc`, for Protobuf `./orders.proto#acme.Order`, for JSON an optional JSON Schema.",
    },
    registry: {
      ...connectionForEditors,
      description:
        "For Avro: the setting that holds the URL of a schema registry: `${SCHEMA_REGISTRY_URL}`.",
      type: "string",
    },
    headers_mapping: {
      description:
        "Headers of the message, by name. If `correlation_id` or `source` is absent, skillc adds it.",
      type: "object",
      additionalProperties: { type: "string" },
    },
    idempotency: {
      type: "object",
      description: "A key by which consumers or the broker recognize a repeated message.",
      required: ["key"],
      additionalProperties: false,
      properties: { key: { ...text, description: "The key: `{order_id}`." } },
    },
  },
  required: ["connection"],
};

/**
 * Words that brokers' clients and HTTP bindings use for these keys, for suggestions in diagnostics.
 */
export const queueOtherWords: OtherBindingWords = {
  keys: {
    message: ["body_template", "body", "payload", "value", "data", "json", "content", "event"],
    provider: ["broker", "engine", "driver"],
    connection: [
      "url",
      "uri",
      "host",
      "server",
      "servers",
      "broker",
      "brokers",
      "bootstrap_servers",
    ],
    topic: ["queue", "stream", "channel", "subject", "destination", "topic_name", "queue_name"],
    key: ["partition_key", "message_key", "record_key"],
    maxlen: ["max_length", "max_entries"],
    format: ["encoding", "serialization", "serializer", "content_type"],
    schema: ["schema_file", "schema_path", "message_schema"],
    registry: ["schema_registry", "schema_registry_url", "registry_url"],
    headers_mapping: ["headers", "message_headers"],
  },
  values: {
    json: ["json-schema", "json_schema", "jsonschema", "application/json"],
    avro: ["avsc", "avro/binary"],
    protobuf: ["proto", "proto2", "proto3", "pb", "protocol-buffers", "application/x-protobuf"],
    ...Object.fromEntries(providers.map(({ name, otherNames }) => [name, otherNames])),
  },
  types: [
    { words: ["messages", "messaging", "broker", "event", "events", "pubsub", "publish"] },
    ...providers.map(({ name, otherNames }) => ({
      words: [name, ...otherNames],
      beside: [`provider: ${name}`],
    })),
  ],
};
