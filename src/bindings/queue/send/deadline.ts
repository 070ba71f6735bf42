import { onAborted } from "../../../runtime/on-aborted.js";
import type { Attempt } from "../../../runtime/executor.js";
import { LostBroker, unsent } from "./failures.js";

/** How it is told that work came to nothing. */
export interface WaitersOptions {
  /**
   * Once nobody waits any more: whoever comes next would wait for what others waited for in vain.
   */
  readonly giveUp: () => void;
  /** In front of the reason: `schema registry: `. */
  readonly prefix?: string;
}

/** Calls that wait for the same work, each unless its attempt is about to be over first. */
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

  /** @throws LostBroker, or what the work was rejected with; nothing was sent then */
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
 * Calls the listener when the share of the attempt's time is over that its means have to be there.
 *
 * @returns ends the wait
 */
function whenLate({ remainingMs }: Attempt, listener: () => void): () => void {
  if (remainingMs === undefined) return () => {};
  const timer = setTimeout(listener, remainingMs * usableShare);
  return () => clearTimeout(timer);
}

/** Calls the listener once: when the signal aborts, or at once if it has. */
export function whenAborted(signal: AbortSignal | undefined, listener: () => void): void {
  if (signal?.aborted === true) listener();
  else if (signal !== undefined) onAborted(signal, listener);
}

/**
 * Of an attempt's time: what isn't there by then fails before the attempt is over, and so is told
 * from a message without an answer.
 */
export const usableShare = 0.8;
