import { pause } from "../../../../../runtime/call/retry.js";
import { LostBroker } from "../../../send/failures.js";
import { requestMs } from "./client.js";
import type { Delivery } from "./deliveries.js";
import { readKafkaFailure } from "./failures.js";

const firstWaitMs = 100;
const maxWaitMs = 1000;

export interface Limits {
  /** Nothing is tried after that moment (`performance.now()`). */
  readonly until: number;
  /** Ends all waits. */
  readonly signal: AbortSignal;
}

/**
 * Does it again, in longer and longer intervals, while what fails is worth it and there is time.
 */
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
 * What brokers say while a cluster moves things: a restart, an election, replicas that catch up.
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
 * How often something is tried that may be there to stay: a topic that doesn't exist, a broker that
 * closes the connection on each request.
 */
const maxTries = 4;

/** Tells whether another try to send is worth it, after each that failed. */
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

/** What kafkajs would have tried again, which it wouldn't when no broker is in reach. */
function isRepeatable(error: unknown): boolean {
  return error instanceof Error && error.name === "KafkaJSNumberOfRetriesExceeded";
}

/**
 * That a leader can't be found or reached, while another broker answers. Errors of TLS don't pass.
 */
function isOutOfReach(error: unknown): boolean {
  const { code, type } = readKafkaFailure(error);
  return type === undefined && (code === undefined || /^E(?!RR_)/.test(code));
}

/** Connections are made anew this often before an answer is given up. */
const maxResets = 3;

/** Limits for work of kafkajs, some of which never ends when its connection does. */
export interface Deadlines {
  within<Value>(work: () => Promise<Value>): Promise<Value>;
  /** To be called now and then. */
  check(): void;
  /** Work under way fails now, and none is begun any more. */
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
