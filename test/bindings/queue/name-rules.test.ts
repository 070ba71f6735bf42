/**
 * The compiler checks literal names, and each call checks names with parameters. Both apply one
 * set of rules.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  partProblem,
  completeNameProblem,
} from "../../../src/bindings/queue/check/check-target.js";
import { kafkaNames } from "../../../src/bindings/queue/providers/kafka/names.js";
import { providerNamed } from "../../../src/bindings/queue/providers/registry.js";
import { requireNames } from "../../../src/bindings/queue/send/names.js";
import { targetName } from "../../../src/bindings/queue/send/target-name.js";
import { RefusedValue } from "../../../src/runtime/executor.js";
import { createAjv } from "../../../src/schema/ajv-instance.js";
import { formatNames } from "../../../src/schema/formats.js";
import { unicodeText } from "../../support/unicode-text.js";

type TargetOf = (name: unknown) => object;

/** Each name of a target, its provider and its field, and the target that has it. */
const names: readonly (readonly [string, string, string, TargetOf])[] = [
  ["a topic", "kafka", "topic", (topic) => ({ topic })],
  ["a subject", "nats", "subject", (subject) => ({ subject })],
  ["a stream", "redis", "stream", (stream) => ({ stream })],
  ["a queue", "rabbitmq", "routing_key", (name) => ({ exchange: "", routing_key: name })],
  ["an exchange", "rabbitmq", "exchange", (exchange) => ({ exchange, routing_key: "k" })],
  ["a routing key", "rabbitmq", "routing_key", (name) => ({ exchange: "e", routing_key: name })],
];

function made(text: string) {
  return targetName(["/p", text]);
}

function isRejectedAtCall(provider: string, target: object): boolean {
  try {
    requireNames(providerNamed(provider).names, target);
    return false;
  } catch (error) {
    if (error instanceof RefusedValue) return true;
    throw error;
  }
}

const texts = fc.oneof(
  unicodeText({ minLength: 1, maxLength: 12 }),
  fc.stringMatching(/^[\w.-]{1,9}$/),
  fc.constantFrom(
    "",
    ".",
    "..",
    "...",
    "a b",
    "a/b",
    "ä",
    "a\n",
    "_",
    "-",
    ".a",
    "a.",
    "a..b",
    "$a",
    "*",
    "a.>",
  ),
  fc.nat({ max: 300 }).map((length) => `x${"y".repeat(length)}`),
  fc.nat({ max: 150 }).map((length) => `x${"ä".repeat(length)}`),
);

test.each(names)(
  "the compiler and a call apply the same rule to %s",
  (what, provider, field, targetOf) => {
    const rule = providerNamed(provider).names.rulesOf(targetOf("x"))[field];
    if (rule === undefined) throw new Error(`no rule for ${field}`);
    expect(rule.what).toBe(what);
    const isRefused = (text: string) =>
      text === ""
        ? rule.mayBeEmpty !== true
        : (partProblem(rule, text) ?? completeNameProblem(rule, text)) !== undefined;
    fc.assert(
      fc.property(texts, (text) => {
        const target = targetOf(made(text));
        expect([text, isRejectedAtCall(provider, target)]).toEqual([text, isRefused(text)]);
      }),
      { numRuns: 1000 },
    );
  },
);

test("a format that topics never hold matches no valid topic name", () => {
  const ajv = createAjv(false);
  const { characters } = kafkaNames.rulesOf({})["topic"] ?? {};
  const refused = formatNames.filter((format) => characters?.foreignFormats.has(format));
  const validators = refused.map((format) => ajv.compile({ type: "string", format }));
  expect(refused).toContain("date-time");
  fc.assert(
    fc.property(fc.stringMatching(/^[\w.-]{1,12}$/), (text) => {
      expect(refused.filter((_, index) => validators[index]?.(text))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
