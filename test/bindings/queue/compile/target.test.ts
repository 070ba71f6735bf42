import { describe, expect, it } from "vitest";
import { withBinding } from "./support.js";

const of = (provider: string, ...lines: readonly string[]) =>
  withBinding([`provider: ${provider}`, "connection: ${EVENTS}", ...lines]);
const all = 'message: { id: "{id}" }';

describe("target of messages", () => {
  it.each([
    ["kafka", ["topic: orders.created", 'key: "{id}"'], ["topic", "key"]],
    ["kafka", ['topic: "orders.{id}"'], ["topic"]],
    ["rabbitmq", ["topic: orders"], ["exchange=", "routing_key"]],
    ["rabbitmq", ["exchange: billing", 'routing_key: "order.{id}"'], ["exchange", "routing_key"]],
    ["redis", ["topic: orders:{id}"], ["stream"]],
    ["redis", ["topic: orders", "maxlen: 1000"], ["stream", "maxlen=1000"]],
    ["kafka", ['topic: "${ENV}.orders"', 'key: "${ENV}"'], ["topic", "key"]],
    ["kafka", ['topic: "${ENV}.{id}"'], ["topic"]],
    ["rabbitmq", ["exchange: ${ENV}.billing", "routing_key: ${KEY}"], ["exchange", "routing_key"]],
    ["rabbitmq", ["topic: ${QUEUE}"], ["exchange=", "routing_key"]],
    ["rabbitmq", ["exchange: fanned", 'routing_key: ""'], ["exchange", "routing_key"]],
    ["redis", ["topic: ${ENV}:orders"], ["stream"]],
    ["nats", ["subject: orders.{id}.created"], ["subject"]],
  ])("reads the target of %s from %j", (provider, lines, fields) => {
    const { lines: faults, resolved } = of(provider, ...lines, all);
    expect(faults).toEqual([]);
    expect(resolved?.config.provider.name).toBe(provider);
    const read = resolved?.config.target.map((each) =>
      each.kind === "fixed" ? `${each.field}=${each.value}` : each.field,
    );
    expect(read).toEqual(fields);
  });

  it("defaults to Kafka without a provider, and an info diagnostic reports the default", () => {
    const { lines, resolved } = withBinding([
      "type: queue",
      "connection: ${EVENTS}",
      "topic: orders",
      all,
    ]);
    expect(resolved?.config.provider).toMatchObject({ name: "kafka", isDefault: true });
    expect(lines.map((line) => line.replace(/^\S+ /, ""))).toEqual([
      "queue/default-provider [queue] the binding has no `provider`, so it uses kafka (write `provider: kafka`, or the provider that you mean)",
    ]);
  });

  it.each([
    [
      "exchange: billing",
      "`kafka` has no `exchange`, and a binding without `provider` uses kafka (write `provider: rabbitmq`, or Kafka sends messages to a `topic`)",
    ],
    [
      "maxlen: 5",
      "`kafka` has no `maxlen`, and a binding without `provider` uses kafka (write `provider: redis`, or remove it)",
    ],
  ])("suggests the provider that %s belongs to if the binding names none", (line, words) => {
    const { lines } = withBinding(["connection: ${EVENTS}", "topic: orders", line, all]);
    expect(lines.find((each) => each.includes("not-for-provider"))).toContain(words);
  });

  it.each([
    [
      "kafka",
      ["topic: orders", 'routing_key: "{id}"'],
      "6:3 queue/not-for-provider [routing_key] `kafka` has no `routing_key` (Kafka keeps messages together by `key`)",
    ],
    [
      "kafka",
      ["topic: orders", "exchange: billing"],
      "6:3 queue/not-for-provider [exchange] `kafka` has no `exchange` (Kafka sends messages to a `topic`)",
    ],
    [
      "redis",
      ["topic: orders", 'key: "{id}"'],
      "6:3 queue/not-for-provider [key] `redis` has no `key` (a stream keeps all its messages in order)",
    ],
    [
      "kafka",
      ["topic: orders", "maxlen: 5"],
      "6:3 queue/not-for-provider [maxlen] `kafka` has no `maxlen` (remove it)",
    ],
    [
      "rabbitmq",
      ["topic: orders", 'key: "{id}"'],
      "6:3 queue/not-for-provider [key] `rabbitmq` has no `key` (RabbitMQ routes by `routing_key`, beside `exchange`)",
    ],
    [
      "rabbitmq",
      ["topic: orders", "routing_key: a"],
      "6:3 queue/two-targets [routing_key] `topic` names a queue, but `routing_key` names another route (keep `topic` for a queue, or `exchange` with `routing_key`)",
    ],
    [
      "rabbitmq",
      ["exchange: billing"],
      "3:13 queue/no-target [rabbitmq] the binding has no target for `rabbitmq` (write `routing_key: …` beside `exchange`)",
    ],
    [
      "kafka",
      [],
      "3:13 queue/no-target [kafka] the binding has no target for `kafka` (write `topic: …` beside it)",
    ],
  ])("reports the mistake of a %s binding: %j", (provider, lines, fault) => {
    const { lines: faults } = of(provider, ...lines, all);
    expect(faults[0]).toBe(fault);
  });

  it.each([
    ["kafka", "topic: a/b", "it contains `/`"],
    ["kafka", 'topic: "a b"', "it contains a space"],
    ["kafka", "topic: größe", "it contains `ö`"],
    ["kafka", "topic: ..", "`.` and `..` are not valid names"],
    ["kafka", 'topic: "a/{id}"', "it contains `/`"],
    ["kafka", `topic: ${"a".repeat(250)}`, "it is longer than 249 bytes"],
    ["rabbitmq", `topic: ${"ü".repeat(128)}`, "it is longer than 255 bytes"],
    ["nats", 'subject: "orders created"', "it contains a space"],
    ["nats", 'subject: "orders.*"', "it contains `*`"],
    ["nats", 'subject: "orders.>"', "it contains `>`"],
    ["nats", "subject: orders..created", "there is no text before, after or between its dots"],
    ["nats", "subject: $JS.API.INFO", "it starts with `$`, which the server reserves"],
    ["nats", `subject: ${"a".repeat(1025)}`, "it is longer than 1024 bytes"],
  ])("rejects a name that the broker does not take: %s %s", (provider, line, why) => {
    const { lines } = of(provider, line, all);
    expect(lines.filter((each) => each.includes("queue/bad-target"))).toHaveLength(1);
    expect(lines.join()).toContain(why);
  });

  const withTopic = (provider: string, name: string, schema: string) =>
    withBinding([`provider: ${provider}`, "connection: ${EVENTS}", name], `{ p: ${schema} }`, "p")
      .lines;

  it.each([
    [
      "kafka",
      "orders.{p}",
      "{ enum: [eu, a/b] }",
      "`p` may be `a/b`, which is not a valid name for a topic: it contains `/`",
    ],
    [
      "kafka",
      "orders{p}",
      '{ enum: ["", eu] }',
      "`p` may be empty, but the name of a topic must not be empty",
    ],
    [
      "kafka",
      "{p}",
      "{ const: .. }",
      "`p` may be `..`, which is not a valid name for a topic: `.` and `..` are not valid names",
    ],
    [
      "redis",
      "orders:{p}",
      '{ enum: [""] }',
      "`p` may be empty, but the name of a stream must not be empty",
    ],
    [
      "rabbitmq",
      "{p}",
      `{ const: ${"a".repeat(256)} }`,
      "which is not a valid name for a queue: it is longer than 255 bytes",
    ],
  ])(
    "rejects a listed value that makes an invalid name: %s %s %s",
    (provider, name, schema, fault) => {
      const lines = withTopic(provider, `topic: "${name}"`, schema);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain("queue/bad-target [{p}] ");
      expect(lines[0]).toContain(fault);
      expect(lines[0]).toContain("(remove the value from the parameter's schema)");
    },
  );

  const withBoth = (provider: string, names: string, p: string, q: string) =>
    withBinding(
      [`provider: ${provider}`, "connection: ${EVENTS}", names],
      `{ p: ${p}, q: ${q} }`,
      "p, q",
    ).lines;

  it.each([
    [
      "kafka",
      `topic: ${"x".repeat(240)}{p}`,
      "{ enum: [a, '1234567890'] }",
      `{ const: b }`,
      "it is longer than 249 bytes",
    ],
    [
      "kafka",
      'topic: "{p...}{q...}"',
      "{ enum: [a, .] }",
      "{ enum: [., b] }",
      "`.` and `..` are not valid names",
    ],
    [
      "nats",
      'subject: "orders.{p...}{q...}.created"',
      "{ enum: [a, b.] }",
      "{ enum: [.c, d] }",
      "there is no text before, after or between its dots",
    ],
    [
      "nats",
      'subject: "orders..{p}"',
      "{ type: string, pattern: '^[a-z]+$' }",
      "{ const: b }",
      "there is no text before, after or between its dots",
    ],
    [
      "nats",
      'subject: "{p...}{q...}"',
      "{ enum: [orders, $JS.API] }",
      "{ enum: [.info, .created] }",
      "it starts with `$`, which the server reserves",
    ],
    [
      "kafka",
      'topic: ".{p...}"',
      "{ enum: [a, .] }",
      "{ const: b }",
      "`.` and `..` are not valid names",
    ],
    [
      "kafka",
      `topic: ${"x".repeat(200)}{p}{p}\${ENV}`,
      `{ enum: [a, ${"b".repeat(25)}] }`,
      "{ type: string }",
      "it is longer than 249 bytes",
    ],
    [
      "rabbitmq",
      `topic: ${"x".repeat(100)}{p...}{q...}`,
      `{ const: ${"ü".repeat(50)} }`,
      `{ const: ${"ü".repeat(50)} }`,
      "it is longer than 255 bytes",
    ],
  ])(
    "rejects listed values that make an invalid name together: %s %s %s %s",
    (provider, name, p, q, fault) => {
      const found = withBoth(provider, name, p, q).filter((line) => line.includes("bad-target"));
      expect(found).toHaveLength(1);
      expect(found[0]).toContain(fault);
      expect(found[0]).toMatch(
        /\] this may be `.*`, which is not a valid name for a (?:topic|queue|subject)/,
      );
      expect(found[0]).toContain(
        "(remove a value from a parameter's schema, or change the text around it)",
      );
    },
  );

  it.each([
    [`topic: ${"x".repeat(240)}{p}`, "{ enum: ['123456789'] }"],
    ['topic: "{p...}{q...}"', "{ enum: [a, ..] }"],
    ['topic: "{p...}.${ENV}"', "{ enum: [., a] }"],
    ['topic: ".{p...}."', "{ enum: [., a] }"],
  ])(
    "accepts values that are invalid names alone but valid in the whole name: %s %s",
    (name, p) => {
      expect(withBoth("kafka", name, p, "{ enum: [., b] }")).toEqual([]);
    },
  );

  it.each([
    [
      "kafka",
      'topic: "orders.{p}"',
      "{ enum: [a, b.c] }",
      "{p}",
      "`p` may be `b.c`, but `.` separates the value",
    ],
    [
      "nats",
      'subject: "{p}.created"',
      "{ enum: [a, b.c] }",
      "{p}",
      "`p` may be `b.c`, but `.` separates the value",
    ],
    [
      "redis",
      'topic: "orders:{p}:{q}"',
      "{ enum: [a, 'b:c'] }",
      "{p}",
      "`p` may be `b:c`, but `:` separates the value",
    ],
  ])("rejects a listed value of several tokens: %s %s", (provider, name, p, place, fault) => {
    expect(withBoth(provider, name, p, "{ const: x }")).toEqual([
      expect.stringContaining(`queue/bad-target [${place}] ${fault} from the rest of a`),
    ]);
  });

  it.each([
    ["kafka", 'topic: "{p}"', "{ enum: [a, b.c] }"],
    ["kafka", 'topic: "orders.{p...}"', "{ enum: [a, b.c] }"],
    ["redis", 'topic: "orders:{p}"', "{ enum: [a, 'b:c'] }"],
  ])(
    "accepts listed values of several tokens that mix with no other: %s %s",
    (provider, name, p) => {
      expect(withTopic(provider, name, p)).toEqual([]);
    },
  );

  it("requires a separator between two values that are not listed", () => {
    const free = "{ type: string, pattern: '^[a-z]+$' }";
    const lines = withBoth("nats", 'subject: "orders.{p}{q}"', free, free);
    expect(lines).toEqual([
      expect.stringContaining("queue/bad-target [{q}] nothing separates `{q}` from `{p}`"),
    ]);
  });

  it("rejects `…` of a placeholder outside of names", () => {
    const binding = ["provider: kafka", "connection: ${EVENTS}", "topic: orders", 'key: "{p...}"'];
    expect(withBinding(binding, "{ p: { enum: [a] } }", "p").lines).toEqual([
      expect.stringContaining("queue/bad-placeholder"),
    ]);
  });

  it.each(["date-time", "time", "uri", "email", "ipv6", "json-pointer-uri-fragment"])(
    "rejects text of a format that topics never hold: %s",
    (format) => {
      const schema = `{ type: string, format: ${format} }`;
      expect(withTopic("kafka", 'topic: "orders.{p}"', schema)).toEqual([
        expect.stringContaining(
          `queue/bad-target [{p}] \`p\` has the format \`${format}\`, which is not a valid name for a topic: it contains \``,
        ),
      ]);
      expect(withTopic("redis", 'topic: "orders.{p}"', schema)).toEqual([]);
      const others = `{ anyOf: [${schema}, { enum: [none] }] }`;
      expect(withTopic("kafka", 'topic: "orders.{p}"', others)).toEqual([]);
    },
  );

  it("rejects an empty routing key if a schema is registered under it", () => {
    const schema = JSON.stringify({
      type: "record",
      name: "Order",
      fields: [{ name: "id", type: "string" }],
    });
    const lines = (key: string) =>
      withBinding(
        [
          "provider: rabbitmq",
          "connection: ${EVENTS}",
          "exchange: fanned",
          `routing_key: ${key}`,
          "format: avro",
          "schema: ./order.avsc",
          "registry: ${REGISTRY}",
        ],
        undefined,
        undefined,
        { "order.avsc": schema },
      ).lines;
    expect(lines("orders")).toEqual([]);
    expect(lines('""')).toEqual([
      '6:16 queue/bad-target [""] the registry needs the routing key\'s name for the schema, but this name is empty (write a routing key)',
    ]);
  });

  it("accepts an empty routing key, except on the default exchange", () => {
    const routed = (key: string, schema = "{ enum: ['', a] }") =>
      withTopic("rabbitmq", `exchange: fanned\n  routing_key: "${key}"`, schema);
    expect(routed("{p}")).toEqual([]);
    expect(routed("a.{p}")).toEqual([]);
    expect(withTopic("rabbitmq", 'topic: "{p}"', "{ enum: ['', a] }")[0]).toContain(
      "`p` may be empty, but the name of a queue must not be empty",
    );
  });

  it.each([
    ["kafka", 'topic: "orders.{p}"', "topic"],
    ["redis", 'topic: "{p}"', "stream"],
    ["rabbitmq", 'topic: "${ENV}.{p}"', "queue"],
    ["rabbitmq", 'exchange: "{p}", routing_key: a', "exchange"],
  ])("warns that the caller picks the target freely: %s %s", (provider, line, what) => {
    for (const schema of [
      "{ type: string }",
      "{ type: [string, integer], maxLength: 9 }",
      "{ anyOf: [{ type: string, format: uuid }, { type: string, minLength: 1 }] }",
    ]) {
      const found = withTopic(provider, line.replace(", ", "\n  "), schema);
      expect(found.map((each) => each.replace(/^\d+:\d+ /, ""))).toEqual([
        `queue/open-target [{p}] \`p\` may be any text, so the caller picks the ${what} (list its values with \`enum\`, or write a \`pattern\`)`,
      ]);
    }
  });

  it.each([
    "{ enum: [eu, us] }",
    "{ type: string, const: eu }",
    "{ type: string, pattern: '^[a-z]+$' }",
    "{ type: string, format: uuid }",
    "{ type: integer }",
    "{ type: boolean }",
    "{ anyOf: [{ type: string, format: uuid }, { enum: [none] }] }",
  ])("does not warn if the schema limits the target: %s", (schema) => {
    expect(withTopic("kafka", 'topic: "a.{p}"', schema)).toEqual([]);
    expect(withTopic("kafka", 'topic: "{p}.{p}"', schema)).toEqual([]);
  });

  it("does not warn of a parameter that only routes", () => {
    const text = "{ type: string }";
    const routed = 'exchange: billing\n  routing_key: "order.{p}"';
    expect(withTopic("rabbitmq", routed, text)).toEqual([]);
    expect(withTopic("kafka", 'topic: orders\n  key: "{p}"', text)).toEqual([]);
  });

  it("rejects a parameter that may be absent or is not text", () => {
    const parameters = "{ id: { enum: [a] }, o: { type: object }, n: { enum: [a, null] } }";
    const lines = (topic: string) =>
      withBinding(
        ["provider: redis", "connection: ${EVENTS}", `topic: "${topic}"`],
        parameters,
        "n, o",
      ).lines;
    expect(lines("a.{id}")[0]).toContain(
      "queue/optional-in-target [{id}] `id` is optional, but the name of a stream needs it (make it required)",
    );
    expect(lines("a.{n}")[0]).toContain("`n` is nullable, but the name of a stream needs it");
    expect(lines("a.{o}")[0]).toContain("queue/not-a-scalar [{o}]");
  });
});

describe("headers and keys of messages", () => {
  it("rejects a connection that is not a single setting's name", () => {
    const lines = (connection: string) =>
      withBinding(["provider: kafka", `connection: ${connection}`, "topic: orders"]).lines;
    expect(lines("kafka://broker:9092")).toEqual([
      "4:15 queue/bad-connection [kafka://broker:9092] a connection must be a single `${NAME}` (write the name of the setting that holds the URL, such as `${ORDER_EVENTS}`)",
    ]);
    expect(lines("$EVENTS")[0]).toContain("(write `${EVENTS}`)");
    expect(lines('"${A}${B}"')[0]).toContain("queue/bad-connection");
  });

  it("rejects a header that is given twice, and a placeholder in the name of a header", () => {
    expect(of("kafka", "topic: t", 'headers_mapping: { Source: a, source: "{id}" }').lines).toEqual(
      [
        "6:33 queue/duplicate-header [source] `source` is set twice: consumers disagree on whether case matters (keep one of the two)",
      ],
    );
    expect(of("kafka", "topic: t", 'headers_mapping: { "{id}": a }').lines[0]).toContain(
      "queue/placeholder-in-name",
    );
  });

  it("rejects the header that `idempotency` already sends", () => {
    const lines = ['idempotency: { key: "{id}" }', "headers_mapping: { Idempotency-Key: a }"];
    const { lines: faults, related } = of("kafka", "topic: t", ...lines);
    expect(faults).toEqual([
      "7:22 queue/duplicate-header [Idempotency-Key] `Idempotency-Key` is set twice: on Kafka, `idempotency` sets that header (remove the header)",
    ]);
    expect(related).toEqual([['"{id}"']]);
    expect(of("kafka", "topic: t", "headers_mapping: { idempotency-key: a }").lines).toEqual([]);
    expect(of("redis", "topic: t", ...lines).lines).toEqual([]);
  });

  it.each(["CC", "BCC"])("rejects a header that RabbitMQ does not take as text: %s", (name) => {
    const mapping = `headers_mapping: { ${name}: billing }`;
    expect(of("rabbitmq", "topic: t", mapping).lines).toEqual([
      `6:22 queue/routing-header [${name}] \`${name}\` is RabbitMQ's list of further routing keys, which can't be text (rename the header, for example in lower case; to send copies, bind more queues to the exchange)`,
    ]);
    expect(of("rabbitmq", "topic: t", mapping.toLowerCase()).lines).toEqual([]);
    expect(of("kafka", "topic: t", mapping).lines).toEqual([]);
  });

  it("rejects an idempotency key that is the same for all messages", () => {
    expect(of("redis", "topic: t", "idempotency: { key: order }").lines[0]).toContain(
      "queue/bad-idempotency-key [order]",
    );
    const good = of("redis", "topic: t", 'idempotency: { key: "{id}" }');
    expect(good.lines).toEqual([]);
    expect(good.resolved).toMatchObject({ effect: "write", idempotent: true });
  });

  it("rejects a credential in the message, and accepts one in a header", () => {
    expect(of("kafka", "topic: t", 'message: { id: "{id}", region: "${REGION}" }').lines).toEqual([
      "6:35 queue/credential-in-message [${REGION}] `${REGION}` is in a message, which everybody with access to the queue can read (put a setting into `headers_mapping`; a credential belongs only in `connection`)",
    ]);
    const { lines, resolved } = of("kafka", "topic: t", 'headers_mapping: { region: "${REGION}" }');
    expect(lines).toEqual([]);
    expect(resolved?.credentials.map(({ name }) => name)).toEqual(["EVENTS", "REGION"]);
  });

  it("reports a parameter that is neither sent nor `unused`", () => {
    const two = "{ id: { type: string }, note: { type: string } }";
    const base = ["provider: kafka", "connection: ${EVENTS}", "topic: t"];
    expect(withBinding([...base, 'message: { id: "{id}" }'], two).lines[0]).toContain(
      "queue/unused-parameter",
    );
    expect(withBinding(base, two).lines).toEqual([]);
  });
});

describe("schema file", () => {
  it("requires a schema for formats that need one", () => {
    expect(of("kafka", "topic: t", "format: avro").lines).toEqual([
      "6:11 queue/no-schema [avro] `avro` messages need a schema, but the binding names none (write `schema: ./order.avsc`)",
    ]);
    expect(of("kafka", "topic: t", "format: protobuf").lines[0]).toContain(
      "(write `schema: ./orders.proto#acme.Order`)",
    );
  });

  const record = JSON.stringify({
    type: "record",
    name: "Order",
    fields: [{ name: "id", type: "string" }],
  });
  const files = {
    "order.avsc": record,
    "avro.json": record,
    "Order.PROTO": 'syntax = "proto3"; message Order { string id = 1; }',
    "order.json": '{ "$defs": { "Order": { "required": ["id"] } } }',
  };
  const ofFile = (...lines: readonly string[]) =>
    withBinding(
      ["provider: kafka", "connection: ${EVENTS}", "topic: t", ...lines],
      undefined,
      undefined,
      files,
    );

  it.each([
    [["format: avro", "schema: ./order.avsc"], "avro"],
    [["format: avro", "schema: ./avro.json"], "avro"],
    [["format: protobuf", "schema: ./Order.PROTO#Order"], "protobuf"],
    [["schema: ./order.json#/$defs/Order"], "json"],
    [["format: json", "schema: ./order.json"], "json"],
  ])("accepts a schema of its format: %j", (lines, kind) => {
    const { lines: faults, resolved } = ofFile(...lines);
    expect(faults).toEqual([]);
    expect(resolved?.config.schema?.encoding.kind).toBe(kind);
  });

  it.each([
    [
      ["schema: ./order.avsc"],
      "6:11 queue/other-format [./order.avsc] `./order.avsc` is an Avro schema, but without `format` messages are JSON (write `format: avro`)",
    ],
    [
      ["format: json", "schema: ./order.avsc"],
      "7:11 queue/other-format [./order.avsc] `./order.avsc` is an Avro schema, but the format is `json` (write `format: avro`)",
    ],
    [
      ["schema: ./order.avsc", "registry: ${REGISTRY}"],
      "6:11 queue/other-format [./order.avsc] `./order.avsc` is an Avro schema, but without `format` messages are JSON (write `format: avro`)",
    ],
    [
      ["schema: ./Order.PROTO#Order"],
      "6:11 queue/other-format [./Order.PROTO#Order] `./Order.PROTO#Order` is a Protobuf file, but without `format` messages are JSON (write `format: protobuf`)",
    ],
    [
      ["format: avro", "schema: ./Order.PROTO#Order"],
      "7:11 queue/other-format [./Order.PROTO#Order] `./Order.PROTO#Order` is a Protobuf file, but the format is `avro` (write `format: protobuf`)",
    ],
    [
      ["format: protobuf", "schema: ./order.avsc"],
      "7:11 queue/other-format [./order.avsc] `./order.avsc` is an Avro schema, but the format is `protobuf` (write `format: avro`)",
    ],
    [
      ["format: avro", 'schema: "./order.avsc#Order"'],
      '7:11 queue/not-for-format ["./order.avsc#Order"] `avro` messages can\'t have `#Order`: an Avro file is one schema (write `schema: ./order.avsc`)',
    ],
  ])("reports a schema of another format once: %j", (lines, fault) => {
    expect(ofFile(...lines).lines).toEqual([fault]);
  });

  it("checks the message even if the schema has another format", () => {
    const { lines } = ofFile("schema: ./order.avsc", 'message: { ID: "{id}" }');
    expect(lines.map((line) => line.split(" ")[1])).toEqual([
      "queue/other-format",
      "queue/unknown-field",
    ]);
  });

  it("rejects a registry for any format but Avro", () => {
    expect(of("kafka", "topic: t", "registry: ${REGISTRY}").lines).toEqual([
      "6:3 queue/not-for-format [registry] `json` messages can't have `registry` (remove it, or write `format: avro`)",
    ]);
  });
});
