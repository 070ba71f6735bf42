import { describe, expect, test } from "vitest";
import { checkedProject, desk, faults } from "./skill-project.js";

/** The faults of one tool, `get`, with these lines, without place and severity: `code: message (help)`. */
async function faultsOf(...lines: readonly string[]): Promise<readonly string[]> {
  const tool = [
    "tools:",
    "  get:",
    "    description: Get it.",
    ...lines.map((line) => `    ${line}`),
  ];
  return faults(await checkedProject(desk(...tool))).map((line) => line.replace(/^\S+ error /, ""));
}

const get = "type: http, method: GET, url: 'https://a.example/{q}'";
const binding = `binding: { ${get} }`;

describe("a tool's key under another name", () => {
  test.each([
    ["retruns: { type: array, items: { type: string } }", "returns"],
    ["retuns: { type: string }", "returns"],
    ["return: { type: array }", "returns"],
    ["input_schema: { properties: { q: { type: string } } }", "parameters"],
    ["inputSchema: { type: object }", "parameters"],
    ["args: { q: string }", "parameters"],
    ["args_schema: { type: object, properties: { q: { type: string } } }", "parameters"],
    ["argsSchema: { type: object }", "parameters"],
    ["arguments_schema: { type: object }", "parameters"],
    ["inputParameters: { type: object }", "parameters"],
    ["schema: { q: string }", "parameters"],
    ["output_schema: { type: string }", "returns"],
    ["outputSchema: { type: array }", "returns"],
    ["summary: Get it from there", "description"],
  ])("causes a suggestion: %s", async (line, meant) => {
    const name = line.slice(0, line.indexOf(":"));
    for (const parameters of [
      ["q: string"],
      ["parameters: { type: object, properties: { q: {} } }"],
    ]) {
      const found = (await faultsOf(...parameters, line, binding)).filter((each) =>
        each.startsWith("tool/"),
      );
      expect(found).toEqual([
        expect.stringContaining(`tool/unknown-key: \`${name}\` is not a key of a tool`),
      ]);
      expect(found[0]).toMatch(new RegExp(`\\(did you mean \`${meant}\`\\?\\)$`));
    }
  });

  test("may be `arguments` with properties if it is the only such key", async () => {
    const line = "arguments: { type: object, properties: { q: { type: string } } }";
    expect(await faultsOf(line, binding)).toEqual([
      "tool/unknown-key: `arguments` is not a key of a tool (did you mean `parameters`?)",
    ]);
  });

  test.each([
    "q: string",
    "args: { type: array, items: { type: string } }",
    "result: { type: object, properties: { a: { type: string } } }",
    "return: { type: boolean }",
    "returned: { type: integer }",
    "returns?: { type: array, items: { type: string } }",
    "pending: { type: boolean }",
    "building: { type: string }",
    "parts: { type: array, items: { type: string } }",
    "tag: { type: string }",
  ])("does not include the valid name of a parameter: %s", async (line) => {
    expect(
      await faultsOf(line, "binding: { type: http, method: POST, url: https://a.example }"),
    ).toEqual([]);
  });
});

describe("a binding's key under another name", () => {
  test.each([
    ["payload: { a: 1 }", "did you mean `body_template`?"],
    ["json: { a: 1 }", "did you mean `body_template`?"],
    ["data: { a: 1 }", "did you mean `body_template`?"],
    ["params: { a: 1 }", "did you mean `query`?"],
    ["timeout: 500", "did you mean `timeout_ms`?"],
    ["retries: 3", "write `retry: { max_attempts: … }`"],
    ["response_path: $.data", "write `response_mapping: { path: … }`"],
    ["status_codes: {}", "write `response_mapping: { status_codes: … }`"],
    ["retry: { attempts: 1 }", "did you mean `max_attempts`?"],
  ])("causes a suggestion: %s", async (line, help) => {
    const found = await faultsOf("q: string", `binding: { ${get}, ${line} }`);
    expect(found).toEqual([expect.stringMatching(/^binding\/unknown-key: /)]);
    expect(found[0]?.endsWith(` (${help})`)).toBe(true);
  });

  test("gets the error of a binding key if it is one of another form", async () => {
    expect(await faultsOf("q: string", `binding: { ${get}, path: $.data }`)).toEqual([
      expect.stringMatching(/^binding\/wrong-type: `path` must be a mapping/),
    ]);
  });

  test("does not count as missing too", async () => {
    expect(
      await faultsOf(
        "q: string",
        "binding: { type: http, method: GET, uri: 'https://a.example/{q}' }",
      ),
    ).toEqual([
      "binding/unknown-key: `uri` is not a key of a binding of type `http` (did you mean `url`?)",
    ]);
  });
});

describe("a queue binding's key under another name", () => {
  const keys = {
    provider: "kafka",
    connection: '"${EVENTS}"',
    topic: "orders",
  };
  /** The binding with a key more, which takes the place of the one that it means. */
  const queue = (line: string, meant: string) => {
    const others = Object.entries(keys).filter(([key]) => key !== meant);
    const pairs = others.map(([key, value]) => `${key}: ${value}`);
    return faultsOf("q: string", `binding: { type: queue, ${[...pairs, line].join(", ")} }`);
  };

  test.each([
    ["headers: { a: b }", "headers_mapping"],
    ["queue: orders", "topic"],
    ["stream: orders", "topic"],
    ["channel: orders", "topic"],
    ["body_template: { a: 1 }", "message"],
    ["payload: { a: 1 }", "message"],
    ["value: { a: 1 }", "message"],
    ["body: { a: 1 }", "message"],
    ["servers: '${EVENTS}'", "connection"],
    ["bootstrap.servers: '${EVENTS}'", "connection"],
    ["url: '${EVENTS}'", "connection"],
    ["brokers: '${EVENTS}'", "connection"],
    ["broker: '${EVENTS}'", "connection"],
    ["broker: kafka", "provider"],
    ["partitionKey: '{q}'", "key"],
    ["schema_registry: '${REGISTRY}'", "registry"],
    ["encoding: json", "format"],
    ["timeout: 500", "timeout_ms"],
  ])("causes a suggestion: %s", async (line, meant) => {
    const name = line.slice(0, line.indexOf(":"));
    expect(await queue(line, meant)).toEqual([
      `binding/unknown-key: \`${name}\` is not a key of a binding of type \`queue\` (did you mean \`${meant}\`?)`,
    ]);
  });

  test.each([
    ["format: proto", "protobuf"],
    ["format: Proto3", "protobuf"],
    ["format: json-schema", "json"],
    ["format: JsonSchema", "json"],
    ["format: avsc", "avro"],
    ["provider: amqp", "rabbitmq"],
    ["provider: redis-streams", "redis"],
    ["provider: jetstream", "nats"],
  ])("suggests a value: %s", async (line, meant) => {
    const key = line.slice(0, line.indexOf(":"));
    const found = await queue(line, key);
    expect(found).toEqual([expect.stringMatching(/^binding\/wrong-value: /)]);
    expect(found[0]?.endsWith(` (write \`${meant}\`)`)).toBe(true);
  });

  test("does not suggest a value of another key", async () => {
    const found = await queue("mode: amqp", "mode");
    expect(found).toEqual(["binding/wrong-value: `mode` must be `active` or `shadow`"]);
  });
});

describe("a value in another form", () => {
  test.each([
    ["timeout_ms: 5s", "write `5000`, in milliseconds"],
    ["timeout_ms: 1.5 seconds", "write `1500`, in milliseconds"],
    ["timeout_ms: 250ms", "write `250`, in milliseconds"],
    [
      "headers: [{ X-Id: '{q}' }, 'Authorization: Bearer abc']",
      'write `headers: { X-Id: "{q}", Authorization: … }`',
    ],
    ["headers: []", "write `headers: { name: value }`"],
    [
      "query: 'id={q}&token=${KEY}&page=2'",
      'write `query: { id: "{q}", token: "${KEY}", page: … }`',
    ],
    ["query: all of it", "write `query: { name: value }`"],
  ])("causes a suggestion: %s", async (line, help) => {
    const found = await faultsOf("q: string", `binding: { ${get}, ${line} }`);
    expect(found).toEqual([expect.stringMatching(/^binding\/wrong-type: /)]);
    expect(found[0]?.endsWith(` (${help})`)).toBe(true);
  });

  test.each([
    ["q: { type: string, enum: a }", "schema/invalid: `enum` must be an array (write `enum: [a]`)"],
    [
      "q: { type: integer, default: three }",
      "schema/invalid-default: the default must be an integer, not a string",
    ],
    [
      "q: { type: boolean, default: 'true' }",
      "schema/invalid-default: the default must be a boolean, not a string (write `true` without quotes)",
    ],
    ["unused: q", "tool/wrong-type: `unused` must be a list, not text (write `[q]`)"],
  ])("causes a suggestion: %s", async (line, finding) => {
    const found = await faultsOf(
      line,
      "binding: { type: http, method: POST, url: https://a.example }",
    );
    expect(found).toEqual([finding]);
  });
});

describe("a placeholder without quotes", () => {
  const unquoted =
    'binding/wrong-type: `{q}` without quotes is a mapping with an empty value (write `"{q}"`)';

  test.each([
    "query: { a: {q} }",
    "query: { a: [{q}] }",
    "headers: { X-A: {q} }",
    "idempotency: { header: X-Key, key: {q} }",
  ])("causes a suggestion: %s", async (line) => {
    const url = "type: http, method: GET, url: https://a.example/";
    expect(await faultsOf("q: string", "note: string", `binding: { ${url}, ${line} }`)).toEqual([
      unquoted,
    ]);
  });

  test("causes an error as the URL and in the body, and its parameter counts as used", async () => {
    expect(await faultsOf("q: string", "binding: { type: http, method: GET, url: {q} }")).toEqual([
      unquoted,
    ]);
    const post = "type: http, method: POST, url: https://a.example";
    expect(await faultsOf("q: string", `binding: { ${post}, body_template: { a: {q} } }`)).toEqual([
      unquoted.replace("binding/wrong-type", "http/unquoted-placeholder"),
    ]);
  });

  test("causes only one error in double braces", async () => {
    expect(
      await faultsOf(
        "q: string",
        "binding:",
        "  type: http",
        "  method: GET",
        "  url: https://a.example",
        "  query: { a: {{q}} }",
      ),
    ).toEqual([
      'parse/key-not-text: without quotes, `{{q}}` is a mapping as a key of another mapping (for the value of a parameter, write `"{q}"`)',
    ]);
  });
});

test("the help suggests a portable name for a skill", async () => {
  const json = JSON.stringify({ tools: { look: { description: "Look." } } });
  const files = {
    "skills/desk/SKILL.md": "---\nname: Büro Shelf\ndescription: d\n---\n",
    "skills/desk/metadata.json": json,
  };
  const { diagnostics } = await checkedProject(files);
  expect(diagnostics.map(({ code, help }) => [code, help])).toEqual([
    ["name/bad-characters", "rename it, for example to `buro-shelf`"],
    ["skill/not-portable", "skillc needs no change; name it `buro-shelf`"],
  ]);
});
