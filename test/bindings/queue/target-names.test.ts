/**
 * Names that a call makes of parameters and credentials: a name that the broker would reject is
 * never sent, in any mode.
 */
import { afterAll, describe, expect, test } from "vitest";
import {
  announceAnywhere,
  announceHere,
  announceOrder,
  billOrder,
  logNote,
  printLabel,
  publishChange,
} from "../../cases/queue-targets/generated/order-events/index.js";
import {
  createMemoryLedger,
  createRuntime,
  isToolError,
  shutdown,
  type ToolError,
} from "../../../src/runtime/index.js";

const order_id = "3f1c0a52-5f0e-4a83-9d29-3cb1f6a0f4f1";

/** Nobody listens there: a call that gets that far is unavailable. */
const nowhere = {
  ORDER_EVENTS: "kafka://127.0.0.1:1",
  ORDER_EVENTS_AMQP: "amqp://127.0.0.1:1",
  ORDER_EVENTS_NATS: "nats://127.0.0.1:1",
  ORDER_EVENTS_REDIS: "redis://127.0.0.1:1",
};

function connect(settings: Readonly<Record<string, string>> = {}) {
  const ledger = createMemoryLedger();
  const credentials = { ...nowhere, ENV: "prod", ...settings };
  return { ledger, runtime: createRuntime({ inherit: false, ledger, credentials }) };
}

afterAll(() => shutdown());

async function failureOf(call: Promise<unknown>): Promise<ToolError> {
  const error: unknown = await call.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (isToolError(error)) return error;
  throw error;
}

type Options = Parameters<typeof announceOrder>[1];

const order = (region: string) => (options: Options) =>
  announceOrder({ order_id, region }, options);
const anywhere = (topic: string) => (options: Options) =>
  announceAnywhere({ where: { topic }, number: 1 }, options);
const bill = (kind: string) => (options: Options) => billOrder({ order_id, kind }, options);
const note = (subject: string) => (options: Options) => logNote({ subject, text: "t" }, options);

const change = (tenant: string, kind: string, path: string) => (options: Options) =>
  publishChange({ kind, path }, { ...options, caller: { tenant, subject: "ada", origin: "api" } });

const token = (separator: string) =>
  `must not contain \`${separator}\`, which separates the value from the rest of a topic`;
const letters = "must contain only letters, digits, `.`, `_` and `-` in a topic";

describe.each(["active", "shadow"] as const)(
  "parameter that makes an invalid name (%s)",
  (mode) => {
    test.each([
      ["topic", "/region", letters, order("eu/west")],
      ["topic", "/region", letters, order("größe")],
      ["topic", "/region", letters, order("eu\n")],
      ["topic", "/region", token("."), order("eu.west")],
      ["topic", "/region", token("."), order(".")],
      ["topic", "/region", "must not be empty in a topic", order("")],
      [
        "routing-key",
        "/kind",
        "must not contain `.`, which separates the value from the rest of a routing key",
        bill("a.b"),
      ],
      [
        "subject",
        "/kind",
        "must not contain `.`, which separates the value from the rest of a subject",
        change("acme", "orders.x", "y"),
      ],
      ["topic", "/region", "must not make a topic longer than 249 bytes", order("x".repeat(242))],
      ["topic", "/where/topic", "must not be empty in a topic", anywhere("")],
      ["topic", "/where/topic", "must not make a topic of nothing but dots", anywhere("..")],
      [
        "routing-key",
        "/kind",
        "must not make a routing key longer than 255 bytes",
        bill("ü".repeat(128)),
      ],
      ["routing-key", "/kind", "must be well-formed Unicode in a routing key", bill("\ud800")],
      ["stream", "/subject", "must not be empty in a stream", note("")],
      ["stream", "/subject", "must be well-formed Unicode in a stream", note("a\udc00")],
    ] as const)(
      "rejects a call with the problem `%s` at %s: %s",
      async (keyword, pointer, message, call) => {
        const { ledger, runtime } = connect();
        const error = await failureOf(call({ runtime, mode }));
        expect(error).toMatchObject({
          attempts: 0,
          outcome: "not-done",
          failure: {
            code: "SCHEMA.VALIDATION_FAILED",
            subject: "parameters",
            problems: [{ keyword, pointer, message }],
          },
        });
        expect(error.message).toContain(`can't be sent: ${pointer} ${message}`);
        expect(ledger.records.filter(({ type }) => type === "begin")).toEqual([]);
      },
    );

    test.each([
      ["eu", order("eu")],
      ["west-1_a", order("west-1_a")],
      ["several tokens alone", anywhere("eu.west")],
      ["several tokens, as the name says so", change("acme", "orders", "a.b.c")],
      ["200 letters", order("x".repeat(200))],
      ["an empty routing key", bill("")],
    ])("a call with a valid name is sent: %s", async (_, call) => {
      const { runtime } = connect();
      const ended = await call({ runtime, mode }).then(
        ({ status }) => status,
        (error: ToolError) => error.code,
      );
      expect(ended).toBe(mode === "shadow" ? "shadow" : "PROVIDER.UNAVAILABLE");
    });
  },
);

test("a tenant can't publish to the subject of another tenant", async () => {
  const { runtime } = connect();
  const error = await failureOf(change("acme.orders", "x", "y")({ runtime, mode: "shadow" }));
  expect(error).toMatchObject({
    failure: {
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "caller",
      problems: [{ keyword: "subject", pointer: "/tenant" }],
    },
  });
});

describe("credential that makes an invalid name", () => {
  const secret = "s3cret";
  test.each([
    ["with characters that no name may have", "s3/cret", `\`\${ENV}\` ${letters}`, order("eu")],
    [
      "that is too long",
      secret.repeat(50),
      "`${ENV}` must not make a topic longer than 249 bytes",
      order("eu"),
    ],
    [
      "that is too long",
      secret.repeat(50),
      "`${ENV}` must not make an exchange longer than 255 bytes",
      bill("x"),
    ],
    [
      "that is too long",
      secret.repeat(42),
      "`${ENV}` must not make a queue longer than 255 bytes",
      label,
    ],
  ])(
    "a credential %s is rejected, and the error hides its value",
    async (_, ENV, message, call) => {
      const { ledger, runtime } = connect({ ENV });
      const error = await failureOf(call({ runtime }));
      expect(error).toMatchObject({ code: "PROVIDER.PROTOCOL", outcome: "not-done" });
      expect(error.message).toMatch(/^`order-events\/[a-z-]+` could not publish: /);
      expect(error.message).toContain(message);
      expect(JSON.stringify([error.message, error.failure, ledger.records])).not.toMatch(
        /s3.?cret/,
      );
    },
  );

  test("the error names a credential if only the whole name is invalid", async () => {
    const { runtime } = connect({ TOPIC: ".." });
    const error = await failureOf(announceHere({ order_id }, { runtime }));
    expect(error.message).toContain("`${TOPIC}` must not make a topic of nothing but dots");
  });

  test("the error for a missing setting names the setting", async () => {
    const { runtime } = connect({ TOPIC: "" });
    const error = await failureOf(announceHere({ order_id }, { runtime }));
    expect(error).toMatchObject({ failure: { code: "CREDENTIAL.MISSING", names: ["TOPIC"] } });
  });
});

function label(options: Options) {
  return printLabel({ order_id, printer: "north" }, options);
}

describe("shadow mode", () => {
  test("names show settings as placeholders, and no setting is read", async () => {
    const runtime = createRuntime({ inherit: false, ledger: false });
    const options = { runtime, mode: "shadow" } as const;
    expect(await announceOrder({ order_id, region: "eu" }, options)).toMatchObject({
      request: { target: { topic: "${ENV}.orders.eu", key: `\${ENV}-${order_id}` } },
    });
    expect(await billOrder({ order_id, kind: "new" }, options)).toMatchObject({
      request: {
        target: { exchange: "${ENV}.billing", routing_key: "${ENV}.new" },
        idempotency_key: `\${ENV}-${order_id}`,
      },
    });
    expect(await logNote({ subject: "a b", text: "t" }, options)).toMatchObject({
      request: { target: { stream: "${ENV}:notes:a b" } },
    });
  });

  test("the author's content type is the content type of the message", async () => {
    const { runtime } = connect();
    const options = { runtime, mode: "shadow" } as const;
    expect(await billOrder({ order_id, kind: "new" }, options)).toMatchObject({
      request: {
        headers: { "CONTENT-TYPE": "text/x-order", Correlation_ID: order_id },
        encoded: { content_type: "text/x-order" },
      },
    });
    expect(await logNote({ subject: "a", text: "t" }, options)).toMatchObject({
      request: { encoded: { content_type: "application/json" } },
    });
  });
});
