import type { JsonValue } from "../../core/json.js";
import type { SchemaModel } from "../../core/skill-model.js";

/** The schema of a message, whatever language it is written in. Plain data. */
export interface MessageSchema {
  /**
   * The message as JSON, as a JSON Schema: it decides types, validators and checks. Names are those of the schema file; `places` leads into it. Where the
   * encoding has no place for other fields, objects are closed.
   */
  readonly json: SchemaModel;
  /** What the language itself calls a type, by pointer into `json.schema`: `long`, `decimal(10, 2)`, `acme.Status`. */
  readonly types: { readonly [pointer: string]: string };
  /** Groups of fields of which a message has one at most. */
  readonly exclusive: readonly ExclusiveFields[];
  readonly encoding: Encoding;
}

export interface ExclusiveFields {
  /** Of the object's schema, into `json.schema`. */
  readonly pointer: string;
  /** `payment` */
  readonly name: string;
  readonly fields: readonly string[];
}

/** What the encoder is made from. */
export type Encoding =
  | { readonly kind: "json" }
  /** The schema in Avro's own JSON. */
  | { readonly kind: "avro"; readonly schema: JsonValue }
  | {
      readonly kind: "protobuf";
      /** Full name of the message: `acme.OrderCreated`. */
      readonly message: string;
      /** The static encoder, as protobufjs prints it: JavaScript that declares `encode`. */
      readonly code: string;
    };
