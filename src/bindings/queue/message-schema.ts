import type { JsonValue } from "../../core/json.js";
import type { SchemaModel } from "../../core/skill-model.js";

/** The schema of a message, whatever language it is written in. Plain data. */
export interface MessageSchema {
  /**
   * The message as JSON, as a JSON Schema: it decides types, validators and checks. Names are those
   * of the schema file; `places` leads into it. Where the encoding has no place for other fields,
   * objects are closed.
   */
  readonly json: SchemaModel;
  /**
   * What the language itself calls a type, by pointer into `json.schema`: `long`, `decimal(10, 2)`,
   * `acme.Status`.
   */
  readonly types: { readonly [pointer: string]: string };
  /**
   * Of unions whose values are objects that name their branch, the names, by pointer into
   * `json.schema`.
   */
  readonly branches?: { readonly [pointer: string]: readonly string[] };
  readonly encoding: Encoding;
}

/** What the encoder is made from. */
export type Encoding =
  | { readonly kind: "json" }
  | {
      readonly kind: "avro";
      /** In Avro's own JSON. */
      readonly schema: JsonValue;
      /** Pointers to the unions in it whose values name their branch. */
      readonly named: readonly string[];
    }
  | {
      readonly kind: "protobuf";
      /** Full name of the message: `acme.OrderCreated`. */
      readonly message: string;
      /** The static encoder, as protobufjs prints it: JavaScript that declares `encode`. */
      readonly code: string;
    };
