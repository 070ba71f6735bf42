import type { BoundCaller } from "../../runtime/caller.js";
import type { JsonValue } from "../../runtime/json/json.js";
import type { Validator } from "../../runtime/validation/validation.js";
import type { CredentialReference, CredentialText, Scalar } from "../../runtime/values/text.js";

/**
 * Data that the generated module of a queue tool passes to its provider's function.
 *
 * @typeParam Target form of the provider's targets
 */
export interface QueueContract<Arguments, Message, Target extends object> {
  /** Name of the credential that holds the broker's URL. */
  readonly connection: string;
  /** Builds the publication. The function is pure: credentials stay references. */
  readonly publish: (args: Given<Arguments>, caller: BoundCaller) => Publication<Message, Target>;
  /** Validates the built message. If absent, any JSON is allowed. */
  readonly message?: Validator<Message>;
  readonly encode: MessageEncoder<Message>;
  /**
   * Name of the credential that holds a schema registry's URL. Encoded messages are then framed
   * with the schema's id.
   */
  readonly registry?: string;
}

/** A publication, for any provider. */
export interface Publication<Message, Target> {
  readonly target: Target;
  readonly message: Written<Message>;
  /** Headers. Absent and null values drop their entry. */
  readonly headers?: readonly (readonly [name: string, value: HeaderValue])[];
  /** Key by which a repeated publish is recognized. */
  readonly idempotencyKey?: Text;
}

/**
 * Type of arguments as fields of a message. Lists have no holes, and objects have no declared
 * interface, so that TypeScript accepts them as maps if all properties have one type.
 */
export type Given<Value> = unknown extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Given<Exclude<Item, undefined>>[]
    : Value extends object
      ? { readonly [K in keyof Value]: Given<Value[K]> }
      : Value;

/** Type of a message as it is written: optional properties may also be undefined. */
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

/**
 * Name of a topic, an exchange, a queue, a stream or a subject: literal text, or built for each
 * call.
 */
export type Name = string | TargetName;

/** A name with parameters or credentials, in order. */
export interface TargetName {
  readonly kind: "name";
  readonly parts: readonly NamePart[];
}

/**
 * A part of a name. A parameter or caller's value has a pointer, for errors. Beside other text it
 * is one token of the name, unless `tokens` allows several.
 */
export type NamePart =
  string | readonly [pointer: string, value: Scalar, extent?: "tokens"] | CredentialReference;

export type Text = Scalar | CredentialText | CredentialReference;

export type HeaderValue = Text | null | undefined;

/** Encodes a message that its validator accepted. */
export interface MessageEncoder<Message> {
  /** Content type, such as `application/json`. */
  readonly contentType: string;
  /** The schema for a registry, for encodings that registries support. */
  readonly schema?: RegistrySchema;
  /**
   * Encodes a message.
   *
   * @throws RefusedValue if a value can't be encoded, which the validator can't detect
   */
  encode(message: Message): Uint8Array;
}

export interface RegistrySchema {
  readonly type: "AVRO";
  readonly text: string;
}

/** The message that shadow mode records, with `${NAME}` in place of every credential. */
export interface QueueRecord {
  /** Provider, such as `kafka`. */
  readonly provider: string;
  /** Name of the connection's credential, as `${NAME}`. */
  readonly connection: string;
  /**
   * Target in the provider's form: `topic` and `key`; `exchange` and `routing_key`; `stream` and
   * `maxlen`; `subject`.
   */
  readonly target: { readonly [name: string]: string | number };
  /** Headers of the message, by name. */
  readonly headers: { readonly [name: string]: string };
  /** Idempotency key; absent for tools without one. */
  readonly idempotency_key?: string;
  /** Message before encoding. */
  readonly message: JsonValue;
  /** Facts about the encoded message, without a registry's frame. */
  readonly encoded: {
    /** Content type of the encoded message. */
    readonly content_type: string;
    /** Size of the encoded message, in bytes. */
    readonly bytes: number;
    /** SHA-256 in lower-case hexadecimal; `***` for a message with masked parameters. */
    readonly sha256: string;
  };
}
