/** Decodes messages with the libraries of the schema languages and the skill's own files. */
import { readFileSync } from "node:fs";
import avro from "avsc";
import { orderType } from "../../test/bindings/queue/support/order-type.js";
import { repository } from "../../test/support/repository.js";

const skill = `${repository}skills/order-events/`;

/**
 * Returns a text field of a message.
 *
 * @throws if the bytes are not exactly one message of the schema
 */
export type ReadField = (body: Buffer) => string;

/** @param file `refund.avsc` */
export function avroField(file: string, field: string): ReadField {
  const type = avro.Type.forSchema(JSON.parse(readFileSync(skill + file, "utf8")) as avro.Schema);
  return (body) => textOf(type.fromBuffer(body), field);
}

/** @param name name of a message in orders.proto */
export function protobufField(name: string, field: string): ReadField {
  const type = orderType(name);
  return (body) => textOf(type.decode(body), field);
}

export function jsonField(field: string): ReadField {
  return (body) => textOf(JSON.parse(body.toString()), field);
}

function textOf(message: unknown, field: string): string {
  // The value may be anything; the caller checks the field.
  const value = (message as Readonly<Record<string, unknown>>)[field];
  if (typeof value === "string") return value;
  throw new TypeError(`a message has no \`${field}\``);
}
