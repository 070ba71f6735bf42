import { describe, expect, it } from "vitest";
import { withBinding } from "./support.js";

const linesOf = (provider: string, name: string) =>
  withBinding([
    `provider: ${provider}`,
    "connection: ${EVENTS}",
    provider === "nats" ? "subject: orders" : "topic: orders",
    `headers_mapping: { "${name}": x }`,
  ]).lines.map((line) => line.replace(/^\S+ /, ""));

describe("name of a header", () => {
  it.each(["kafka", "nats", "rabbitmq", "redis"])("rejects an empty name: %s", (provider) => {
    expect(linesOf(provider, "")).toEqual([
      'queue/bad-header [""] the name of a header can\'t be empty (write its name)',
    ]);
  });

  it("rejects more than 255 bytes on RabbitMQ", () => {
    const long = "ä".repeat(128);
    expect(linesOf("rabbitmq", long)).toEqual([
      `queue/bad-header ["${long}"] the name of a header has 256 bytes, but RabbitMQ accepts at most 255`,
    ]);
    expect(linesOf("rabbitmq", "ä".repeat(127))).toEqual([]);
    expect(linesOf("kafka", long)).toEqual([]);
    expect(linesOf("redis", long)).toEqual([]);
  });

  it.each([
    ["order id", "a space"],
    ["order:id", "`:`"],
    ["größe", "`ö`"],
  ])("rejects a character that NATS does not take: %s", (name, what) => {
    expect(linesOf("nats", name)).toEqual([
      `queue/bad-header ["${name}"] the name of a header contains ${what}, which NATS rejects`,
    ]);
    expect(linesOf("redis", name)).toEqual([]);
  });

  it.each(["Nats-Msg-Id", "nats-rollup"])("rejects a header that controls NATS: %s", (name) => {
    expect(linesOf("nats", name)[0]).toContain("queue/routing-header");
    expect(linesOf("kafka", name)).toEqual([]);
  });
});
