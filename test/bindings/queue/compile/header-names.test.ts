import { describe, expect, it } from "vitest";
import { withBinding } from "./support.js";

const linesOf = (provider: string, name: string) =>
  withBinding([
    `provider: ${provider}`,
    "connection: ${EVENTS}",
    "topic: orders",
    `headers_mapping: { "${name}": x }`,
  ]).lines.map((line) => line.replace(/^\S+ /, ""));

describe("the name of a header", () => {
  it.each(["kafka", "rabbitmq", "redis"])("is not empty: %s", (provider) => {
    expect(linesOf(provider, "")).toEqual([
      'queue/bad-header [""] the name of a header is empty (write its name)',
    ]);
  });

  it("has 255 bytes at most on RabbitMQ", () => {
    const long = "ä".repeat(128);
    expect(linesOf("rabbitmq", long)).toEqual([
      `queue/bad-header ["${long}"] the name of a header has 256 bytes, and RabbitMQ takes 255 at most`,
    ]);
    expect(linesOf("rabbitmq", "ä".repeat(127))).toEqual([]);
    expect(linesOf("kafka", long)).toEqual([]);
    expect(linesOf("redis", long)).toEqual([]);
  });
});
