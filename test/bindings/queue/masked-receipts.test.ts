/**
 * A masked parameter in the name of a target: the caller's receipt contains it, and the ledger
 * does not.
 */
import { afterAll, expect, test } from "vitest";
import { credential, json, targetName } from "../../../src/bindings/queue/execute.js";
import { kafka as toKafka } from "../../../src/bindings/queue/providers/kafka/runtime.js";
import { rabbitmq as toRabbitmq } from "../../../src/bindings/queue/providers/rabbitmq/runtime.js";
import { redis as toRedis } from "../../../src/bindings/queue/providers/redis/runtime.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import {
  createMemoryLedger,
  createRuntime,
  defineTool,
  shutdown,
} from "../../../src/runtime/index.js";
import type { Binding } from "../../../src/runtime/executor.js";
import type { Validator } from "../../../src/runtime/validation/validation.js";
import { onKafka, onRabbitmqVhost, onRedis } from "../../e2e/order-events-brokers.js";

interface Mail {
  readonly email: string;
}

const isMail: Validator<Mail> = Object.assign(
  (value: unknown): value is Mail => typeof value === "object",
  { errors: null },
);

const common = { connection: "EVENTS", encode: json() } as const;

const named = ({ email }: Mail, separator: string) =>
  targetName(credential("ENV"), `${separator}mail${separator}`, ["/email", email]);

/** Publishes for one email, and gives the answer beside what the ledger keeps of it. */
async function publish(url: string, binding: Binding<Mail, never>) {
  const ledger = createMemoryLedger();
  const credentials = { EVENTS: url, ENV: "prod-env" };
  const runtime = createRuntime({ inherit: false, ledger, credentials });
  const tool = defineTool({
    skill: "mail",
    name: "tell",
    version: { skill: "s", binding: "b", manifest: "t1" },
    effect: "write",
    mode: "active",
    timeoutMs: 5000,
    retry: { maxAttempts: 1, backoffMs: 1, backoffMultiplier: 1 },
    params: isMail,
    maskedParams: [["email"]],
    binding,
  });
  const answer: unknown = await callTool(tool, { email: "zoe" }, { runtime });
  const end = ledger.records.at(-1);
  if (end?.type !== "end") throw new Error("no end record");
  expect(JSON.stringify(ledger.records)).not.toMatch(/zoe|prod-env/);
  return { answer, kept: JSON.parse(end.result ?? "null") as unknown };
}

afterAll(() => shutdown());

onRedis("stream of Redis", (redis) => {
  test("a masked parameter in the name of the stream is hidden in the ledger and whole for the caller", async () => {
    const { answer, kept } = await publish(
      redis().url,
      toRedis<Mail, unknown>({
        ...common,
        publish: (args) => ({ target: { stream: named(args, ":") }, message: {} }),
      }),
    );
    const id = expect.stringMatching(/^\d+-\d+$/) as string;
    expect(answer).toEqual({ status: "success", data: { stream: "${ENV}:mail:zoe", id } });
    expect(kept).toEqual({ status: "success", data: { stream: "${ENV}:mail:***", id } });
  });
});

onKafka("topic of Kafka", (kafka) => {
  test("a masked parameter in the name of the topic is hidden in the ledger and whole for the caller", async () => {
    const { answer, kept } = await publish(
      `${kafka().url}?create_topics=true`,
      toKafka<Mail, unknown>({
        ...common,
        publish: (args) => ({ target: { topic: named(args, "."), key: args.email }, message: {} }),
      }),
    );
    const place = { partition: expect.any(Number) as number, offset: "0" };
    expect(answer).toEqual({ status: "success", data: { topic: "${ENV}.mail.zoe", ...place } });
    expect(kept).toEqual({ status: "success", data: { topic: "${ENV}.mail.***", ...place } });
  });
});

onRabbitmqVhost("routing key of RabbitMQ", (rabbitmq) => {
  const contract = toRabbitmq<Mail, unknown>({
    ...common,
    publish: (args) => ({
      target: { exchange: "amq.topic", routing_key: named(args, ".") },
      message: {},
    }),
  });

  test("a masked routing key is hidden in the ledger and whole for the caller, in a receipt and in `unroutable`", async () => {
    const exchange = "amq.topic";
    const lost = await publish(rabbitmq().url, contract);
    const unroutable = (name: string) => ({
      status: "unroutable",
      error: { exchange, routing_key: `\${ENV}.mail.${name}` },
    });
    expect(lost.answer).toEqual(unroutable("zoe"));
    expect(lost.kept).toEqual(unroutable("***"));
    await rabbitmq().side(async (channel) => {
      await channel.assertQueue("mail");
      await channel.bindQueue("mail", exchange, "#");
    });
    const { answer, kept } = await publish(rabbitmq().url, contract);
    const receipt = (name: string) => ({
      status: "success",
      data: { exchange, routing_key: `\${ENV}.mail.${name}`, delivery_tag: 2 },
    });
    expect(answer).toEqual(receipt("zoe"));
    expect(kept).toEqual(receipt("***"));
  });
});
