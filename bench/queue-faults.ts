/**
 * `node --import jiti/register bench/queue-faults.ts [--count 10000] [--provider
 * kafka|rabbitmq|redis] [--seed N] [--json FILE]`
 *
 * Publishes through the generated tools of skills/order-events while faults at random cut off,
 * stall and restart each broker. Then counts the outcomes of all messages. The exit code is 1 if a
 * promise is broken. Run `npm run build` first.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Count, isKept } from "./queue-faults/count.js";
import { countTable } from "./queue-faults/print.js";
import { providers } from "./queue-faults/providers.js";
import { runFaults } from "./queue-faults/run.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "10000" },
    provider: { type: "string" },
    seed: { type: "string" },
    json: { type: "string" },
  },
});

/** The stream of `log-view` keeps 10,000 messages, and gets a third of all. */
const maxPublishes = 25_000;

/**
 * Enough callers to fill the brokers' own batches, and a stall that outlasts the attempts of
 * `timeout_ms`.
 */
const load = { callers: 24, longMs: 6000 };

const count = numberOf("count", values.count, maxPublishes);
const seed = numberOf("seed", values.seed ?? String(Date.now() % 2 ** 31), 2 ** 31 - 1);
const names = values.provider === undefined ? [...providers.keys()] : [values.provider];

const all: Record<string, readonly Count[]> = {};
for (const name of names) {
  const provider = providers.get(name);
  if (provider === undefined)
    throw new Error(`no provider ${name}; there are ${[...providers.keys()].join(", ")}`);
  const began = performance.now();
  const { counts, note } = await provider(async (subject) => ({
    counts: await runFaults(subject, { ...load, count, seed }),
    note: subject.note,
  }));
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${countTable(`${name}, seed ${seed}, ${seconds} s`, counts)}\n${note}\n`);
  all[name] = counts;
}
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ seed, counts: all }, undefined, 2)}\n`);
process.exitCode = Object.values(all).flat().every(isKept) ? 0 : 1;

function numberOf(name: string, text: string, most: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number > 0 && number <= most) return number;
  throw new Error(`--${name} must be a whole number from 1 to ${most}`);
}
