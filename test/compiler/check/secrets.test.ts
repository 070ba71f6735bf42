import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../src/bindings/registry.js";
import { valueOf } from "../../../src/core/syntax-node.js";
import { defineBinding } from "../../../src/kit/binding.js";
import { noteBinding } from "../../support/rooted-kind.js";
import { checkedProject, desk, type Outcome } from "../resolve/skill-project.js";

const order = "https://api.orders.com/orders/{order_id}";

/** A skill with one POST whose binding has these lines. */
function posting(...lines: readonly string[]) {
  const binding = lines.map((line) => `      ${line}`);
  return desk(
    "tools:",
    "  send-order:",
    "    description: Send an order.",
    "    order_id: string",
    "    binding:",
    "      type: http",
    "      method: POST",
    ...binding,
  );
}

/** What the findings about credentials point at, with the tool that they name. */
function shownIn(
  files: Readonly<Record<string, string>>,
  { diagnostics }: Outcome,
): readonly string[] {
  return diagnostics
    .filter((each) => each.code.startsWith("credential/"))
    .map(({ span, tool }) => `${tool ?? "-"}: ${files[span.file]?.slice(span.start, span.end)}`);
}

async function found(...lines: readonly string[]): Promise<readonly string[]> {
  const files = posting(...lines);
  return shownIn(files, await checkedProject(files));
}

test("a reference without its braces is no secret, and reported once", async () => {
  const { lines } = await checkedProject(
    posting(
      "url: $ORDERS_URL/orders/{order_id}",
      "headers: { Authorization: Bearer $ORDERS_TOKEN }",
    ),
  );
  const errors = lines.filter((line) => line.includes(" error "));
  expect(errors.map((line) => line.replace(/^\S+ error /, ""))).toEqual([
    "http/bad-placeholder: `$ORDERS_URL` refers to nothing: a reference needs braces (write `${ORDERS_URL}`)",
    "http/bad-placeholder: `$ORDERS_TOKEN` refers to nothing: a reference needs braces (write `${ORDERS_TOKEN}`)",
  ]);
});

describe("a secret in plain text", () => {
  test("causes an error beside a reference", async () => {
    expect(
      await found(
        `url: ${order}`,
        'headers: { Authorization: "Bearer {order_id}-q83vZx0PpT7cWm2LkR9dYb4NhS6fJ1gUeA5iVoXt" }',
      ),
    ).toEqual(["send-order: -q83vZx0PpT7cWm2LkR9dYb4NhS6fJ1gUeA5iVoXt"]);
  });

  test("causes one error if it is a private key with many lines", async () => {
    const lines = Array.from({ length: 24 }, (_, at) => `kX9v${at}Zq83vZx0PpT7cWm2LkR9dYb4NhS6fJ1`);
    const pem = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----"];
    const secrets = await found(
      `url: ${order}`,
      "body_template:",
      "  key: |",
      ...pem.map((line) => `    ${line}`),
    );
    expect(secrets).toHaveLength(1);
  });

  test.each([
    [
      "a bearer token",
      [`url: ${order}`, "headers: { Authorization: Bearer 8fj2kd9s0a }"],
      "8fj2kd9s0a",
    ],
    [
      "a basic credential",
      [`url: ${order}`, "headers: { Authorization: Basic Ym9iOmJvYnB3 }"],
      "Ym9iOmJvYnB3",
    ],
    ["an API key header", [`url: ${order}`, "headers: { X-API-Key: abc123def }"], "abc123def"],
    [
      "a token spelt with escapes",
      [`url: ${order}`, 'headers: { Authorization: "Bearer \\x38fj2kd9s" }'],
      "\\x38fj2kd9s",
    ],
    ["a password in the URL", ["url: https://bob:s3cr3tpw@api.orders.com/{order_id}"], "s3cr3tpw"],
    [
      "a password with an at sign",
      ["url: https://bob:s3cr@3tpw@api.orders.com/{order_id}"],
      "s3cr@3tpw",
    ],
    [
      "a key in the URL's query",
      ["url: https://api.orders.com/{order_id}?api_key=9e107d9d&x=1"],
      "9e107d9d",
    ],
    [
      "a token among the query's entries",
      [`url: ${order}`, "query: { token: abcdefgh }"],
      "abcdefgh",
    ],
    [
      "a password in the body",
      [`url: ${order}`, "body_template: { login: { password: hunter2 } }"],
      "hunter2",
    ],
    ["a number as a password", [`url: ${order}`, "body_template: { password: 123456 }"], "123456"],
    [
      "random text under any key",
      [`url: ${order}`, "headers: { X-Foo: a9Kq3LmZ8pXw2VbN7tRy5CdE }"],
      "a9Kq3LmZ8pXw2VbN7tRy5CdE",
    ],
    [
      "a JSON Web Token, whole",
      [`url: ${order}`, "headers: { X-Foo: eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.abc }"],
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.abc",
    ],
    [
      "a key of AWS",
      [`url: ${order}`, "headers: { X-Foo: AKIAIOSFODNN7ABCDEFG }"],
      "AKIAIOSFODNN7ABCDEFG",
    ],
    [
      "a password below a key of the body that could hold a schema elsewhere",
      [
        `url: ${order}`,
        'body_template: { method: login, params: { user: bob, password: "hunter2hunter2" } }',
      ],
      "hunter2hunter2",
    ],
    ...["params", "parameters", "returns", "schema", "login_schema"].map(
      (key) =>
        [
          `a password below \`${key}\` of a body's list`,
          [`url: ${order}`, `body_template: { calls: [{ ${key}: { password: hunter2 } }] }`],
          "hunter2",
        ] as const,
    ),
    [
      "a token among the query's entries of a schema's name",
      [`url: ${order}`, "query: { schema: a9Kq3LmZ8pXw2VbN7tRy5CdE }"],
      "a9Kq3LmZ8pXw2VbN7tRy5CdE",
    ],
    [
      "a token in a header for authentication",
      [`url: ${order}`, "headers: { X-Auth: abcd1234efgh5678 }"],
      "abcd1234efgh5678",
    ],
    [
      "a password behind a user's name",
      [`url: ${order}`, "headers: { Authorization: 'Basic ${USER}hunter2abc' }"],
      "hunter2abc",
    ],
    [
      "a password behind a user's name and a colon",
      [`url: ${order}`, "headers: { Authorization: 'Basic ${USER}:hunter2abc' }"],
      "hunter2abc",
    ],
  ] as const)("causes an error at its place: %s", async (_, lines, secret) => {
    expect(await found(...lines)).toEqual([`send-order: ${secret}`]);
  });

  test.each([
    ["a key of the length of a digest", "api_key: 9f86d081884c7d659a2feaa0c55ad015"],
    [
      "a token in the form of a trace",
      "token: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ],
    ["a key behind a word for digests", "X-Api-Key: hash 9f86d081884c7d659a2feaa0c55ad015"],
    ["a digest without a word for it", "X-Foo: 9f86d081884c7d659a2feaa0c55ad0153fb1c28a"],
  ])("causes an error: %s", async (_, header) => {
    expect(await found(`url: ${order}`, `headers: { ${header} }`)).toHaveLength(1);
  });

  test("causes an error for each of two in one text, so that both can be masked", async () => {
    const url = "url: https://bob:s3cr3tpw@api.orders.com/{order_id}?token=abcdefgh";
    expect(await found(url)).toEqual(["send-order: s3cr3tpw", "send-order: abcdefgh"]);
  });

  test("causes an error in a tool with other errors", async () => {
    expect(await found("headers: { X-API-Key: abc123def }", "timeout: 3")).toEqual([
      "send-order: abc123def",
    ]);
  });

  test("causes an error in metadata.json", async () => {
    const binding = {
      type: "http",
      method: "GET",
      url: order,
      headers: { "X-API-Key": "abc123def" },
    };
    const tool = { description: "Get.", order_id: "string", binding };
    const files = {
      ...desk(),
      "skills/desk/metadata.json": JSON.stringify({ tools: { get: tool } }),
    };
    expect(shownIn(files, await checkedProject(files))).toEqual(["get: abc123def"]);
  });

  test("causes an error in metadata.yaml, and in a comment if its form belongs to a known service", async () => {
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const lines = [
      "tools:",
      "  get:",
      "    description: Get.",
      "    order_id: string",
      `    binding: { type: http, method: GET, url: "${order}", headers: { X-API-Key: abc123def } }`,
      `# X-Token: ${token}`,
    ];
    const files = { ...desk(), "skills/desk/metadata.yaml": lines.join("\n") };
    expect(shownIn(files, await checkedProject(files))).toEqual(["get: abc123def", `-: ${token}`]);
  });

  test("causes an error in a tool whose name could be that of a schema", async () => {
    const files = desk(
      "tools_schema:",
      "  get_schema:",
      "    description: Get a schema.",
      "    binding:",
      "      type: http",
      "      method: GET",
      "      url: https://api.orders.com/schema",
      "      headers: { X-API-Key: abc123def }",
    );
    expect(shownIn(files, await checkedProject(files))).toEqual(["get_schema: abc123def"]);
  });

  test("causes one error per place in the skill's files if its form belongs to a known service", async () => {
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const files = {
      "skills/desk/SKILL.md": `---\nname: desk\ndescription: Uses ${token}.\n---\nAnd ${token}.\n`,
      "skills/desk/order.json": `{"description": "${token}"}`,
    };
    expect(shownIn(files, await checkedProject(files))).toEqual([
      `-: ${token}`,
      `-: ${token}`,
      `-: ${token}`,
    ]);
    expect(await found(`url: ${order}`, `headers: { X-Foo: ${token} }`)).toEqual([
      `send-order: ${token}`,
    ]);
  });
});

describe("a secret in plain text in `auth`", () => {
  /** What is found when the way stands in a tool's binding, and when at the skill. */
  async function foundWith(auth: string): Promise<readonly (readonly string[])[]> {
    const ofTool = await found(`url: ${order}`, `auth: ${auth}`);
    const files = {
      ...desk(),
      "skills/desk/metadata.yaml": [
        `auth: ${auth}`,
        "tools_schema:",
        "  get:",
        "    description: Get.",
        "    order_id: string",
        `    binding: { type: http, method: GET, url: "${order}" }`,
      ].join("\n"),
    };
    return [ofTool, shownIn(files, await checkedProject(files))];
  }

  const oauth2 = (rest: string) => `{ oauth2: { token_url: "https://id.orders.com/t", ${rest} } }`;
  const aws = "access_key: '${KEY}', region: eu-central-1, service: s3";

  test.each([
    ["a bearer token", '{ bearer: "S3cr3tP@ss!9xQzz81" }', "S3cr3tP@ss!9xQzz81"],
    ["a bearer token of letters", "{ bearer: correcthorse }", "correcthorse"],
    ["a password", '{ basic: ["me", "S3cr3tP@ss!9xQ"] }', "S3cr3tP@ss!9xQ"],
    [
      "an API key",
      "{ api_key: { in: header, name: X-Key, value: 9f8e7d6c5b4a39281706f5e4 } }",
      "9f8e7d6c5b4a39281706f5e4",
    ],
    [
      "an API key behind its scheme",
      '{ api_key: { in: header, name: X-Key, value: "Token 9f8e7d6c" } }',
      "9f8e7d6c",
    ],
    [
      "a client's secret",
      oauth2("grant: client_credentials, client_id: desk, client_secret: hunter2hunter2"),
      "hunter2hunter2",
    ],
    [
      "a refresh token",
      oauth2("grant: refresh_token, client_id: desk, refresh_token: hunter2hunter2"),
      "hunter2hunter2",
    ],
    [
      "a key that signs assertions",
      oauth2("grant: jwt_bearer, private_key: hunter2hunter2"),
      "hunter2hunter2",
    ],
    ["a secret key of AWS", `{ aws_sigv4: { ${aws}, secret_key: hunter2 } }`, "hunter2"],
    [
      "a session's token of AWS",
      `{ aws_sigv4: { ${aws}, secret_key: "\${SECRET}", session_token: hunter2 } }`,
      "hunter2",
    ],
    [
      "a certificate's key",
      '{ client_certificate: { cert: "${CERT}", key: hunter2hunter2 } }',
      "hunter2hunter2",
    ],
    ["one of several ways", '[{ bearer: "${TOKEN}" }, { basic: [me, hunter2] }]', "hunter2"],
    ["text beside a setting", '{ bearer: "${TOKEN}-hunter2!x" }', "-hunter2!x"],
    ["text with escaped braces", '{ bearer: "hunter{{2}}" }', "hunter{{2}}"],
  ])("causes an error in a tool and in a skill: %s", async (_, auth, secret) => {
    expect(await foundWith(auth)).toEqual([[`send-order: ${secret}`], [`-: ${secret}`]]);
  });

  test.each([
    ["settings", '{ basic: ["${USER}", "${PASSWORD}"] }'],
    ["several settings in one text", '{ bearer: "${TENANT}.${TOKEN}" }'],
    ["an empty password", '{ basic: ["${KEY}", ""] }'],
    ["a user's name", '{ basic: ["desk@orders.com", "${PASSWORD}"] }'],
    ["a password that is a convention", '{ basic: ["${TOKEN}", "x-oauth-basic"] }'],
    [
      "a scheme of several words",
      '{ api_key: { in: header, name: X-Key, value: "DeepL-Auth-Key ${KEY}" } }',
    ],
    [
      "a token that is named",
      '{ api_key: { in: header, name: X-Key, value: "Token token=\\"${KEY}\\"" } }',
    ],
    ["the version of a key", '{ api_key: { in: header, name: X-Key, value: "v1/${KEY}" } }'],
    [
      "a scheme before a key",
      '{ api_key: { in: header, name: X-Key, value: "GenieKey ${ORDERS_KEY}" } }',
    ],
    [
      "the name of a client",
      oauth2(
        'grant: client_credentials, client_id: 8f14e45fceea167a5a36dedd4bea2543, client_secret: "${S}"',
      ),
    ],
    [
      "a certificate",
      '{ client_certificate: { cert: "-----BEGIN CERTIFICATE----- MIIB -----END CERTIFICATE-----", key: "${K}" } }',
    ],
  ])("does not include %s", async (_, auth) => {
    expect(await foundWith(auth)).toEqual([[], []]);
  });

  test("does not include the settings of another program", async () => {
    const settings = "metadata: { openclaw: { auth: { bearer: optional } } }";
    const { diagnostics } = await checkedProject({
      ...desk(),
      "skills/desk/SKILL.md": `---\nname: desk\ndescription: Orders.\n${settings}\n---\nText.\n`,
    });
    expect(diagnostics.filter(({ code }) => code.startsWith("credential/"))).toEqual([]);
  });

  test("causes an error whose help names the setting to use", async () => {
    const { diagnostics } = await checkedProject(
      posting(`url: ${order}`, "auth: { basic: [me, hunter2] }"),
    );
    expect(diagnostics.find(({ code }) => code === "credential/plaintext-secret")).toMatchObject({
      message: "`basic` holds a secret in plain text",
      help: expect.stringContaining("write `${ORDERS_PASSWORD}`"),
      secret: true,
    });
  });

  test("causes an error in the front matter, unless `auth` belongs to another program or is the name of a tool", async () => {
    const files = desk(
      "auth: { bearer: hunter2 }",
      "metadata: { auth: required, other: { auth: { user: bob } } }",
      "tools: { auth: { description: Log in., bearer: string } }",
    );
    expect(shownIn(files, await checkedProject(files))).toEqual(["-: hunter2"]);
  });
});

describe("a secret of a known service", () => {
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

  test.each(["tools:", "tools_schema:", "metadata: { tools:", "metadata: { tools_schema:"])(
    "names its tool below `%s`",
    async (head) => {
      const inside = `{ first: { description: Get. }, second: { description: Uses ${token}. } }`;
      const files = desk(`${head} ${inside}${head.includes("{") ? " }" : ""}`);
      expect(shownIn(files, await checkedProject(files))).toEqual([`second: ${token}`]);
    },
  );

  test("names its tool in metadata.json", async () => {
    const tools = {
      get: { description: "Get." },
      send: { description: "Send.", tags: [token], order_id: "string" },
    };
    const files = {
      ...desk(),
      "skills/desk/metadata.json": JSON.stringify({ tools, note: token }),
    };
    expect(shownIn(files, await checkedProject(files))).toEqual([`send: ${token}`, `-: ${token}`]);
  });

  test("names no tool if it lies before or after the tools", async () => {
    const files = desk(
      `license: ${token}`,
      "tools:",
      "  get:",
      "    description: Get.",
      `compatibility: ${token}`,
    );
    expect(shownIn(files, await checkedProject(files))).toEqual([`-: ${token}`, `-: ${token}`]);
  });
});

describe("a text that is no secret", () => {
  const digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  const pem = ["PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE"].map((what) => [
    `-----BEGIN ${what}-----`,
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvx7zQ9k2LmQ4xT7vB1w0",
    `-----END ${what}-----`,
  ]);

  test.each([
    ...pem.flatMap((lines) =>
      ["key", "signing_key"].map((key): [string, readonly string[]] => [
        `${lines[0]} under \`${key}\``,
        [`url: ${order}`, "body_template:", `  ${key}: |`, ...lines.map((line) => `    ${line}`)],
      ]),
    ),
    [
      "an SSH key to be installed",
      [
        `url: ${order}`,
        "body_template: { key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ83vZx0PpT7cWm2LkR9dYb4NhS6fJ1gUeA5iVoXt7QzK a@b }",
      ],
    ],
    ...["traceparent", "X-Parent"].map((name): [string, readonly string[]] => [
      `a trace's context under ${name}`,
      [
        `url: ${order}`,
        `headers: { ${name}: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 }`,
      ],
    ]),
    ...[
      `sha256: ${digest}`,
      `sha-256: ${digest}`,
      `contentSha256: ${digest}`,
      `checksum: ${digest}`,
      `md5sum: ${digest.slice(0, 32)}`,
      `image: registry.example.com/a/b@sha256:${digest}`,
      `where: "sha256 = '${digest}'"`,
      "integrity: sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC",
      "note: 'digest: sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'",
      "spreadsheet_id: 1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
    ].map((entry): [string, readonly string[]] => [
      `a digest or an identifier: ${entry}`,
      [`url: ${order}`, `body_template: { ${entry} }`],
    ]),
    [
      "a digest in a URL's query",
      [`url: ${order.replace("{order_id}", "{order_id}?sha256=")}${digest}`],
    ],
    [
      "a reference behind its scheme, with or without a field's name",
      [
        `url: ${order}`,
        "headers: { Authorization: 'Bearer ${TOKEN}', Proxy-Authorization: 'Token token=${T}' }",
      ],
    ],
    [
      "text that belongs to a scheme",
      [
        `url: ${order}`,
        `headers: { Authorization: 'Digest username="\${USER}", realm="orders2024", nc=00000001, uri="/v2/orders"', ` +
          "Proxy-Authorization: 'AWS4-HMAC-SHA256 Credential=${ID}/20240101/us-east-1/s3/aws4_request' }",
      ],
    ],
    [
      "a word behind a token that a service asks for",
      [
        `url: ${order}`,
        "headers: { Authorization: 'Basic ${TOKEN}:x-oauth-basic', Proxy-Authorization: 'Basic ${TOKEN}:api_token' }",
      ],
    ],
    [
      "a way to authenticate",
      [`url: ${order}`, "headers: { X-Auth: AWS4-HMAC-SHA256 }", "query: { auth: oauth2 }"],
    ],
    [
      "a schema in the binding",
      [
        `url: ${order}`,
        "error_schema: { properties: { token: { type: string, default: a9Kq3LmZ8pXw2VbN7tRy5CdE } } }",
      ],
    ],
    [
      "a reference",
      [
        `url: ${order}`,
        "headers: { X-API-Key: '${ORDERS_KEY}', Authorization: 'Bearer ${ORDERS_TOKEN}' }",
      ],
    ],
    ["text around a reference", [`url: ${order}`, "headers: { X-API-Key: 'live-${ORDERS_KEY}' }"]],
    ["a parameter", [`url: ${order}`, "body_template: { password: '{order_id}' }"]],
    ["a password by reference", ["url: https://bob:${ORDERS_PASSWORD}@api.orders.com/{order_id}"]],
    ["a UUID", [`url: ${order}`, "headers: { X-Tenant: 123e4567-e89b-12d3-a456-426614174000 }"]],
    [
      "a hash or an id by its key",
      [
        `url: ${order}`,
        "body_template: { sha256: da39a3ee5e6b4b0d3255bfef95601890afd80709, sheetId: 1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms }",
      ],
    ],
    [
      "an id in a URL's path",
      ["url: https://sheets.example.com/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/{order_id}"],
    ],
    [
      "a media type",
      [
        `url: ${order}`,
        "headers: { Accept: application/vnd.github.v3+json, X-Foo: urn:ietf:params:oauth:grant-type:jwt-bearer }",
      ],
    ],
    [
      "a name with a version and a year",
      [
        `url: ${order}`,
        "headers: { X-Foo: OrderService2024ProductionV12ClusterEast, X-Bar: create-order-from-template-v2-2024 }",
      ],
    ],
    [
      "a moment",
      [`url: ${order}`, "headers: { X-Foo: '2024-01-02T00:00:00.000Z/P1Y2M10DT2H30M' }"],
    ],
    [
      "an operation of AWS",
      [
        `url: ${order}`,
        "headers: { X-Amz-Target: com.amazonaws.CodeStar_connections_20191201.CreateConnection }",
      ],
    ],
    [
      "a count of tokens or a page",
      [`url: ${order}`, "query: { max_tokens: '4096', page_token: first, token_type: bearer }"],
    ],
    [
      "a pattern in a schema",
      [
        `url: ${order}`,
        "response_schema: { properties: { token: { type: string, pattern: '^a9Kq3LmZ8pXw2VbN7tRy5CdE$' } } }",
      ],
    ],
  ] as const)("causes no error: %s", async (_, lines) => {
    expect(await found(...lines)).toEqual([]);
  });

  test("causes no error if documentation uses it: example passwords, hashes", async () => {
    const body = [
      "Connect to postgres://user:password@localhost/orders or https://bob:${PASSWORD}@example.com/.",
      "The archive's hash is da39a3ee5e6b4b0d3255bfef95601890afd80709.",
    ].join("\n");
    const files = {
      "skills/desk/SKILL.md": `---\nname: desk\ndescription: Orders.\n---\n${body}\n`,
    };
    expect(shownIn(files, await checkedProject(files))).toEqual([]);
  });
});

test("a placeholder in a credential's place is a warning", async () => {
  const { lines } = await checkedProject(
    posting(`url: ${order}`, "headers: { Authorization: Bearer YOUR_TOKEN }"),
  );
  expect(lines.filter((line) => line.includes("credential/"))).toEqual([
    "skills/desk/SKILL.md:12:40-50 warning credential/placeholder: `Authorization` holds a placeholder where a credential belongs " +
      "(write `${ORDERS_TOKEN}` and set `ORDERS_TOKEN` in the environment or in `.env`)",
  ]);
});

/** The codes of what is found about credentials when a header or the body's password has this value. */
async function codesOf(line: string): Promise<readonly string[]> {
  const { diagnostics } = await checkedProject(posting(`url: ${order}`, line));
  return diagnostics.map((each) => each.code).filter((code) => code.startsWith("credential/"));
}

test.each([
  "YOUR_TOKEN",
  "<api key>",
  "[your secret here]",
  "(token)",
  "xxx",
  "xxxx-xxxx-xxxx",
  "********",
  "...",
  "changeme",
  "change-me",
  "change_me_please",
  "example",
  "example-token",
  "insert your API key here",
  "your_access_token",
  "YOUR_STRIPE_API_KEY",
  "sk_test_xxxxxxxx",
])("`%s` is reported as a placeholder", async (text) => {
  expect(await codesOf(`body_template: { password: "${text}" }`)).toEqual([
    "credential/placeholder",
  ]);
});

test.each([
  "headers: { X-API-Key: key-3ax6xnjp29jd6fds4gc373sgvjxteol0 }",
  "headers: { Authorization: Bearer test_9f8a7b6c5d4e3f2a1b0cXyZ }",
  'body_template: { password: "the-Real-Passw0rd!" }',
  'body_template: { password: "(S3cret!9xQ)" }',
  'body_template: { password: "<S3cret!9xQ>" }',
  'body_template: { password: "[token-4711]" }',
  "body_template: { password: my-dog-rex }",
  "body_template: { password: your_h0rse_key }",
  "body_template: { password: example.9f8a }",
  "body_template: { password: '-_-_.' }",
])("`%s` is reported as a secret and not as a placeholder", async (line) => {
  expect(await codesOf(line)).toEqual(["credential/plaintext-secret"]);
});

test.each([
  ["https://api.orders.com/x", "Authorization", "ORDERS_TOKEN"],
  ["https://orders.example.com/x", "X-API-Key", "ORDERS_API_KEY"],
  ["${ORDERS_URL}/x", "x-access-token", "ORDERS_ACCESS_TOKEN"],
  ["http://127.0.0.1:8008/x", "Authorization", "TOKEN"],
  ["https://api.orders.com/x", "ordersApiKey", "ORDERS_API_KEY"],
])("for %s the help names the credential of %s `%s`", async (url, header, name) => {
  const { diagnostics } = await checkedProject(
    posting(`url: ${url}`, `headers: { ${header}: abc123def456 }`),
  );
  const diagnostic = diagnostics.find((each) => each.code === "credential/plaintext-secret");
  expect(diagnostic?.help).toContain(`\`\${${name}}\``);
});

test("for a connection the help names one setting for the whole URL", async () => {
  const { diagnostics } = await checkedProject(
    posting(
      "url: https://api.orders.com/x",
      "connection: postgres://bob:S3cret9xQ@db.orders.com/x",
    ),
  );
  const diagnostic = diagnostics.find((each) => each.code === "credential/plaintext-secret");
  expect(diagnostic?.help).toContain("write `${CONNECTION_URL}` for the whole address");
});

test("no diagnostic repeats the secret, and each marks its place", async () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9_]{12,60}$/);
  const field = fc.constantFrom(
    "headers: { Authorization: Bearer @ }",
    "headers: { X-API-Key: @ }",
    "body_template: { password: '@' }",
  );
  await fc.assert(
    fc.asyncProperty(secret, field, async (text, line) => {
      const files = posting(`url: ${order}`, line.replace("@", text), "unknown_key: 1");
      const { diagnostics } = await checkedProject(files);
      const own = diagnostics.filter((each) => each.code.startsWith("credential/"));
      expect(own).toHaveLength(1);
      expect(files[own[0]?.span.file ?? ""]?.slice(own[0]?.span.start, own[0]?.span.end)).toBe(
        text,
      );
      expect(own[0]?.secret === true || own[0]?.code === "credential/placeholder").toBe(true);
      for (const { message, help } of diagnostics) expect(`${message} ${help}`).not.toContain(text);
    }),
    { numRuns: 100 },
  );
});

describe("a custom kind's secrets", () => {
  const kinds = createRegistry([
    defineBinding({
      ...noteBinding,
      type: "vault",
      secrets: (node) => {
        const pin = valueOf(node, "pin");
        return pin === undefined ? [] : [{ node: pin, name: "pin_code" }];
      },
    }),
  ]);
  const noting = (type: string, pin: string) =>
    desk(
      "tools:",
      "  open-vault:",
      "    description: Open a vault.",
      `    binding: { type: ${type}, text: hello, pin: ${pin} }`,
    );

  test("a literal where the kind expects a setting is reported with the name of the setting", async () => {
    const files = noting("vault", "opensesame");
    const outcome = await checkedProject(files, kinds);
    expect(shownIn(files, outcome)).toEqual(["open-vault: opensesame"]);
    const help = outcome.diagnostics.find(({ code }) => code.startsWith("credential/"))?.help;
    expect(help).toContain("write `${PIN_CODE}`");
  });

  test("a setting is no secret in plain text", async () => {
    const files = noting("vault", '"${PIN_CODE}"');
    expect(shownIn(files, await checkedProject(files, kinds))).toEqual([]);
  });

  test("values below a mapping or a list of secrets are secrets", async () => {
    const files = noting("vault", "{ first: [opensesame] }");
    expect(shownIn(files, await checkedProject(files, kinds))).toEqual(["open-vault: opensesame"]);
  });

  test("a misspelt type hides no secret", async () => {
    const files = noting("vaultt", "opensesame");
    expect(shownIn(files, await checkedProject(files, kinds))).toEqual(["open-vault: opensesame"]);
  });

  test("another kind's binding may have the key for something else", async () => {
    const files = noting("http", "opensesame");
    expect(shownIn(files, await checkedProject(files, kinds))).toEqual([]);
  });
});
