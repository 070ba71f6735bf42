import { type OtherWords, plainWord } from "../../schema/other-words.js";

type Words = Readonly<Record<string, readonly string[]>>;

/** What authors write who know MCP, OpenAI's tools, OpenAPI, HTTP clients and clients of brokers: by place, what is meant, and the other words for it. */
const otherWords = {
  /** Keys of a tool. A word with `!` could be no parameter's name. */
  toolKeys: {
    description: ["desc", "summary"],
    parameters: [
      "input_schema!",
      "inputs",
      "input_parameters!",
      "args",
      "args_schema!",
      "arguments",
      "arguments_schema!",
      "params_schema!",
      "parameters_schema!",
      "parameter_schema!",
      "json_schema",
      "schema",
    ],
    returns: ["output_schema!", "outputs", "result", "return_type", "returns_schema!"],
  },

  /** Keys of bindings of any kind: a word means the first key that the kind has. A dot leads to a key inside another. */
  bindingKeys: {
    body_template: ["body", "json", "data", "payload", "json_body", "request_body"],
    query: ["params", "query_params", "query_parameters", "search_params", "sql", "statement"],
    message: ["body_template", "body", "payload", "value", "data", "json", "content", "event"],
    url: ["uri", "endpoint", "href"],
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
  },

  /** Values of a binding's keys, in lower case. */
  bindingValues: {
    json: ["json-schema", "json_schema", "jsonschema", "application/json"],
    avro: ["avsc", "avro/binary"],
    protobuf: ["proto", "proto2", "proto3", "pb", "protocol-buffers", "application/x-protobuf"],
    rabbitmq: ["amqp", "rabbit"],
    redis: ["redis-streams", "redis_streams", "redis-stream"],
  },

  /** A binding's type, in lower case; what is meant stands in a message. */
  bindingTypes: {
    "type: http": ["rest", "https", "api", "request", "fetch", "webhook", "url"],
    "type: sql": ["postgres", "postgresql", "pg", "database", "db", "query"],
    "type: queue": ["messages", "messaging", "broker", "event", "events", "pubsub", "publish"],
    "type: queue` and `provider: kafka": ["kafka"],
    "type: queue` and `provider: rabbitmq": ["rabbitmq", "rabbit", "amqp"],
    "type: queue` and `provider: redis": ["redis", "redis-streams", "redis-stream"],
  },
} satisfies Readonly<Record<string, Words>>;

/** What to write in place of a binding's type that there isn't: `type: queue`. */
export function typeInOtherWords(name: string): string | undefined {
  const word = name.toLowerCase();
  return Object.entries(otherWords.bindingTypes).find(([, words]) => words.includes(word))?.[0];
}

export const toolWords: OtherWords = wordsOf(otherWords.toolKeys);
export const bindingWords: OtherWords = wordsOf(otherWords.bindingKeys);
export const bindingValues: ReadonlyMap<string, string> = new Map(
  Object.entries(otherWords.bindingValues).flatMap(([value, words]) =>
    words.map((word) => [word, value] as const),
  ),
);

const onlyToolWords: ReadonlySet<string> = new Set(
  Object.values(otherWords.toolKeys)
    .flat()
    .flatMap((word) => (word.endsWith("!") ? [plainWord(word.slice(0, -1))] : [])),
);

function wordsOf(table: Words): OtherWords {
  const meant = new Map<string, (readonly string[])[]>();
  for (const [key, words] of Object.entries(table)) {
    for (const word of words.map((each) => plainWord(each.replace("!", "")))) {
      const keys = meant.get(word) ?? [];
      meant.set(word, keys);
      keys.push(key.split("."));
    }
  }
  return meant;
}

/** Whether it is another word for a tool's key, and never a name for a parameter. */
export function isOnlyToolWord(key: string): boolean {
  return onlyToolWords.has(plainWord(key));
}
