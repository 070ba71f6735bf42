/** What a message's schema is registered under. */
import { expect, test } from "vitest";
import { RefusedMessage } from "../../../../src/bindings/queue/send/faults.js";
import { targetName } from "../../../../src/bindings/queue/send/target-name.js";
import { subjectOf } from "../../../../src/bindings/queue/send/registry/schema-id.js";

const written = { exchange: "events", routing_key: targetName(["/region", "eu"]) };

test("the routing key's subject is shown as its author wrote it", () => {
  const target = { exchange: "events", routing_key: "eu" };
  expect(subjectOf(target, written)).toEqual({ name: "eu-value", shown: "{region}-value" });
});

test("an empty routing key has none", () => {
  const target = { exchange: "events", routing_key: "" };
  expect(() => subjectOf(target, written)).toThrow(RefusedMessage);
});
