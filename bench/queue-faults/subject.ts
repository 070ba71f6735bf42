import type { AnyResult, CallOptions } from "@skillc/runtime";
import type { Proxy } from "../../test/bindings/queue/support/proxy.js";

/**
 * A broker behind a proxy that injects faults, the tools of skills/order-events for the broker, and
 * an independent reader.
 */
export interface Subject {
  readonly provider: "kafka" | "rabbitmq" | "redis";
  readonly credentials: Readonly<Record<string, string>>;
  readonly proxy: Proxy;
  /** Process of the broker. Absent if messages don't survive a restart. */
  readonly broker?: RestartableBroker;
  readonly tools: readonly SubjectTool[];
  /** Further facts for the report. */
  readonly note: string;
  /** Returns the id of each message in the broker, in any order. */
  read(): Promise<readonly string[]>;
}

export interface RestartableBroker {
  /**
   * Number of fault rounds per restart, because a start that takes seconds would leave little time
   * for other faults.
   */
  readonly restartEvery: number;
  /** Kills the process at once, like a crash. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface SubjectTool {
  readonly name: string;
  /**
   * Time limit of one call by its contract, in milliseconds: its attempts and the pauses between
   * them.
   */
  readonly limitMs: number;
  /**
   * True if the broker may store a message twice: the tool retries it, and nothing removes
   * duplicates.
   */
  readonly mayRepeat: boolean;
  /** @param id a UUID that becomes a field of the message */
  call(id: string, options: CallOptions): Promise<AnyResult>;
}

/** Default of `timeout_ms`. */
const attemptMs = 5000;

/** Longest pauses before the second and third attempts. */
const longestPausesMs = 1000 + 2000;

export const limitOfOne = attemptMs;
export const limitOfThree = 3 * attemptMs + longestPausesMs;
