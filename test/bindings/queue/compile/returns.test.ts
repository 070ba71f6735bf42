import { describe, expect, it } from "vitest";
import { exampleProject } from "../../../../src/bindings/queue/diagnostics/example.js";
import { compileFiles, linesOf } from "../../../support/compile.js";
import { queueTool } from "../../support/queue-tool.js";

const targets = {
  kafka: ["topic: orders"],
  rabbitmq: ["exchange: billing", "routing_key: refund"],
  redis: ["topic: orders"],
} as const;

/** Diagnostics of a tool with that `returns`, without `line:column`. */
function given(
  provider: keyof typeof targets,
  returns: string,
  target: readonly string[] = targets[provider],
): readonly string[] {
  const lines = [
    "parameters: { type: object, properties: { region: { enum: [eu, us] } }, required: [region] }",
    `returns: ${returns}`,
    "binding:",
    `  provider: ${provider}`,
    "  connection: ${EVENTS}",
    ...target.map((line) => `  ${line}`),
  ];
  return queueTool(lines.join("\n")).lines.map((line) => line.replace(/^\d+:\d+ queue\//, ""));
}

const receipts = {
  kafka:
    "a receipt of Kafka is `{ topic: string, partition: integer, offset: string }`; without `returns`, the tool has that type",
  rabbitmq:
    "a receipt of RabbitMQ is `{ exchange: string, routing_key: string, delivery_tag: integer }`; without `returns`, the tool has that type",
  redis:
    "a receipt of Redis is `{ stream: string, id: string }`; without `returns`, the tool has that type",
};

describe("`returns` of a queue tool", () => {
  it.each([
    ["kafka", "{ type: object }"],
    ["kafka", "{}"],
    [
      "kafka",
      "{ type: object, required: [offset], properties: { offset: { type: string, pattern: '^[0-9]+$' } } }",
    ],
    [
      "kafka",
      "{ type: object, additionalProperties: false, required: [topic, partition, offset], properties: { topic: { const: orders }, partition: { type: integer, minimum: 0 }, offset: { type: string, minLength: 1 } } }",
    ],
    ["kafka", "{ type: [object, 'null'], properties: { partition: { type: number } } }"],
    [
      "rabbitmq",
      "{ type: object, required: [delivery_tag, exchange], properties: { delivery_tag: { type: integer, minimum: 1 }, exchange: { type: string } } }",
    ],
    [
      "redis",
      "{ type: object, required: [id, stream], properties: { id: { type: string }, stream: { enum: [orders, other] } } }",
    ],
  ] as const)("accepts %s %s", (provider, returns) => {
    expect(given(provider, returns)).toEqual([]);
  });

  it.each([
    [
      "kafka",
      "{ type: object, required: [ok], properties: { ok: { type: boolean } } }",
      "[ok] `returns` requires `ok`, but no receipt of Kafka has it",
    ],
    [
      "kafka",
      "{ type: object, properties: { offset: { type: integer } } }",
      "[integer] `offset` is a string, but `returns` takes an integer",
    ],
    [
      "redis",
      "{ type: object, properties: { id: { type: string, format: uuid } } }",
      "[string] `id` matches `^[0-9]+-[0-9]+$`, but `returns` takes text in the format `uuid`",
    ],
    [
      "kafka",
      "{ type: object, additionalProperties: false, properties: { topic: { type: string }, offset: { type: string } } }",
      "[false] every receipt of Kafka has `partition`, but `returns` forbids it",
    ],
    [
      "kafka",
      "{ type: array, items: { type: object } }",
      "[array] a receipt of Kafka is an object, but `returns` takes an array",
    ],
    [
      "kafka",
      "{ type: 'null' }",
      "['null'] a receipt of Kafka is an object, but `returns` takes null",
    ],
    [
      "kafka",
      "{ type: object, properties: { topic: { const: payments } } }",
      "[payments] `topic` is `orders`, but `returns` takes `payments`",
    ],
    [
      "kafka",
      "{ type: object, properties: { partition: { type: integer, maximum: -1 } } }",
      "[integer] `partition` is at least 0, but `returns` holds -1 or less",
    ],
    [
      "kafka",
      "{ type: object, maxProperties: 2 }",
      '[{ type: object, maxProperties: 2 }] `returns` rejects receipts of Kafka, such as `{"topic":"orders","partition":0,"offset":"0"}`',
    ],
  ] as const)("rejects %s %s", (provider, returns, line) => {
    expect(given(provider, returns)).toEqual([`returns-mismatch ${line} (${receipts[provider]})`]);
  });

  it.each([
    [
      "kafka",
      "{ type: object, properties: { partition: { type: integer, maximum: 9 } } }",
      "[integer] `partition` may be 2147483647, but `returns` holds 9 or less",
    ],
    [
      "kafka",
      "{ type: object, properties: { offset: { enum: ['0'] } } }",
      '[{ type: object, properties: { offset: { enum: [\'0\'] } } }] `returns` rejects receipts of Kafka, such as `{"topic":"orders","partition":2147483647,"offset":"92233720…`',
    ],
    [
      "rabbitmq",
      "{ type: object, properties: { delivery_tag: { not: { const: 1 } } } }",
      '[{ type: object, properties: { delivery_tag: { not: { const: 1 } } } }] `returns` rejects receipts of RabbitMQ, such as `{"exchange":"billing","routing_key":"refund","delivery_tag"…`',
    ],
  ] as const)("warns that receipts may not fit: %s %s", (provider, returns, line) => {
    expect(given(provider, returns)).toEqual([`returns-narrows ${line} (${receipts[provider]})`]);
  });

  it.each([
    ["requires", ", required: [deliveryTag]", "[deliveryTag]"],
    ["describes", "", "[{ type: integer }]"],
  ])("suggests the receipt's field if `returns` %s a similar name", (verb, required, place) => {
    const returns = `{ type: object${required}, properties: { deliveryTag: { type: integer } } }`;
    expect(given("rabbitmq", returns)).toEqual([
      `returns-mismatch ${place} \`returns\` ${verb} \`deliveryTag\`, but no receipt of RabbitMQ has it (did you mean \`delivery_tag\`?)`,
    ]);
  });

  describe("idempotency key on Redis", () => {
    const keyed = ["topic: orders", "idempotency: { key: '{region}' }"];
    const of = (returns: string) => given("redis", returns, keyed);
    const open = "type: object, required: [id, stream]";
    const help =
      "a receipt of Redis is `{ stream: string, id: string, repeated?: boolean }`; without `returns`, the tool has that type";

    it.each([
      `{ ${open} }`,
      "{ type: object, properties: { repeated: { const: true } } }",
      "{ type: object, additionalProperties: false, properties: { id: { type: string }, stream: { type: string }, repeated: { type: boolean } } }",
    ])("accepts %s", (returns) => {
      expect(of(returns)).toEqual([]);
    });

    it("rejects a schema that does not allow `repeated`", () => {
      expect(
        of(
          "{ type: object, additionalProperties: false, properties: { id: { type: string }, stream: { type: string } } }",
        ),
      ).toEqual([
        `returns-mismatch [false] a receipt of Redis may have \`repeated\`, but \`returns\` forbids it (${help})`,
      ]);
      expect(of(`{ ${open}, maxProperties: 2 }`)).toEqual([
        `returns-mismatch [{ ${open}, maxProperties: 2 }] \`returns\` rejects receipts of Redis, such as \`{"stream":"orders","id":"18446744073709551615-1844674407370…\` (${help})`,
      ]);
    });

    it("rejects a schema that requires `repeated`", () => {
      expect(of("{ type: object, required: [repeated] }")).toEqual([
        `returns-mismatch [repeated] \`returns\` requires \`repeated\`, but not every receipt of Redis has it (${help})`,
      ]);
    });
  });

  it("accepts a type with any values for a name that each call makes", () => {
    const topic = ["topic: 'orders.{region}'"];
    const of = (schema: string) =>
      given("kafka", `{ type: object, properties: { topic: ${schema} } }`, topic);
    expect(of("{ enum: [orders.eu, orders.us] }")).toEqual([]);
    expect(of("{ type: string, pattern: '^orders' }")).toEqual([]);
    expect(of("{ type: integer }")).toEqual([
      `returns-mismatch [integer] \`topic\` is a string, but \`returns\` takes an integer (${receipts.kafka})`,
    ]);
  });

  it("the type of the result is `returns` if the receipt fits it", async () => {
    const files = exampleProject({
      binding: ["topic: orders"],
      tool: [
        "returns: { type: object, required: [offset], properties: { offset: { type: string } } }",
      ],
    });
    const compilation = await compileFiles(files);
    expect(linesOf(compilation, files).filter((line) => line.includes(" error "))).toEqual([]);
    const module = compilation.files.find(({ path }) => path.endsWith("/announce-order.ts"));
    expect(module?.text).toContain("export interface AnnounceOrderData {\n  offset: string;");
  });
});
