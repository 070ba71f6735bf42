import type { IncomingHttpHeaders } from "node:http";
import { askedPauseMs } from "./asked-pause.js";
import { type HttpSettings, httpSettingsOf } from "./http-options.js";
import { type Leave, OriginTraffic, type Sender } from "./origin-traffic.js";

/**
 * A pause holds so long at most, in milliseconds, whatever a server asks for: then a request may ask
 * again.
 */
const longestPauseMs = 60_000;

/** Origins that are kept in mind; idle ones are forgotten then. */
const maxOrigins = 1000;

/**
 * All requests of one runtime over HTTP, by the origin that they go to: limits that the deployment
 * set, and pauses that origins asked for.
 */
class Traffic {
  readonly #settings: HttpSettings;
  readonly #origins = new Map<string, OriginTraffic>();

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /**
   * Waits until a request may go.
   *
   * @returns undefined when nothing limits it: it may go now, and holds no place
   */
  enter(origin: string, sender: () => Sender): undefined | Promise<Leave> {
    const { limits, otherLimits } = this.#settings;
    const isLimited = otherLimits !== undefined || limits.has(origin);
    const own = isLimited ? this.#of(origin) : this.#origins.get(origin);
    if (own === undefined || (!isLimited && own.isIdle)) return undefined;
    return own.enter(sender());
  }

  /** Heeds what an answer asks all callers for. */
  heard(origin: string, status: number, headers: IncomingHttpHeaders): void {
    const ms = askedPauseMs(status, headers, Date.now()) ?? 0;
    if (ms > 0) this.#of(origin).pause(Math.min(ms, longestPauseMs));
  }

  #of(origin: string): OriginTraffic {
    let own = this.#origins.get(origin);
    if (own !== undefined) return own;
    if (this.#origins.size >= maxOrigins)
      for (const [name, each] of this.#origins) if (each.isIdle) this.#origins.delete(name);
    const { limits, otherLimits = {} } = this.#settings;
    this.#origins.set(origin, (own = new OriginTraffic(limits.get(origin) ?? otherLimits)));
    return own;
  }
}

/** By runtime: one tenant's are no other's. */
const traffics = new WeakMap<object, Traffic>();

export function trafficOf(runtime: object): Traffic {
  let own = traffics.get(runtime);
  if (own === undefined) traffics.set(runtime, (own = new Traffic(httpSettingsOf(runtime))));
  return own;
}
