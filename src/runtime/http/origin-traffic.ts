import { onAborted } from "../on-aborted.js";
import type { OriginLimits } from "./http-options.js";

/** A request that waits to be sent. */
export interface Sender {
  /** Maximum time to wait, in milliseconds; undefined for no limit. */
  readonly remainingMs?: number | undefined;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** Returns a place. Call it once. */
export type Leave = () => void;

/** The error if no place is free in time. Nothing was sent. */
export class TooLongToWait extends Error {
  override readonly name = "TooLongToWait";
  /** Time until a place may be free, in milliseconds. */
  readonly waitMs: number;

  constructor(waitMs: number) {
    super("no request may be sent in time");
    this.waitMs = waitMs;
  }
}

interface Waiting {
  /** End of the wait, by `performance.now()`. */
  readonly endsAt: number;
  readonly resolve: (leave: Leave) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The requests to one origin: those in progress, and those that wait, in order of arrival. A
 * request may be sent if fewer requests than the limit are in progress, fewer than the limit have
 * begun in the window, and there is no pause.
 */
export class OriginTraffic {
  readonly #concurrency: number;
  /** Maximum number of requests that begin in the window. */
  readonly #most: number;
  readonly #windowMs: number;
  /** Begin of the requests in the window, by `performance.now()`. */
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

  /** True if the object holds no state, so that it can be dropped. */
  get isIdle(): boolean {
    const now = performance.now();
    this.#forget(now);
    const isQuiet = this.#active === 0 && this.#waiting.length === 0 && this.#begun.length === 0;
    return isQuiet && now >= this.#resumesAt;
  }

  /**
   * Waits for a place.
   *
   * @throws TooLongToWait if none is free in time; also the signal's reason
   */
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

  /**
   * Delays all requests by this time, in milliseconds. Requests that can't wait that long fail now.
   */
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
   * Returns the earliest time at which the request at this index of the queue may begin. It
   * considers only rates, because it is unknown how long other requests take.
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
