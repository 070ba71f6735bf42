import { pause } from "../../../../../runtime/call/retry.js";
import { LostBroker } from "../../../send/failures.js";
import { requestMs } from "./client.js";
import type { Delivery } from "./deliveries.js";
import { readKafkaFailure } from "./failures.js";

const firstWaitMs = 100;
const maxWaitMs = 1000;

export interface Limits {
  /** Time of the last try (`performance.now()`). */
  readonly until: number;
  /** Ends all waits. */
  readonly signal: AbortSignal;
}

/** Repeats an action at growing intervals, while a failure is worth a retry and there is time. */
export async function persist<Value>(
  work: () => Promise<Value>,
  { until, signal }: Limits,
  isWorthIt: (error: unknown) => boolean,
): Promise<Value> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
    try {
      return await work();
    } catch (error) {
      const leftMs = until - performance.now();
      if (leftMs <= 0 || signal.aborted || !isWorthIt(error)) throw error;
      await pause(Math.min(waitMs, leftMs), signal).catch(() => {});
      if (signal.aborted) throw error;
    }
  }
}

/**
 * Errors that brokers return while the cluster changes: a restart, an election, or replicas that
 * catch up.
 */
const passing: ReadonlySet<string> = new Set([
  "LEADER_NOT_AVAILABLE",
  "NOT_LEADER_FOR_PARTITION",
  "FENCED_LEADER_EPOCH",
  "UNKNOWN_LEADER_EPOCH",
  "LISTENER_NOT_FOUND",
  "BROKER_NOT_AVAILABLE",
  "REPLICA_NOT_AVAILABLE",
  "NOT_ENOUGH_REPLICAS",
  "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
  "REQUEST_TIMED_OUT",
  "NETWORK_EXCEPTION",
  "KAFKA_STORAGE_ERROR",
]);

export function isPassing(error: unknown): boolean {
  const { type } = readKafkaFailure(error);
  return type !== undefined && passing.has(type);
}

/**
 * Maximum number of tries for errors that may be permanent: a topic that doesn't exist, or a broker
 * that closes the connection on each request.
 */
const maxTries = 4;

/** Makes a function that decides after each failed try whether another one is worth it. */
export function worthOf(delivery: Delivery): (error: unknown) => boolean {
  let tries = 0;
  let losses = 0;
  return (error) => {
    tries += 1;
    const isLost = delivery.losses > losses;
    losses = delivery.losses;
    if (delivery.isStopped) return false;
    if (isPassing(error)) return true;
    if (!isRepeatable(error)) return false;
    if (isLost) return losses < maxTries;
    return isOutOfReach(error) || tries < maxTries;
  };
}

/** Returns whether kafkajs itself would retry. It doesn't if no broker is reachable. */
function isRepeatable(error: unknown): boolean {
  return error instanceof Error && error.name === "KafkaJSNumberOfRetriesExceeded";
}

/**
 * Returns whether a leader can't be found or reached, although another broker may answer. TLS
 * errors are permanent.
 */
function isOutOfReach(error: unknown): boolean {
  const { code, type } = readKafkaFailure(error);
  return type === undefined && (code === undefined || /^E(?!RR_)/.test(code));
}

/** Number of reconnects before an answer is given up. */
const maxResets = 3;

/** Time limits for kafkajs calls, some of which never settle after their connection ends. */
export interface Deadlines {
  within<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Checks the limits. Call it regularly. */
  check(): void;
  /** Fails the calls under way, and starts no new ones. */
  end(reason: string): void;
}

interface Work {
  readonly fail: (error: Error) => void;
  resetAt: number;
  resets: number;
}

/** @param reset ends all connections, in a way that kafkajs notices */
export function createDeadlines(reset: () => void): Deadlines {
  const underWay = new Set<Work>();
  let ended: LostBroker | undefined;
  return {
    within: (begin) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        const work = { fail: reject, resetAt: performance.now() + requestMs, resets: 0 };
        underWay.add(work);
        const over = () => underWay.delete(work);
        const begun = begin();
        begun.then(over, over);
        begun.then(resolve, reject);
      }),
    check() {
      const now = performance.now();
      const late = [...underWay].filter(({ resetAt }) => resetAt <= now);
      if (late.length > 0) reset();
      for (const work of late) {
        work.resetAt = now + requestMs;
        work.resets += 1;
        if (work.resets > maxResets) work.fail(new LostBroker("ETIMEDOUT"));
      }
    },
    end(reason) {
      ended ??= new LostBroker(reason);
      for (const { fail } of underWay) fail(ended);
    },
  };
}
