import type { Runtime } from "@skillc/runtime";
import type { Call } from "../callers.js";

/** A tool of skills/order-events with its broker, and the same message published by hand. */
export interface Publishing {
  /** Name in the results: `Kafka in memory, Avro`. */
  readonly name: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly generated: (caller: number, runtime: Runtime) => Promise<{ readonly status: string }>;
  readonly hand: ByHand;
  /** A faster way for many concurrent callers. */
  readonly handForMany?: ByHand;
  /**
   * Returns the messages published so far, with their headers. The texts of equal messages are
   * equal.
   */
  readonly published: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

export interface ByHand {
  /** Description in the results. */
  readonly how: string;
  readonly publish: Call;
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Returns headers and properties as text, without the ids that differ between messages. */
export function withoutIds(headers: unknown): string {
  return JSON.stringify(headers).replaceAll(uuid, "(id)");
}
