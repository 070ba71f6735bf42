import { onAborted } from "../../../runtime/on-aborted.js";
import type { Attempt } from "../../../runtime/executor.js";
import { LostBroker, unsent } from "./failures.js";

/** How waiters react to failed work. */
export interface WaitersOptions {
  /**
   * Called when no call waits any more. The work is then given up, so that a later call starts
   * anew.
   */
  readonly giveUp: () => void;
  /** Prefix of the reason: `schema registry: `. */
  readonly prefix?: string;
}

/** Calls that wait for the same work. Each stops waiting shortly before its attempt ends. */
export class Waiters<Value> {
  readonly #work: Promise<Value>;
  readonly #giveUp: () => void;
  readonly #prefix: string;
  #count = 0;

  constructor(work: Promise<Value>, { giveUp, prefix = "" }: WaitersOptions) {
    this.#work = work;
    this.#giveUp = giveUp;
    this.#prefix = prefix;
  }

  /** @throws LostBroker, or the error of the work; in both cases nothing was sent */
  wait(attempt: Attempt): Promise<Value> {
    this.#count += 1;
    let isWaiting = true;
    return new Promise((resolve, reject) => {
      const end = () => {
        isWaiting = false;
        stop();
      };
      const leave = (reason: string) => {
        if (!isWaiting) return;
        end();
        reject(new LostBroker(this.#prefix + reason, "not-done"));
        this.#count -= 1;
        if (this.#count === 0) this.#giveUp();
      };
      const stop = whenLate(attempt, () => leave("ETIMEDOUT"));
      this.#work.finally(end).then(resolve, (problem: unknown) => reject(unsent(problem)));
      attempt.onAbort(() => {
        leave("aborted");
        return "not-done";
      });
    });
  }
}

/**
 * Calls the listener when the usable share of an attempt's time is over.
 *
 * @returns a function that cancels the wait
 */
function whenLate({ remainingMs }: Attempt, listener: () => void): () => void {
  if (remainingMs === undefined) return () => {};
  const timer = setTimeout(listener, remainingMs * usableShare);
  return () => clearTimeout(timer);
}

/** Calls the listener once: when the signal aborts, or at once if the signal is already aborted. */
export function whenAborted(signal: AbortSignal | undefined, listener: () => void): void {
  if (signal?.aborted === true) listener();
  else if (signal !== undefined) onAborted(signal, listener);
}

/**
 * Share of an attempt's time for preparations such as connecting. If they take longer, the attempt
 * fails early, so that this failure differs from a message without an answer.
 */
export const usableShare = 0.8;
