/** Errors for parameters that fit their schema but make an invalid message. */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/core/json.js";
import type { MessageSchema } from "../../../src/bindings/queue/message-schema.js";
import { kafka } from "../../../src/bindings/queue/providers/kafka/runtime.js";
import { text } from "../../../src/bindings/queue/runtime.js";
import { avro } from "../../../src/bindings/queue/send/avro/avro.js";
import { protobuf } from "../../../src/bindings/queue/send/protobuf/protobuf.js";
import { callTool, createRuntime, defineTool, isToolError } from "../../../src/runtime/index.js";
import { validatorOf } from "../../schema/validators.js";
import { read, recordOf } from "./avro/support.js";
import { encodeOf, order, read as readProto, schemaOf } from "./protobuf/support.js";

interface Params {
  readonly [name: string]: unknown;
}

const anything = Object.assign((value: unknown): value is Params => value !== undefined, {
  errors: null,
});

/** The error's message, and where its problem is. */
async function told(
  schema: MessageSchema,
  params: Params,
  message: (p: Params) => unknown,
): Promise<string> {
  const { encoding } = schema;
  const tool = defineTool<Params, Params, never>({
    skill: "desk",
    name: "announce",
    version: { skill: "s", binding: "b", manifest: "t1" },
    effect: "write",
    mode: "shadow",
    timeoutMs: 1000,
    retry: { maxAttempts: 1, backoffMs: 1, backoffMultiplier: 1 },
    params: anything,
    binding: kafka<Params, unknown>({
      connection: "EVENTS",
      publish: (p) => ({ target: { topic: "orders" }, message: message(p) }),
      message: validatorOf(schema.json, "stated"),
      encode:
        encoding.kind === "avro"
          ? avro(encoding.schema, encoding.named)
          : protobuf("acme.Order", encodeOf(schema)),
    }),
  });
  const error = await callTool(tool, params, { runtime: createRuntime({ ledger: false }) }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isToolError(error, "SCHEMA.VALIDATION_FAILED")) return "sent";
  const [problem] = error.failure.problems;
  return `[${problem?.pointer}] ${error.message}`;
}

function schemaFor(...fields: readonly JsonValue[]): MessageSchema {
  const { lines, schema } = read(recordOf(...fields));
  if (schema === undefined) throw new Error(lines.join("\n"));
  return schema;
}

const timestamp = { type: "long", logicalType: "timestamp-millis" };
const start = "parameters of `desk/announce` can't be sent:";
const form =
  "must be a date-time with its offset and at most 3 digits of fraction, such as `2026-01-02T03:04:05Z`";
const exact = "2026-07-25T10:11:12.3456Z";

describe("parameter that an encoding error names", () => {
  const schema = schemaFor({ name: "occurredAt", type: timestamp });

  it("the error names the field, too, if its name differs from the parameter's", async () => {
    expect(
      await told(schema, { occurred_at: exact }, (p) => ({ occurredAt: p["occurred_at"] })),
    ).toBe(`[/occurred_at] ${start} /occurred_at ${form}, to be /occurredAt of the message`);
    expect(
      await told(schema, { occurredAt: exact }, (p) => ({ occurredAt: p["occurredAt"] })),
    ).toBe(`[/occurredAt] ${start} /occurredAt ${form}`);
  });

  it("the error names the right one of two parameters with the same value", async () => {
    const params = { created: exact, occurred: exact };
    expect(await told(schema, params, (p) => ({ occurredAt: p["occurred"] }))).toContain(
      "[/occurred]",
    );
  });

  it("the error names the place inside the parameter", async () => {
    const items = { type: "record", name: "Line", fields: [{ name: "a/b", type: "int" }] };
    const lines = schemaFor({
      name: "lines",
      type: { type: "array", items: { ...items, fields: [{ name: "at", type: timestamp }] } },
    });
    const params = { order: { "it/ems": [{ at: "2026-07-25T10:11:12Z" }, { at: exact }] } };
    const message = (p: Params) => ({ lines: (p["order"] as Params)["it/ems"] });
    expect(await told(lines, params, message)).toBe(
      `[/order/it~1ems/1/at] ${start} /order/it~1ems/1/at ${form}, to be /lines/1/at of the message`,
    );
    const missing = { order: { "it/ems": [{}] } };
    expect(await told(lines, missing, message)).toBe(
      `[/order/it~1ems/0/at] ${start} /order/it~1ems/0/at is missing, to be /lines/0/at of the message`,
    );
  });

  it("the error names the message if text surrounds the parameter or no parameter is used", async () => {
    const params = { day: "2026-07-25", time: "10:11:12.3456" };
    const message = (p: Params) => ({ occurredAt: text(`${p["day"]}`, "T", `${p["time"]}`, "Z") });
    const line = `[] ${start} the message built from the arguments doesn't fit its schema: /occurredAt ${form}`;
    expect(await told(schema, params, message)).toBe(line);
    expect(await told(schema, {}, () => ({ occurredAt: exact }))).toBe(line);
  });

  it("the error names the parameter if only the encoder finds the problem", async () => {
    const params = { note: "\ud800" };
    expect(
      await told(schemaFor({ name: "text", type: "string" }), params, (p) => ({ text: p["note"] })),
    ).toBe(
      `[/note] ${start} /note must be text of well-formed Unicode, to be /text of the message`,
    );
  });
});

describe("words of an encoding error", () => {
  const decimal = { type: "bytes", logicalType: "decimal", precision: 4, scale: 2 };
  const fixed = { type: "fixed", name: "Sum", size: 4 };

  it.each<[type: JsonValue, value: unknown, words: string]>([
    [
      decimal,
      "123.45",
      "must be a decimal as text, with at most 2 digits before the point and 2 behind it",
    ],
    [{ type: "int", logicalType: "date" }, "yesterday", "must be a date, such as `2026-01-02`"],
    ["long", "12a", "must be an integer of 64 bits, or its digits"],
    ["bytes", "h i", "must be bytes in base64"],
    [fixed, "AAAA", "must be 4 bytes in base64, which are 8 characters"],
    [["null", fixed], "AAAA", "must be 4 bytes in base64, which are 8 characters"],
    [["null", timestamp], exact, form],
    [["null", "string", "int"], true, "must be null, a string or an integer, not a boolean"],
    [["null", { type: "array", items: "int" }], ["x"], "must be an integer, not a string"],
    [["null", { type: "enum", name: "E", symbols: ["A"] }], "B", 'must be one of "A"'],
  ])("describes the form of Avro's %j for %j", async (type, value, words) => {
    const schema = schemaFor({ name: "v", type });
    const message = await told(schema, { v: value }, (p) => ({ v: p["v"] }));
    expect(message.slice(message.indexOf("must"))).toBe(words);
  });

  it.each<[field: string, value: unknown, words: string]>([
    ["google.protobuf.Duration v = 1;", "3.5", "must be a number of seconds, such as `3.5s`"],
    [
      "map<int32, string> v = 1;",
      { a: "b" },
      "has a property whose name must be the digits of an integer, of 32 bits",
    ],
  ])("describes the form of Protobuf's %s for %j", async (field, value, words) => {
    const schema = schemaOf(readProto(order(field)));
    expect(await told(schema, { v: value }, (p) => ({ v: p["v"] }))).toBe(
      `[/v] ${start} /v ${words}`,
    );
  });

  it("describes two fields of a `oneof` in one sentence", async () => {
    const schema = schemaOf(readProto(order("oneof pay { string card = 1; string iban = 2; }")));
    expect(await told(schema, { card: "1", iban: "2" }, (p) => ({ ...p }))).toBe(
      `[] ${start} the message built from the arguments doesn't fit its schema: it must be an object with at most one of \`card\`, \`iban\``,
    );
  });
});
