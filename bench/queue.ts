/**
 * Compares generated publishes of skills/order-events with the same client, message and
 * confirmation by hand. The generated ones include encoding and validation.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime, type Runtime, type RuntimeOptions, shutdown } from "@skillc/runtime";
import { type Call, msOf, ratioOf, type Round, runCallers } from "./callers.js";
import type { Measurement } from "./measurement.js";
import { MissingProgram } from "./missing-program.js";
import { openKafka } from "./queue/kafka.js";
import type { ByHand, Publishing } from "./queue/publishing.js";
import { openRabbitmq } from "./queue/rabbitmq.js";
import { openRedis } from "./queue/redis.js";

const many = 64;
const rounds = { rounds: 20, roundMs: 150 };

type Generated = Readonly<Record<string, Call>>;

/**
 * Brokers that don't wait for a disk show the client's cost best. Only RabbitMQ's persistent
 * messages wait for one.
 */
const brokers = [
  () => openKafka(many),
  () => openRabbitmq({ isDurable: false }),
  () => openRabbitmq({ isDurable: true }),
  openRedis,
];

export async function measureQueue(): Promise<readonly Measurement[]> {
  const measured: Measurement[] = [];
  for (const open of brokers) {
    const publishing = await open().catch(leaveOut);
    if (publishing !== undefined) measured.push(...(await measureOn(publishing)));
  }
  return measured;
}

/** Skips a broker whose program is missing, so that the others are measured. */
function leaveOut(error: unknown): undefined {
  if (!(error instanceof MissingProgram)) throw error;
  console.error(`one broker is left out: ${error.message}`);
}

async function measureOn(publishing: Publishing): Promise<readonly Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "skillc-bench-"));
  const runtimes = {
    "ledger on": runtimeFor(publishing, { directory }),
    "ledger off": runtimeFor(publishing, false),
  };
  const generated = {
    "ledger on": generatedBy(publishing, runtimes["ledger on"]),
    "ledger off": generatedBy(publishing, runtimes["ledger off"]),
  };
  try {
    await requireSameMessages(publishing, generated);
    return [
      ...(await measure(publishing, generated, 1)),
      ...(await measure(publishing, generated, many)),
    ];
  } finally {
    await Promise.all(Object.values(runtimes).map((each) => each.close()));
    await shutdown();
    await publishing.close();
    rmSync(directory, { recursive: true });
  }
}

function runtimeFor(
  { credentials }: Publishing,
  ledger: NonNullable<RuntimeOptions["ledger"]>,
): Runtime {
  return createRuntime({ credentials, ledger });
}

function generatedBy({ generated }: Publishing, runtime: Runtime): Call {
  return async (caller) => {
    const { status } = await generated(caller, runtime);
    if (status !== "success") throw new Error(`publishing gave ${status}`);
  };
}

/** Checks that all variants do the same work. */
async function requireSameMessages(publishing: Publishing, generated: Generated): Promise<void> {
  const { name, hand, handForMany = hand, published } = publishing;
  const calls = [hand.publish, handForMany.publish, ...Object.values(generated)];
  for (const call of calls) await call(0);
  const messages = await published();
  if (messages.length !== calls.length || new Set(messages).size !== 1)
    throw new Error(`${name}: not the same message each time:\n${messages.join("\n")}`);
}

async function measure(
  publishing: Publishing,
  generated: Generated,
  callers: number,
): Promise<readonly Measurement[]> {
  const { hand, handForMany, name } = publishing;
  const baselines = callers > 1 && handForMany ? [hand, handForMany] : [hand];
  const byHand = Object.fromEntries(baselines.map(({ how, publish }) => [how, publish]));
  const taken = await runCallers({ ...byHand, ...generated }, callers, rounds);
  const of = `${name}, ${callers} ${callers === 1 ? "caller" : "callers"}`;
  return baselines.flatMap((baseline) =>
    Object.keys(generated).flatMap((task) => lines(taken, task, baseline, `${of}, ${task}`)),
  );
}

function lines(
  taken: readonly Round[],
  task: string,
  { how }: ByHand,
  name: string,
): readonly Measurement[] {
  return (["p50", "each"] as const).map((what) => ({
    name: `${name}: ${what === "p50" ? "p50" : "time per message"}`,
    value: ratioOf(taken, task, how, what),
    unit: "×",
    baseline: `${how} (${(msOf(taken, how, what) * 1000).toFixed(0)} µs)`,
  }));
}
