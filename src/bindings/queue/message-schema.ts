import type { JsonValue } from "../../core/json.js";
import type { SchemaModel } from "../../core/skill-model.js";

/** The schema of a message in any schema language, as plain data. */
export interface MessageSchema {
  /**
   * JSON Schema of the message, for types, validators and checks. Names are those of the schema
   * file, and `places` has its spans. Objects are closed if the encoding can't hold other fields.
   */
  readonly json: SchemaModel;
  /**
   * Names of types in the schema language, by pointer into `json.schema`: `long`, `decimal(10, 2)`,
   * `acme.Status`.
   */
  readonly types: { readonly [pointer: string]: string };
  /**
   * Names of branches by pointer into `json.schema`, for unions whose values are objects that name
   * their branch.
   */
  readonly branches?: { readonly [pointer: string]: readonly string[] };
  readonly encoding: Encoding;
}

/** The data from which the encoder is made. */
export type Encoding =
  | { readonly kind: "json" }
  | {
      readonly kind: "avro";
      /** The schema in Avro's own JSON. */
      readonly schema: JsonValue;
      /** Pointers to the unions in it whose values name their branch. */
      readonly named: readonly string[];
    }
  | {
      readonly kind: "protobuf";
      /** Full name of the message: `acme.OrderCreated`. */
      readonly message: string;
      /** The static encoder that protobufjs prints: JavaScript that declares `encode`. */
      readonly code: string;
    };
