import { pause } from "../../../../runtime/retry.js";
import type { Delivery } from "./delivery.js";
import { faultOf } from "./failures.js";

const firstWaitMs = 100;
const mostWaitMs = 1000;

export interface Limits {
  /** Nothing is tried after that moment (`performance.now()`). */
  readonly until: number;
  /** Ends all waits. */
  readonly signal: AbortSignal;
}

/** Does it again, in longer and longer intervals, while what fails is worth it and there is time. */
export async function persist<Value>(
  work: () => Promise<Value>,
  { until, signal }: Limits,
  isWorthIt: (error: unknown) => boolean,
): Promise<Value> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, mostWaitMs)) {
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

/** What brokers say while a cluster moves things: a restart, an election, replicas that catch up. */
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
  const { type } = faultOf(error);
  return type !== undefined && passing.has(type);
}

/** How often something is tried that may be there to stay: a topic that doesn't exist, a broker that hangs up on each request. */
const mostTries = 4;

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
    if (isLost) return losses < mostTries;
    return isOutOfReach(error) || tries < mostTries;
  };
}

/** What kafkajs would have tried again, which it wouldn't when no broker is in reach. */
function isRepeatable(error: unknown): boolean {
  return error instanceof Error && error.name === "KafkaJSNumberOfRetriesExceeded";
}

/** That a leader can't be found or reached, while another broker answers. Errors of TLS don't pass. */
function isOutOfReach(error: unknown): boolean {
  const { code, type } = faultOf(error);
  return type === undefined && (code === undefined || /^E(?!RR_)/.test(code));
}
