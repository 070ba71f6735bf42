import type { JsonValue } from "../../runtime/json.js";
import type { Validator } from "../../runtime/validation.js";
import type { CredentialReference, CredentialText, Scalar } from "../../runtime/values/text.js";

export type Provider = "kafka" | "rabbitmq" | "redis";

/** What the generated module of a queue tool hands to the executor. */
export type QueueContract<Arguments, Message> = ProviderContract<Arguments, Message> & {
  /** Name of the credential that holds the broker's URL. */
  readonly connection: string;
  /** Checks the message that was built. Absent: JSON of any shape. */
  readonly message?: Validator<Message>;
  readonly encode: MessageEncoder<Message>;
  /** Name of the credential that holds a schema registry's URL: encoded messages are framed with the schema's id. */
  readonly registry?: string;
};

/** A provider, and the function that builds what it takes. Pure: credentials stay references. */
export type ProviderContract<Arguments, Message> =
  | Publisher<"kafka", Arguments, Message, KafkaTarget>
  | Publisher<"rabbitmq", Arguments, Message, RabbitmqTarget>
  | Publisher<"redis", Arguments, Message, RedisTarget>;

interface Publisher<Name extends Provider, Arguments, Message, Target> {
  readonly provider: Name;
  readonly publish: (args: Arguments) => Publication<Message, Target>;
}

/** What all providers take. */
export interface Publication<Message, Target> {
  readonly target: Target;
  readonly message: Written<Message>;
  /** Absent and null values drop their entry. */
  readonly headers?: readonly (readonly [name: string, value: HeaderValue])[];
  /** What makes a repeated publish recognizable. */
  readonly idempotencyKey?: Text;
}

/** A message as it is written: what may be absent may be undefined too. */
export type Written<Value> = unknown extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : Value extends object
      ? {
          readonly [K in keyof Value]:
            Written<Value[K]> | ({} extends Pick<Value, K> ? undefined : never);
        }
      : Value;

export interface KafkaTarget {
  readonly topic: Text;
  /** Messages of one key stay in order. Absent or null: any partition. */
  readonly key?: Text | null | undefined;
}

export interface RabbitmqTarget {
  /** Empty: the default exchange, which takes the routing key for the name of a queue. */
  readonly exchange: Text;
  readonly routing_key: Text;
}

export interface RedisTarget {
  readonly stream: Text;
  /** About how many entries the stream keeps; older ones go. */
  readonly maxlen?: number;
}

export type Text = Scalar | CredentialText | CredentialReference;

export type HeaderValue = Text | null | undefined;

/** Makes bytes of a message that its validator passed. */
export interface MessageEncoder<Message> {
  /** `application/json`. */
  readonly contentType: string;
  /** The schema as a registry takes it, for encodings that a registry knows. */
  readonly schema?: RegistrySchema;
  /** @throws RefusedValue when a value can't be encoded, which the validator could not tell */
  encode(message: Message): Uint8Array;
}

export interface RegistrySchema {
  readonly type: "AVRO";
  readonly text: string;
}

/** What shadow mode records: the message as it would be sent, `${NAME}` in place of every credential. */
export interface QueueRecord {
  readonly provider: Provider;
  /** `${NAME}`. */
  readonly connection: string;
  /** `topic` and `key`; `exchange` and `routing_key`; `stream` and `maxlen`. */
  readonly target: { readonly [name: string]: string | number };
  readonly headers: { readonly [name: string]: string };
  /** Absent for tools without one. */
  readonly idempotency_key?: string;
  readonly message: JsonValue;
  /** Of the encoded message, without a registry's frame. */
  readonly encoded: {
    readonly content_type: string;
    readonly bytes: number;
    /** Lower-case hexadecimal; `***` for a message with masked parameters. */
    readonly sha256: string;
  };
}

/** Where Kafka put a message. */
export interface KafkaReceipt {
  readonly topic: string;
  readonly partition: number;
  /** Digits. */
  readonly offset: string;
}

/** That RabbitMQ took a message and put it into a queue at least. */
export interface RabbitmqReceipt {
  readonly exchange: string;
  readonly routing_key: string;
  /** Counts the messages of a channel, from 1. */
  readonly delivery_tag: number;
}

/** Where Redis put a message. */
export interface RedisReceipt {
  readonly stream: string;
  readonly id: string;
}

/** What `unroutable` carries: RabbitMQ has no queue for the message, and dropped it. */
export interface Unroutable {
  readonly error: { readonly exchange: string; readonly routing_key: string };
}
