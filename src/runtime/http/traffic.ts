import type { IncomingHttpHeaders } from "node:http";
import { requestedPauseMs } from "./requested-pause.js";
import { type HttpSettings, httpSettingsOf } from "./http-options.js";
import { type Leave, OriginTraffic, type Sender } from "./origin-traffic.js";

/**
 * Maximum pause that a server can ask for, in milliseconds. After that, requests are sent again.
 */
const longestPauseMs = 60_000;

/** Number of origins above which idle ones are forgotten. */
const maxOrigins = 1000;

/**
 * All HTTP requests of one runtime by origin, with the deployment's limits and the pauses that
 * origins ask for.
 */
class Traffic {
  readonly #settings: HttpSettings;
  readonly #origins = new Map<string, OriginTraffic>();

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /**
   * Waits until a request may be sent.
   *
   * @returns undefined if nothing limits the request, which may be sent at once
   */
  enter(origin: string, sender: () => Sender): undefined | Promise<Leave> {
    const { limits, otherLimits } = this.#settings;
    const isLimited = otherLimits !== undefined || limits.has(origin);
    const own = isLimited ? this.#of(origin) : this.#origins.get(origin);
    if (own === undefined || (!isLimited && own.isIdle)) return undefined;
    return own.enter(sender());
  }

  /** Starts a pause if an answer asks all senders for one. */
  heard(origin: string, status: number, headers: IncomingHttpHeaders): void {
    const ms = requestedPauseMs(status, headers, Date.now()) ?? 0;
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

/** Traffic by runtime, because tenants must not affect each other. */
const traffics = new WeakMap<object, Traffic>();

export function trafficOf(runtime: object): Traffic {
  let own = traffics.get(runtime);
  if (own === undefined) traffics.set(runtime, (own = new Traffic(httpSettingsOf(runtime))));
  return own;
}
