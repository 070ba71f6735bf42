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
  /** Further facts for the report. */
  readonly note: string;
  /** The id of each message that the broker has, in any order. */
  read(): Promise<readonly string[]>;
}

export interface RestartableBroker {
  /**
   * Number of fault rounds per restart, because a start that takes seconds would leave little time
   * for other faults.
   */
  readonly restartEvery: number;
  /** Ends it at once, as a crash does. */
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
   * True if the broker may have a message twice: the tool may repeat it, and nothing removes
   * duplicates.
   */
  readonly mayRepeat: boolean;
  /** @param id a UUID, which goes into the message */
  call(id: string, options: CallOptions): Promise<AnyResult>;
}

/** Default of `timeout_ms`. */
const attemptMs = 5000;

/** Before the second attempt, and before the third. */
const longestPausesMs = 1000 + 2000;

export const limitOfOne = attemptMs;
export const limitOfThree = 3 * attemptMs + longestPausesMs;
