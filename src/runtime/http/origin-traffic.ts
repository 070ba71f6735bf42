import { onAborted } from "../on-aborted.js";
import type { OriginLimits } from "./http-options.js";

/** What wants to send a request. */
export interface Sender {
  /** Milliseconds that it may wait; undefined: as long as it takes. */
  readonly remainingMs?: number | undefined;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** Gives a place back. To be called once. */
export type Leave = () => void;

/** There is no place before the sender's time is up: nothing was sent. */
export class TooLongToWait extends Error {
  override readonly name = "TooLongToWait";
  /** Milliseconds until there may be one. */
  readonly waitMs: number;

  constructor(waitMs: number) {
    super("no request may be sent in time");
    this.waitMs = waitMs;
  }
}

interface Waiting {
  /** By `performance.now()`. */
  readonly endsAt: number;
  readonly resolve: (leave: Leave) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The requests to one origin: those under way, and those that wait for a place, first come, first
 * served. A place is free when fewer are under way than may be, fewer have begun in the window than
 * may, and no pause holds.
 */
export class OriginTraffic {
  readonly #concurrency: number;
  /** So many may begin within the window. */
  readonly #most: number;
  readonly #windowMs: number;
  /** When the last ones began, by `performance.now()`: those of the window. */
  #begun: number[] = [];
  #active = 0;
  #resumesAt = 0;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor({ concurrency = Infinity, requestsPerSecond }: OriginLimits) {
    this.#concurrency = concurrency;
    this.#most =
      requestsPerSecond === undefined ? Infinity : Math.max(1, Math.floor(requestsPerSecond));
    this.#windowMs = requestsPerSecond === undefined ? 0 : (this.#most / requestsPerSecond) * 1000;
  }

  /** Whether nothing would be lost with it. */
  get isIdle(): boolean {
    const now = performance.now();
    this.#forget(now);
    const isQuiet = this.#active === 0 && this.#waiting.length === 0 && this.#begun.length === 0;
    return isQuiet && now >= this.#resumesAt;
  }

  /** Waits for a place. @throws TooLongToWait, or the signal's reason */
  enter({ remainingMs = Infinity, signal }: Sender): Promise<Leave> {
    const now = performance.now();
    const waitMs = this.#earliest(this.#waiting.length, now) - now;
    if (waitMs > remainingMs) return Promise.reject(new TooLongToWait(waitMs));
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stop = (): void => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        reject(signal.reason);
        this.#admit();
      };
      const waiting: Waiting = {
        endsAt: now + remainingMs,
        resolve: (leave) => {
          stopListening();
          resolve(leave);
        },
        reject: (error) => {
          stopListening();
          reject(error);
        },
      };
      const stopListening = onAborted(signal, stop);
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  /** No request begins before that; those that can't wait so long fail now. */
  pause(ms: number): void {
    const now = performance.now();
    this.#resumesAt = Math.max(this.#resumesAt, now + ms);
    const late = this.#waiting.filter(({ endsAt }) => endsAt < this.#resumesAt);
    this.#waiting = this.#waiting.filter((each) => !late.includes(each));
    for (const { reject } of late) reject(new TooLongToWait(this.#resumesAt - now));
    this.#admit();
  }

  #admit(): void {
    clearTimeout(this.#timer);
    while (this.#active < this.#concurrency) {
      const now = performance.now();
      const at = this.#earliest(0, now);
      if (at > now) {
        if (this.#waiting.length > 0)
          this.#timer = setTimeout(() => this.#admit(), Math.ceil(at - now));
        return;
      }
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#begin(next, now);
    }
  }

  #begin({ resolve }: Waiting, now: number): void {
    this.#active += 1;
    if (this.#most !== Infinity) this.#begun.push(now);
    resolve(() => {
      this.#active -= 1;
      this.#admit();
    });
  }

  /**
   * When the one at that place of the queue may begin, by time alone: how long others are under way
   * nobody knows.
   */
  #earliest(place: number, now: number): number {
    const from = Math.max(now, this.#resumesAt);
    if (this.#most === Infinity) return from;
    this.#forget(now);
    const free = this.#most - this.#begun.length;
    if (place < free) return from;
    const behind = place - free;
    const round = Math.floor(behind / this.#most) + 1;
    const begun = this.#begun[behind % this.#most] ?? from;
    return Math.max(from, begun + round * this.#windowMs);
  }

  #forget(now: number): void {
    const first = this.#begun.findIndex((at) => at > now - this.#windowMs);
    if (first === -1) this.#begun = [];
    else if (first > 0) this.#begun.splice(0, first);
  }
}
