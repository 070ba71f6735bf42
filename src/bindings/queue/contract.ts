import type { BoundCaller } from "../../runtime/caller.js";
import type { JsonValue } from "../../runtime/json/json.js";
import type { Validator } from "../../runtime/validation/validation.js";
import type { CredentialReference, CredentialText, Scalar } from "../../runtime/values/text.js";

/**
 * What the generated module of a queue tool hands to its provider's function.
 *
 * @typeParam Target what the provider has for a place
 */
export interface QueueContract<Arguments, Message, Target extends object> {
  /** Name of the credential that holds the broker's URL. */
  readonly connection: string;
  /** Builds what the provider takes. Pure: credentials stay references. */
  readonly publish: (args: Given<Arguments>, caller: BoundCaller) => Publication<Message, Target>;
  /** Checks the message that was built. Absent: JSON of any shape. */
  readonly message?: Validator<Message>;
  readonly encode: MessageEncoder<Message>;
  /**
   * Name of the credential that holds a schema registry's URL: encoded messages are framed with the
   * schema's id.
   */
  readonly registry?: string;
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

/**
 * Arguments as fields of a message: a list has no holes, and an object is one of no declared
 * interface, which TypeScript takes for a map where its properties are all of one type.
 */
export type Given<Value> = unknown extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Given<Exclude<Item, undefined>>[]
    : Value extends object
      ? { readonly [K in keyof Value]: Given<Value[K]> }
      : Value;

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

/** Of a topic, an exchange, a queue, a stream, a subject: literal text, or made for each call. */
export type Name = string | TargetName;

/** A name with parameters or credentials in it, in their order. */
export interface TargetName {
  readonly kind: "name";
  readonly parts: readonly NamePart[];
}

/**
 * A parameter, or what the caller gives, comes with a pointer to it, for errors. Beside other text
 * it is one token of the name, unless `tokens` says that it may be several.
 */
export type NamePart =
  string | readonly [pointer: string, value: Scalar, extent?: "tokens"] | CredentialReference;

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

/**
 * What shadow mode records: the message as it would be sent, `${NAME}` in place of every
 * credential.
 */
export interface QueueRecord {
  /** `kafka` */
  readonly provider: string;
  /** `${NAME}`. */
  readonly connection: string;
  /**
   * As the provider has it: `topic` and `key`; `exchange` and `routing_key`; `stream` and `maxlen`;
   * `subject`.
   */
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
