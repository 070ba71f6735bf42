/** Subject under which a message's schema is registered. */
import { expect, test } from "vitest";
import { RejectedMessage } from "../../../../src/bindings/queue/send/failures.js";
import { targetName } from "../../../../src/bindings/queue/send/target-name.js";
import { rabbitmqNames } from "../../../../src/bindings/queue/providers/rabbitmq/names.js";
import { subjectOf } from "../../../../src/bindings/queue/send/registry/address.js";

const written = { exchange: "events", routing_key: targetName(["/region", "eu"]) };

test("errors show the subject of a routing key as its author wrote it", () => {
  const target = { exchange: "events", routing_key: "eu" };
  expect(subjectOf(rabbitmqNames, target, written)).toEqual({
    name: "eu-value",
    shown: "{region}-value",
  });
});

test("a message with an empty routing key is rejected, because it has no subject", () => {
  const target = { exchange: "events", routing_key: "" };
  expect(() => subjectOf(rabbitmqNames, target, written)).toThrow(RejectedMessage);
});
