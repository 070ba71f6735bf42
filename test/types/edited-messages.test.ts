/** What a generated module's author can get wrong in it, `tsc` finds: each fault is written into a copy of a module of `generated/order-events`. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { repositoryFaults } from "../support/program-faults.js";
import { repository } from "../support/repository.js";

const folder = `${repository}generated/order-events`;

/** What `tsc` says of a module in which one piece of text, or none, is replaced by another. */
function faultsOf(module: string, from: string, to: string): readonly string[] {
  const text = readFileSync(`${folder}/${module}.ts`, "utf8");
  expect(text.split(from)).toHaveLength(2);
  const faults = repositoryFaults(new Map([[`${folder}/edited.ts`, text.replace(from, to)]]));
  return [...faults.values()].flat().map(({ says }) => says);
}

describe("a message in a generated module", () => {
  test.each([
    ["announce-order-created", "channel:", "channel:"],
    ["announce-order-shipped", "carrier: p.carrier", "carrier: p.carrier"],
  ])("type-checks before the edit: %s", (module, from, to) => {
    expect(faultsOf(module, from, to)).toEqual([]);
  });

  test.each([
    [
      "an extra field",
      "announce-order-created",
      'channel: "agent"',
      'channel: "agent", zz: 1',
      "'zz'",
    ],
    ["a field in another case", "announce-order-created", "note: p.note", "Note: p.note", "'Note'"],
    [
      "an extra field within a field",
      "announce-order-created",
      "lines: p.lines",
      'lines: [{ sku: "a", quantity: 1, colour: "red" }]',
      "'colour'",
    ],
    ["a missing field", "announce-order-created", "total: p.total,", "", "'total' is missing"],
    [
      "a field missing within a field",
      "announce-order-created",
      "lines: p.lines",
      'lines: [{ sku: "a" }]',
      "'quantity' is missing",
    ],
    [
      "text for a list",
      "announce-order-created",
      "lines: p.lines",
      "lines: p.total",
      "Type 'string' is not assignable",
    ],
    [
      "a truth value for a long",
      "announce-order-created",
      "customer_id: p.customer_id",
      "customer_id: true",
      "Type 'boolean' is not assignable",
    ],
    [
      "a symbol that the enum has not",
      "announce-order-created",
      "currency: p.currency",
      'currency: "CHF"',
      "Type '\"CHF\"' is not assignable",
    ],
    [
      "what may be absent for what is required",
      "announce-order-created",
      "total: p.total",
      "total: p.note",
      "'undefined' is not assignable",
    ],
    [
      "an extra field of a Protobuf message",
      "announce-order-shipped",
      "tracking_url: p.tracking_url",
      "trackingUrl: p.tracking_url",
      "'trackingUrl'",
    ],
    [
      "a routing key on Kafka",
      "announce-order-created",
      "key: p.order_id",
      'key: p.order_id, routing_key: "created"',
      "'routing_key'",
    ],
    ["a key on RabbitMQ", "request-label", "routing_key:", 'key: "a", routing_key:', "'key'"],
    ["a topic on Redis", "log-payment", "stream:", 'topic: "a", stream:', "'topic'"],
    [
      "a misspelt part of a publication",
      "announce-order-created",
      "headers: [",
      "header: [",
      "'header'",
    ],
  ])("does not: %s", (_, module, from, to, fault) => {
    const faults = faultsOf(module, from, to);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });
});
