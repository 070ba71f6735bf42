/** Bindings that compile but are probably mistakes: warnings, and errors if every call would fail. */
import { describe, expect, test } from "vitest";
import { diagnose } from "../whole/compile-untyped.js";

/** A skill of one tool with these lines, and a binding of those. */
function skill(name: string, tool: readonly string[], binding: readonly string[]) {
  const lines = [
    "---",
    `name: ${name}`,
    "description: Looks after orders.",
    "tools:",
    "  handle-order:",
    "    description: Handle an order.",
    ...tool.map((line) => `    ${line}`),
    "    binding:",
    ...binding.map((line) => `      ${line}`),
    "---",
    "",
  ];
  return { [`skills/${name}/SKILL.md`]: lines.join("\n") };
}

/** `severity code at text: message`, but for what makes a skill not portable. */
async function told(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { diagnostics } = await diagnose(files);
  return diagnostics
    .filter(({ code }) => code !== "skill/not-portable")
    .map(({ code, message, severity, span }) => {
      const text = files[span.file]?.slice(span.start, span.end);
      return `${severity} ${code} at ${text}: ${message}`;
    });
}

async function codesOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return (await told(files)).map((line) => line.replace(/: (?!.*\}: ).*/, ""));
}

const http = (...lines: readonly string[]) => ["type: http", ...lines];
const orders = "url: https://api.example.com/orders/{order_id}";
const kafka = (...lines: readonly string[]) => [
  "type: queue",
  "provider: kafka",
  "connection: ${EVENTS}",
  "topic: orders.created",
  ...lines,
];

describe("the name of a parameter as text", () => {
  const tool = ["order_id: string", "revision: string"];

  test.each([
    ["a header", http("method: PUT", orders, "headers: { If-Match: revision }"), "revision"],
    [
      "a query's entry of its name",
      http("method: PUT", orders, "query: { revision: revision }"),
      "revision",
    ],
    [
      "a property of its name",
      http(
        "method: PUT",
        orders,
        'body_template: { a: [{ revision: revision }], b: "{revision}" }',
      ),
      "revision",
    ],
    ["Kafka's key", kafka("key: order_id"), "order_id"],
    ["a header of a message", kafka("headers_mapping: { source: revision }"), "revision"],
    ...[":order_id", "$.order_id", "$order_id", "<order_id>"].map(
      (written): [string, string[], string] => [
        `Kafka's key, as \`${written}\``,
        kafka(`key: "${written}"`),
        written,
      ],
    ),
    [
      "a property of a message",
      kafka('message: { revision: revision, id: "{order_id}", at: "{revision}" }'),
      "revision",
    ],
  ])("causes a warning in %s", async (_, binding, name) => {
    expect(await told(skill("desk", tool, binding))).toEqual([
      `warning ${binding[0]?.slice(6)}/literal-parameter at ${binding.join().includes(`"${name}"`) ? `"${name}"` : name}: \`${name}\` is text here, not the parameter with that name`,
    ]);
  });

  test.each([
    [
      "a value of another property",
      http("method: PUT", orders, 'body_template: { kind: revision, at: "{revision}" }'),
    ],
    [
      "a value of a query's other entry",
      http("method: PUT", orders, 'query: { sort: revision, at: "{revision}" }'),
    ],
    ["its placeholder", http("method: PUT", orders, 'headers: { If-Match: "{revision}" }')],
  ])("causes no warning as %s", async (_, binding) => {
    expect(await told(skill("desk", tool, binding))).toEqual([]);
  });

  test.each([
    ...[":order_id", "<order_id>", "{{order_id}}", "$order_id", "[order_id]", ":orderId"].map(
      (written): [string, string] => [`/orders/${written}`, written.replace(/^\{(.*)\}$/, "$1")],
    ),
    ["/orders/order_id", "order_id"],
    ["/order_id/notes", "order_id"],
    ["/orders?id=:order_id", ":order_id"],
    ["/orders?order_id=order_id", "order_id"],
  ])("causes a warning in the URL %s of a request with an implicit body", async (path, text) => {
    const binding = http("method: PUT", `url: "https://api.example.com${path}"`);
    expect(await told(skill("desk", tool, binding))).toEqual([
      expect.stringMatching(
        /^warning http\/literal-parameter at .*: `.*` is text here, so the parameter `order_id` goes into the body$/,
      ),
    ]);
    expect((await told(skill("desk", tool, binding)))[0]).toContain(`: \`${text}\` is text`);
  });

  test.each([
    [
      "of a part of the resource",
      ["order_id: string", "password: string", "external_id: string"],
      [orders.replace("}", "}/password"), orders.replace("}", "}/external_id")],
    ],
    [
      "that is no id",
      ["order: string", "status: string"],
      ["url: https://api.example.com/store/order", "url: https://api.example.com/status?status=a"],
    ],
    [
      "that differs from the name of the parameter",
      ["openId: string", "userId: string"],
      ["url: https://api.example.com/openid/keys", "url: https://api.example.com/find/userid"],
    ],
    ["that a placeholder sends", ["id: string"], ["url: https://api.example.com/id/{id}"]],
  ])("causes no warning as a segment %s", async (_, parameters, urls) => {
    for (const url of urls)
      expect(await told(skill("desk", parameters, http("method: PUT", url)))).toEqual([]);
  });

  test("causes a warning in the URL of a read if another placeholder sends the parameter", async () => {
    const url = 'url: "https://api.example.com/orders/:order_id"';
    const binding = http("method: GET", url, 'query: { id: "{order_id}" }');
    expect(await told(skill("desk", ["order_id: string"], binding))).toEqual([
      "warning http/literal-parameter at :order_id: `:order_id` is text here, not the parameter `order_id`",
    ]);
  });

  test("causes a warning in the query if the implicit body takes the parameter", async () => {
    const binding = http("method: PUT", orders, 'query: { at: ":revision" }');
    expect(await told(skill("desk", tool, binding))).toEqual([
      'warning http/literal-parameter at ":revision": `:revision` is text here, not the parameter with that name',
    ]);
  });

  test("causes no warning in the name of a topic if the parameter is a list", async () => {
    const list = ["orders: { type: array, items: { type: string } }"];
    const binding = kafka().map((line) => line.replace("orders.created", "orders"));
    expect(await told(skill("desk", list, binding))).toEqual([]);
  });
});

describe("a field of the caller without braces", () => {
  test.each([
    ["a header", http("method: PUT", orders, "headers: { X-Tenant: caller.tenant }")],
    ["a query", http("method: PUT", orders, "query: { tenant: caller.tenant }")],
    ["a body", http("method: PUT", orders, "body_template: { by: [{ tenant: caller.tenant }] }")],
    ["a form", http("method: PUT", orders, "body: { form: { tenant: caller.tenant } }")],
    [
      "a part",
      http("method: PUT", orders, "body: { multipart: { tenant: { text: caller.tenant } } }"),
    ],
    ["a message", kafka('message: { id: "{order_id}", tenant: caller.tenant }')],
    ["a key", kafka("key: caller.tenant", 'message: { id: "{order_id}" }')],
  ])("causes a warning in %s", async (_, binding) => {
    expect(await told(skill("desk", ["order_id: string"], binding))).toEqual([
      `warning ${binding[0]?.slice(6)}/literal-parameter at caller.tenant: \`caller.tenant\` is text here, not the caller's tenant`,
    ]);
  });

  test("causes no warning as a part of a text, or with an unknown field", async () => {
    const binding = http(
      "method: PUT",
      orders,
      'headers: { A: "the caller.tenant", B: "{caller.tenant}", C: caller.name }',
    );
    expect(await told(skill("desk", ["order_id: string"], binding))).toEqual([]);
  });
});

describe("a schema for an answer without content", () => {
  const ofStatus = (codes: string, ...tool: readonly string[]) =>
    skill(
      "desk",
      ["order_id: string", ...tool],
      http("method: DELETE", orders, `response_mapping: { status_codes: { ${codes} } }`),
    );
  const returns = "returns: { type: object }";

  test.each(['"204": success', '"205": success', '"204": success, "404": x'])(
    "causes an error if the successes are %s",
    async (codes) => {
      expect(await codesOf(ofStatus(codes, returns))).toEqual([
        "error http/no-content at { type: object }",
      ]);
    },
  );

  test.each([
    [
      "those without content have names of their own",
      ofStatus('"204": gone, "205": reset', returns),
    ],
    ["another success is listed", ofStatus('"200": success, "204": gone', returns)],
    ["null is taken", ofStatus('"204": success', "returns: { type: [object, 'null'] }")],
    ["nothing is asked", ofStatus('"204": success')],
  ])("causes no error if %s", async (_, files) => {
    expect(await codesOf(files)).toEqual([]);
  });

  const schema = "schema: { type: object, required: [id], properties: { id: { type: string } } }";
  test.each([
    [`"204": { as: nothing, ${schema} }`, '"204"'],
    [`"205": { as: nothing, ${schema} }`, '"205"'],
    [`"204": { as: success, ${schema} }`, '"204"'],
    ['"205": { as: reset, path: $.id }', '"205"'],
    [`"204": { as: reset, path: $.id, ${schema} }`, '"204"'],
    [`"200": success, "204": { as: nothing, ${schema} }`, '"204"'],
    [`"202": { as: nothing, ${schema} }, "204": { as: nothing, ${schema} }`, '"204"'],
    [`"304": { as: not_modified, ${schema} }`, '"304"'],
  ])("causes an error at a status that never has content: %s", async (codes, at) => {
    expect(await codesOf(ofStatus(codes))).toEqual([`error http/no-content at ${at}`]);
  });

  test.each([
    '"204": { as: nothing, schema: { type: "null" } }',
    '"204": { as: nothing, schema: {} }',
    `"2XX": { as: done, ${schema} }, "204": nothing`,
  ])(
    "causes no error at a status whose schema allows null or that may have content: %s",
    async (codes) => {
      expect(await codesOf(ofStatus(codes))).toEqual([]);
    },
  );

  test("causes an error in `response_schema` too", async () => {
    const binding = http(
      "method: DELETE",
      orders,
      'response_mapping: { status_codes: { "204": success } }',
      "response_schema: { type: object }",
    );
    expect(await codesOf(skill("desk", ["order_id: string"], binding))).toEqual([
      "error http/no-content at { type: object }",
    ]);
  });
});

describe("a credential over plain HTTP", () => {
  const to = (origin: string, ...lines: readonly string[]) =>
    skill("desk", ["order_id: string"], http("method: GET", `url: ${origin}/{order_id}`, ...lines));
  const header = "headers: { X-Key: '${API_KEY}' }";

  test.each(["http://api.example.com", "http://10.0.0.1:8080", "http://localhost.example.com"])(
    "causes a warning if it goes to %s",
    async (origin) => {
      expect(await codesOf(to(origin, header))).toEqual([
        `warning http/credential-in-clear at ${origin}`,
      ]);
      expect(await codesOf(to(origin))).toEqual([]);
    },
  );

  test.each([
    "https://api.example.com",
    "http://localhost:3000",
    "http://127.0.0.1",
    "http://[::1]:80",
    "http://desk.localhost",
    "${ORDERS_URL}",
  ])("causes no warning if it goes to %s", async (origin) => {
    const found = await codesOf(to(origin, header));
    expect(found.filter((each) => each?.includes("in-clear"))).toEqual([]);
  });
});

describe("a blank at the end of a name", () => {
  test.each([
    ["a query's entry", http("method: PUT", orders, 'query: { "a ": 1 }'), '"a "'],
    ["a property of a body", http("method: PUT", orders, 'body_template: { " a": 1 }'), '" a"'],
    ["a header of a message", kafka('headers_mapping: { "source ": desk }'), '"source "'],
    ["a property of a message", kafka('message: { "id ": "{order_id}" }'), '"id "'],
    [
      "a stream",
      ["type: queue", "provider: redis", "connection: ${LOG}", 'topic: "orders "'],
      '"orders "',
    ],
    [
      "a routing key that ends in a reference's text",
      [
        "type: queue",
        "provider: rabbitmq",
        "connection: ${BUS}",
        "exchange: a",
        'routing_key: "${ENV}.b "',
      ],
      '"${ENV}.b "',
    ],
  ])("causes a warning in %s", async (_, binding, text) => {
    const kind = binding[0]?.slice(6);
    expect(await codesOf(skill("desk", ["order_id: string"], binding))).toEqual([
      `warning ${kind}/blank-in-name at ${text}`,
    ]);
  });

  test("causes a warning in parameters and results, at any depth", async () => {
    const lines = [
      '"order_id ": string',
      'lines: { type: array, items: { type: object, properties: { " sku": { type: string } } } }',
      'returns: { type: object, properties: { "a\\t": { type: string } } }',
    ];
    const found = await told(
      skill("desk", lines, ["type: http", "method: POST", "url: https://a.example"]),
    );
    expect(
      found.map((line) => line.replace(/ at [^:]*:.*the name/, ": the name").replace(/ at .*/, "")),
    ).toHaveLength(3);
    expect(found.every((line) => line.startsWith("warning tool/blank-in-name"))).toBe(true);
  });
});

describe("a setting or an address that two skills share", () => {
  const stock = (...binding: readonly string[]) => skill("stock", ["order_id: string"], binding);
  const queue = (provider: string, ...lines: readonly string[]) => [
    "type: queue",
    `provider: ${provider}`,
    ...lines,
  ];
  const desk = skill("desk", ["order_id: string"], kafka());

  test.each([
    ["a Redis server", queue("redis", "connection: ${EVENTS}", "topic: stock")],
    ["a RabbitMQ broker", queue("rabbitmq", "connection: ${EVENTS}", "topic: stock")],
    ["an HTTP API", http("method: GET", "url: ${EVENTS}/{order_id}")],
  ])("can't be the address of a Kafka broker and of %s", async (what, binding) => {
    const { diagnostics } = await diagnose({ ...desk, ...stock(...binding) });
    const found = diagnostics.find(({ code }) => code === "binding/setting-twice");
    expect(found?.message).toBe(
      `\`\${EVENTS}\` is the address of ${what} here, and of a Kafka broker in \`desk/handle-order\``,
    );
    expect(found?.related).toMatchObject([{ span: { file: "skills/desk/SKILL.md" } }]);
    expect(found).toMatchObject({ skill: "stock", tool: "handle-order" });
  });

  test("may name the same broker for both, or a value elsewhere", async () => {
    const same = stock(...queue("kafka", "connection: ${EVENTS}", "topic: stock"));
    expect(await codesOf({ ...desk, ...same })).toEqual([]);
    const value = stock(...http("method: GET", `${orders}`, "query: { at: '${EVENTS}' }"));
    expect(await codesOf({ ...desk, ...value })).toEqual([]);
  });

  const avro: Readonly<Record<string, string>> = {
    ...stock(...kafka("format: avro", "schema: ./order.avsc")),
    "skills/stock/order.avsc":
      '{"type": "record", "name": "Order", "fields": [{"name": "order_id", "type": "string"}]}',
  };

  test("causes a warning if its messages have two encodings", async () => {
    expect(await told({ ...desk, ...avro })).toEqual([
      "warning binding/two-encodings at orders.created: messages to `orders.created` are avro here, and json in `desk/handle-order`",
    ]);
  });

  test("causes no warning for two encodings at different brokers", async () => {
    const other = Object.fromEntries(
      Object.entries(avro).map(([path, text]) => [path, text.replace("${EVENTS}", "${OTHERS}")]),
    );
    expect(await codesOf({ ...desk, ...other })).toEqual([]);
  });

  test("causes no warning if the tool accepts the finding", async () => {
    const path = "skills/stock/SKILL.md";
    const reason = "    accept: { binding/two-encodings: the readers look at the header }";
    const text = avro[path]?.replace("    binding:", `${reason}\n    binding:`) ?? "";
    expect(await codesOf({ ...desk, ...avro, [path]: text })).toEqual([]);
  });
});
