/** What a literal name may be is decided when modules are generated, what a parameter may make of one at each call: by two sets of rules, which must be one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { namesIn } from "../../../src/bindings/queue/check/name-rules.js";
import type { TargetModel } from "../../../src/bindings/queue/model.js";
import { requireNames } from "../../../src/bindings/queue/send/names.js";
import { targetName } from "../../../src/bindings/queue/send/target-name.js";
import { RefusedValue } from "../../../src/runtime/sink.js";
import { createAjv } from "../../../src/schema/ajv-instance.js";
import { formatNames } from "../../../src/schema/formats.js";
import type { TextTemplate } from "../../../src/bindings/text-template.js";

const template: TextTemplate = { span: { file: "", start: 0, end: 0 }, parts: [], whole: true };

/** Each name of a target, and the target that has it made of a parameter. */
const names: readonly (readonly [string, TargetModel, number, (text: string) => object])[] = [
  ["a topic", { kind: "kafka", topic: template }, 0, (text) => ({ topic: made(text) })],
  ["a stream", { kind: "redis", stream: template }, 0, (text) => ({ stream: made(text) })],
  ["a queue", { kind: "rabbitmq", routingKey: template }, 0, queueOf],
  ["an exchange", rabbitmq(), 0, (text) => ({ exchange: made(text), routing_key: "k" })],
  ["a routing key", rabbitmq(), 1, (text) => ({ exchange: "e", routing_key: made(text) })],
];

function rabbitmq(): TargetModel {
  return { kind: "rabbitmq", exchange: template, routingKey: template };
}

function queueOf(text: string): object {
  return { exchange: "", routing_key: made(text) };
}

function made(text: string) {
  return targetName(["/p", text]);
}

function isRefusedAtCall(target: object): boolean {
  try {
    requireNames(target);
    return false;
  } catch (error) {
    if (error instanceof RefusedValue) return true;
    throw error;
  }
}

const texts = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
  fc.stringMatching(/^[\w.-]{1,9}$/),
  fc.constantFrom("", ".", "..", "...", "a b", "a/b", "ä", "a\n", "_", "-"),
  fc.nat({ max: 300 }).map((length) => `x${"y".repeat(length)}`),
  fc.nat({ max: 150 }).map((length) => `x${"ä".repeat(length)}`),
);

test.each(names)("%s is the same when generating and at a call", (what, model, index, target) => {
  const rule = namesIn(model)[index];
  expect(rule?.what).toBe(what);
  const isRefused = (text: string) =>
    text === ""
      ? rule?.mayBeEmpty !== true
      : (rule?.partFault(text) ?? rule?.wholeFault(text)) !== undefined;
  fc.assert(
    fc.property(texts, (text) => {
      expect([text, isRefusedAtCall(target(text))]).toEqual([text, isRefused(text)]);
    }),
    { numRuns: 1000 },
  );
});

test("a format that topics never hold is one of no topic's name", () => {
  const ajv = createAjv(false);
  const [rule] = namesIn({ kind: "kafka", topic: template });
  const refused = formatNames.filter((format) => rule?.formatFault(format) !== undefined);
  const validators = refused.map((format) => ajv.compile({ type: "string", format }));
  expect(refused).toContain("date-time");
  fc.assert(
    fc.property(fc.stringMatching(/^[\w.-]{1,12}$/), (text) => {
      expect(refused.filter((_, index) => validators[index]?.(text))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
