/**
 * HTTP options of a runtime, chosen by the deployment. They are stored beside the runtime, because
 * a proxy's URL may contain a password and objects get printed.
 */

/** Options of a runtime's HTTP requests. They don't affect databases and brokers. */
export interface HttpOptions {
  /**
   * Limits by origin (`https://api.example.com`); `*` for all other origins. Each runtime counts
   * separately.
   */
  readonly origins?: { readonly [origin: string]: OriginLimits };
  /**
   * Proxy for all requests, by `CONNECT`: `http://proxy.internal:3128`, with user and password if
   * needed. None by default; the environment is ignored.
   */
  readonly proxy?: string | ProxyOptions | undefined;
  /** Use HTTP/2 if a server offers it over TLS; false by default. */
  readonly http2?: boolean;
}

/** Limits of the requests to one origin. */
export interface OriginLimits {
  /** Maximum number of requests in progress; no limit by default. */
  readonly concurrency?: number;
  /**
   * Maximum number of requests that begin within a second; 0.5 is one in two seconds. No limit by
   * default.
   */
  readonly requestsPerSecond?: number;
}

/** A proxy, and the hosts that don't use it. */
export interface ProxyOptions {
  /** URL of the proxy, with user and password if needed. */
  readonly url: string;
  /**
   * Hosts that are reached without the proxy, as in `NO_PROXY`: `localhost`, `.internal`,
   * `db.example.com:8080`.
   */
  readonly except?: readonly string[];
}

/** Validated options. */
export interface HttpSettings {
  readonly limits: ReadonlyMap<string, OriginLimits>;
  /** Limits of each origin that has none of its own. */
  readonly otherLimits: OriginLimits | undefined;
  readonly proxy: Required<ProxyOptions> | undefined;
  readonly http2: boolean;
}

const usual: HttpSettings = {
  limits: new Map(),
  otherLimits: undefined,
  proxy: undefined,
  http2: false,
};

const settings = new WeakMap<object, HttpSettings>();

/**
 * Sets the HTTP options of a runtime.
 *
 * @throws TypeError if an option is not valid; the message never contains a proxy's URL
 */
export function setHttpOptions(runtime: object, options: HttpOptions): void {
  settings.set(runtime, settingsFrom(options));
}

export function httpSettingsOf(runtime: object): HttpSettings {
  return settings.get(runtime) ?? usual;
}

function settingsFrom({ http2 = false, origins = {}, proxy }: HttpOptions): HttpSettings {
  if (typeof http2 !== "boolean") throw new TypeError("`http.http2` must be true or false");
  const limits = new Map<string, OriginLimits>();
  for (const [name, each] of Object.entries(origins))
    limits.set(originOf(name), limitsOf(name, each));
  const otherLimits = limits.get("*");
  limits.delete("*");
  return { limits, otherLimits, proxy: proxy == null ? undefined : proxyOf(proxy), http2 };
}

function originOf(name: string): string {
  if (name === "*") return name;
  const url = URL.canParse(name) ? new URL(name) : undefined;
  const isOrigin =
    url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin)
    throw new TypeError(
      "a name in `http.origins` must be an origin such as `https://api.example.com`, or `*`",
    );
  return url.origin;
}

function limitsOf(name: string, { concurrency, requestsPerSecond }: OriginLimits): OriginLimits {
  const place = `http.origins["${name}"]`;
  if (concurrency !== undefined && !(Number.isSafeInteger(concurrency) && concurrency > 0))
    throw new TypeError(`\`${place}.concurrency\` must be a whole number, 1 or more`);
  const isRate = requestsPerSecond === undefined || isUsualRate(requestsPerSecond);
  if (!isRate)
    throw new TypeError(`\`${place}.requestsPerSecond\` must be a number from 0.001 to 10000`);
  return {
    ...(concurrency !== undefined && { concurrency }),
    ...(requestsPerSecond !== undefined && { requestsPerSecond }),
  };
}

function isUsualRate(rate: number): boolean {
  return typeof rate === "number" && rate >= 0.001 && rate <= 10_000;
}

function proxyOf(proxy: string | ProxyOptions): Required<ProxyOptions> {
  const { except = [], url } = typeof proxy === "string" ? { url: proxy } : proxy;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isProxy =
    parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.hostname !== "";
  if (!isProxy)
    throw new TypeError("`http.proxy` must be the URL of a proxy: `http://proxy.internal:3128`");
  const fits = (host: unknown) => typeof host === "string" && /^[^\s,]+$/.test(host);
  if (!Array.isArray(except) || !except.every(fits))
    throw new TypeError("`http.proxy.except` must be a list of hosts: `localhost`, `.internal`");
  return { url, except: [...except] };
}
