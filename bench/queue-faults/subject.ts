import type { AnyResult, CallOptions } from "@skillc/runtime";
import type { Proxy } from "../../test/bindings/queue/support/proxy.js";

/**
 * A broker behind a proxy that fails, the tools of skills/order-events that publish to it, and a
 * reader that is not ours.
 */
export interface Subject {
  readonly provider: "kafka" | "rabbitmq" | "redis";
  readonly credentials: Readonly<Record<string, string>>;
  readonly proxy: Proxy;
  /** The broker's own process. Absent: its messages don't survive its end. */
  readonly broker?: RestartableBroker;
  readonly tools: readonly SubjectTool[];
  /** What the counts don't tell. */
  readonly note: string;
  /** The id of each message that the broker has, in any order. */
  read(): Promise<readonly string[]>;
}

export interface RestartableBroker {
  /**
   * It is restarted in one round of faults of so many: a start that takes seconds would leave time
   * for little else.
   */
  readonly restartEvery: number;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface SubjectTool {
  readonly name: string;
  /** What its contract lets one call take: its attempts, and the pauses between them. */
  readonly limitMs: number;
  /**
   * Whether the broker may have a message more than once: a repeat is the tool's own, and nothing
   * keeps it out.
   */
  readonly mayRepeat: boolean;
  /** @param id a UUID, which goes into the message */
  call(id: string, options: CallOptions): Promise<AnyResult>;
}

/** `timeout_ms`, where the skill says nothing. */
const attemptMs = 5000;

/** Before the second attempt, and before the third. */
const longestPausesMs = 1000 + 2000;

export const limitOfOne = attemptMs;
export const limitOfThree = 3 * attemptMs + longestPausesMs;
