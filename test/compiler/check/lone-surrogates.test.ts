/** What is written and can never be sent: half of a surrogate pair, in any place of any kind, and NUL where PostgreSQL gets it. */
import { expect, test } from "vitest";
import { diagnose } from "../whole/compile-untyped.js";

/** What is found, as `code at text`, but for what makes a skill not portable. The tool's parameter is `v`. */
async function foundIn(v: string, binding: readonly string[]): Promise<readonly string[]> {
  const lines = [
    "---",
    "name: notes",
    "description: Keeps notes.",
    "tools:",
    "  keep:",
    "    description: Keep a note.",
    "    parameters:",
    "      type: object",
    "      required: [v]",
    "      additionalProperties: false",
    `      properties: { v: ${v} }`,
    "    binding:",
    ...binding.map((line) => `      ${line}`),
    "---",
    "",
  ];
  const files: Readonly<Record<string, string>> = { "skills/notes/SKILL.md": lines.join("\n") };
  const { diagnostics } = await diagnose(files);
  return diagnostics
    .filter(({ code }) => code !== "skill/not-portable")
    .map(({ code, span }) => `${code} at ${files[span.file]?.slice(span.start, span.end)}`);
}

const http = (...lines: readonly string[]) => [
  "type: http",
  "method: POST",
  ...(lines.some((line) => line.startsWith("url")) ? [] : ["url: https://api.example.com/notes"]),
  ...lines,
];
const queue = (provider: string, ...lines: readonly string[]) => [
  "type: queue",
  `provider: ${provider}`,
  "connection: ${EVENTS}",
  ...lines,
];

const half = String.raw`\ud83d`;

test.each<[place: string, binding: readonly string[], error: string]>([
  ["an HTTP query", http(`query: { q: "x ${half}", v: "{v}" }`), `http/lone-surrogate at ${half}`],
  [
    "the name of a query's entry",
    http(`query: { "${half}": "{v}" }`),
    `http/lone-surrogate at "${half}"`,
  ],
  ["a URL", http(`url: "https://api.example.com/${half}/{v}"`), `http/lone-surrogate at ${half}`],
  ["a header", http(`headers: { X-Note: "${half}{v}" }`), `http/lone-surrogate at ${half}`],
  [
    "a JSON body",
    http(`body_template: { note: ["{v}", { deep: "${half}" }] }`),
    `http/lone-surrogate at ${half}`,
  ],
  [
    "a name in a JSON body",
    http(`body_template: { "a${half}": "{v}" }`),
    `http/lone-surrogate at "a${half}"`,
  ],
  [
    "a message",
    queue("kafka", "topic: notes", `message: { v: "{v}", note: "${half}" }`),
    `queue/lone-surrogate at ${half}`,
  ],
  [
    "a message's key",
    queue("kafka", "topic: notes", `key: "${half}-{v}"`),
    `queue/lone-surrogate at ${half}`,
  ],
  [
    "a message's header",
    queue("kafka", "topic: notes", `headers_mapping: { note: "${half}{v}" }`),
    `queue/lone-surrogate at ${half}`,
  ],
  [
    "an exchange",
    queue("rabbitmq", `exchange: "${half}"`, "routing_key: notes", 'message: "{v}"'),
    `queue/lone-surrogate at ${half}`,
  ],
  [
    "a stream",
    queue("redis", `topic: "notes${half}"`, 'message: "{v}"'),
    `queue/lone-surrogate at ${half}`,
  ],
])("half of a character in %s is an error where it stands", async (_, binding, error) => {
  expect(await foundIn("{ type: string }", binding)).toEqual([error]);
});

test("a whole character that is written as two escapes is no lone surrogate", async () => {
  const binding = http(String.raw`query: { q: "\ud83d\ude00", v: "{v}" }`);
  expect(await foundIn("{ type: string }", binding)).toEqual([]);
});

test.each<readonly [what: string, v: string, binding: readonly string[], error: string]>([
  [
    "a listed value for a query",
    `{ enum: [a, "${half}"] }`,
    http('query: { q: "{v}" }'),
    `http/unusable-value at "${half}"`,
  ],
  [
    "a default for a query",
    `{ type: string, default: "${half}" }`,
    http('query: { q: "{v}" }'),
    `http/unusable-default at "${half}"`,
  ],
  [
    "a listed value for a routing key",
    `{ enum: [a, "${half}"] }`,
    queue("rabbitmq", "exchange: notes", 'routing_key: "{v}"', "message: {}"),
    "queue/bad-target at {v}",
  ],
  ...["enum: [a, H]", "const: H", "default: H", "enum: [H]"].flatMap((said) =>
    [
      queue("kafka", "topic: notes", 'key: "{v}"', "message: {}"),
      queue("kafka", "topic: notes", 'headers_mapping: { note: "{v}" }', "message: {}"),
      queue("kafka", "topic: notes", 'message: { note: "{v}" }'),
      queue("redis", "topic: notes"),
    ].map(
      (binding) =>
        [
          `${said} for ${binding.slice(3).join(", ")}`,
          `{ type: string, ${said.replace("H", `"${half}"`)} }`,
          binding,
          `queue/lone-surrogate at "${half}"`,
        ] as const,
    ),
  ),
  [
    "a listed part of a parameter",
    `{ type: object, properties: { a: { enum: [x, "${half}"] } } }`,
    queue("redis", "topic: notes"),
    `queue/lone-surrogate at "${half}"`,
  ],
])("half of a character in %s is an error", async (_, v, binding, error) => {
  expect(await foundIn(v, binding)).toEqual([error]);
});
