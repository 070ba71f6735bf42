import { type OtherWords, plainWord } from "../../schema/other-words.js";

/** Names that MCP, OpenAI's tools, OpenAPI and HTTP clients have for what stands in a tool here. */
const forToolKeys: Readonly<Record<string, readonly string[]>> = {
  description: ["desc", "summary"],
  parameters: [
    "input_schema",
    "inputs",
    "input_parameters",
    "args",
    "args_schema",
    "arguments",
    "arguments_schema",
    "params_schema",
    "parameters_schema",
    "parameter_schema",
    "json_schema",
    "schema",
  ],
  returns: ["output_schema", "outputs", "result", "return_type", "returns_schema"],
};

/** Of these, the ones that could be no parameter's name. */
const onlyForToolKeys: ReadonlySet<string> = new Set(
  [
    "input_schema",
    "input_parameters",
    "args_schema",
    "arguments_schema",
    "params_schema",
    "parameters_schema",
    "parameter_schema",
    "output_schema",
    "returns_schema",
  ].map(plainWord),
);

/** The same, and those of clients of brokers, for bindings of any kind: a word means the first key that the kind has. A dot leads to a key inside another. */
const forBindingKeys: Readonly<Record<string, readonly string[]>> = {
  body_template: ["body", "json", "data", "payload", "json_body", "request_body"],
  query: ["params", "query_params", "query_parameters", "search_params", "sql", "statement"],
  message: ["body_template", "body", "payload", "value", "data", "json", "content", "event"],
  url: ["uri", "endpoint", "href"],
  provider: ["broker", "engine", "driver"],
  connection: ["url", "uri", "host", "server", "servers", "broker", "brokers", "bootstrap_servers"],
  topic: ["queue", "stream", "channel", "subject", "destination", "topic_name", "queue_name"],
  key: ["partition_key", "message_key", "record_key"],
  maxlen: ["max_length", "max_entries"],
  format: ["encoding", "serialization", "serializer", "content_type"],
  schema: ["schema_file", "schema_path", "message_schema"],
  registry: ["schema_registry", "schema_registry_url", "registry_url"],
  headers_mapping: ["headers", "message_headers"],
  headers: ["http_headers", "request_headers"],
  method: ["verb", "http_method"],
  read_only: ["effect", "read_only_hint", "side_effect", "side_effects"],
  effect: ["read_only", "read_only_hint", "side_effect", "side_effects", "safe"],
  timeout_ms: ["timeout", "timeout_seconds"],
  "retry.max_attempts": ["retries", "max_retries", "max_attempts", "attempts"],
  "retry.backoff_ms": ["backoff", "backoff_ms", "retry_delay"],
  "response_mapping.path": ["path", "response_path", "data_path", "result_path"],
  "response_mapping.error_path": ["error_path"],
  "response_mapping.status_codes": ["status_codes", "statuses"],
};

/** And for the values of a binding's keys, in lower case. */
const forBindingValues: Readonly<Record<string, readonly string[]>> = {
  json: ["json-schema", "json_schema", "jsonschema", "application/json"],
  avro: ["avsc", "avro/binary"],
  protobuf: ["proto", "proto2", "proto3", "pb", "protocol-buffers", "application/x-protobuf"],
  rabbitmq: ["amqp", "rabbit"],
  redis: ["redis-streams", "redis_streams", "redis-stream"],
};

/** What authors write for a binding's type, in lower case, and what to write for it. */
const forBindingTypes: Readonly<Record<string, readonly string[]>> = {
  "type: http": ["rest", "https", "api", "request", "fetch", "webhook", "url"],
  "type: sql": ["postgres", "postgresql", "pg", "database", "db", "query"],
  "type: queue": ["messages", "messaging", "broker", "event", "events", "pubsub", "publish"],
  "type: queue` and `provider: kafka": ["kafka"],
  "type: queue` and `provider: rabbitmq": ["rabbitmq", "rabbit", "amqp"],
  "type: queue` and `provider: redis": ["redis", "redis-streams", "redis-stream"],
};

/** What to write in place of a binding's type that there isn't: `type: queue`. */
export function typeInOtherWords(name: string): string | undefined {
  const word = name.toLowerCase();
  return Object.keys(forBindingTypes).find((type) => forBindingTypes[type]?.includes(word));
}

export const toolWords: OtherWords = wordsOf(forToolKeys);
export const bindingWords: OtherWords = wordsOf(forBindingKeys);
export const bindingValues: ReadonlyMap<string, string> = new Map(
  Object.entries(forBindingValues).flatMap(([value, words]) =>
    words.map((word) => [word, value] as const),
  ),
);

function wordsOf(table: Readonly<Record<string, readonly string[]>>): OtherWords {
  const meant = new Map<string, (readonly string[])[]>();
  for (const [key, words] of Object.entries(table)) {
    for (const word of words.map(plainWord)) {
      const keys = meant.get(word) ?? [];
      meant.set(word, keys);
      keys.push(key.split("."));
    }
  }
  return meant;
}

/** Whether it is another word for a tool's key, and never a name for a parameter. */
export function isOnlyToolWord(key: string): boolean {
  return onlyForToolKeys.has(plainWord(key));
}
