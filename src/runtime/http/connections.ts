/**
 * The entry point `@skillc/runtime/executor/http`: connections for executors that use HTTP. It is
 * separate from `@skillc/runtime/executor`, which loads no HTTP client.
 */
import { lookup } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { whenIdle } from "../call/calls-in-flight.js";
import { onClose } from "../on-close.js";
import type { CallHooks } from "../call/attempt.js";
import { type HttpSettings, httpSettingsOf } from "./http-options.js";
import { WeakSetOf } from "./weak-set-of.js";

// Bun replaces undici by its own module, which lacks the functions below.
if ("bun" in process.versions)
  throw new Error("the HTTP tools of @skillc/runtime need Node.js, and this process runs on Bun");

type Connecting = NonNullable<CallHooks["connecting"]>;

/** The HTTP connections of one binding kind. */
export interface HttpConnections {
  /**
   * Returns the dispatcher for the requests of a call. Each runtime has its own, with a pool for
   * each origin. All calls with the same `connecting` share it. `connecting` sees each address
   * before a connection is made; behind a proxy it sees only addresses that a URL contains in place
   * of a name.
   *
   * @param runtime the attempt's runtime, which may have a proxy; closing the runtime closes the
   * connections
   */
  of(hooks: CallHooks, runtime?: object): Dispatcher;
  /**
   * Waits for requests of calls in progress, and closes all connections. Later calls open new ones.
   */
  close(): Promise<void>;
}

/** Certificate and key of a TLS client, as PEM texts. */
interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

type Options = Omit<Agent.Options, "connect">;

/** Owner of calls that name no runtime. */
const nobody = {};

/**
 * Creates connections. Idle connections close after four seconds and never keep the process alive.
 * undici's time limits for answers are off, because they would cut a long `timeout_ms` short and
 * cost a timer for each request. Its limit of ten seconds for connecting stays: after it, the
 * target is unavailable. An error of a hook becomes the error of the request.
 *
 * @param options undici's options, except `connect`
 * @param tls certificate and key of the client
 */
export function httpConnections(options: Options = {}, tls?: TlsOptions): HttpConnections {
  const byRuntime = new WeakMap<object, Dispatchers>();
  const opened = new WeakSetOf<Dispatchers>();
  const dispatchersOf = (runtime: object): Dispatchers => {
    let own = byRuntime.get(runtime);
    if (own === undefined) {
      byRuntime.set(runtime, (own = new Dispatchers(options, tls, runtime)));
      const { close } = own;
      onClose(runtime, close);
      opened.add(own);
    }
    return own;
  };
  return {
    of: (hooks, runtime = nobody) => dispatchersOf(runtime).of(hooks),
    async close() {
      await Promise.all(opened.all().map((each) => each.close()));
    },
  };
}

/** The dispatchers of one runtime. */
class Dispatchers {
  readonly #make: (connecting: Connecting | undefined, unmade: Set<Socket>) => Dispatcher;
  /** Sockets that are connecting. */
  #unmade = new Set<Socket>();
  #own: Dispatcher | undefined;
  /** Dispatchers by `connecting`. A connection is used only by calls whose hook checked it. */
  #watched = new Map<Connecting, Dispatcher>();
  readonly #runtime: object;

  constructor(options: Options, tls: TlsOptions | undefined, runtime: object) {
    const settings = httpSettingsOf(runtime);
    const untimed = { headersTimeout: 0, bodyTimeout: 0, ...options };
    this.#runtime = runtime;
    this.#make = (connecting, unmade) => dispatcher(untimed, tls, settings, connecting, unmade);
  }

  of({ connecting }: CallHooks): Dispatcher {
    if (connecting === undefined) return (this.#own ??= this.#make(undefined, this.#unmade));
    let own = this.#watched.get(connecting);
    if (own === undefined)
      this.#watched.set(connecting, (own = this.#make(connecting, this.#unmade)));
    return own;
  }

  /**
   * Waits for requests in progress. Once no call runs, it destroys the rest: connections that are
   * still being made for requests that were given up.
   */
  close = async (): Promise<void> => {
    const closing = [...(this.#own ? [this.#own] : []), ...this.#watched.values()];
    const unmade = this.#unmade;
    this.#own = undefined;
    this.#watched = new Map();
    this.#unmade = new Set();
    const closed = Promise.all(closing.map((each) => each.close()));
    // For requests without a runtime, it is unknown whether a call waits for them.
    await (this.#runtime === nobody ? closed : Promise.race([closed, whenIdle(this.#runtime)]));
    await Promise.all(closing.map((each) => each.destroy()));
    for (const socket of unmade) socket.destroy();
  };
}

function dispatcher(
  options: Options,
  tls: TlsOptions | undefined,
  { http2, proxy }: HttpSettings,
  connecting: Connecting | undefined,
  unmade: Set<Socket>,
): Dispatcher {
  const secure = { ...tls, ...(http2 && { allowH2: true }) };
  const connector =
    connecting === undefined ? buildConnector(secure) : watchedConnector(connecting, secure);
  const connect = noted(connector, unmade);
  const direct = { ...options, ...(http2 && { allowH2: true }), connect };
  if (proxy === undefined) return new Agent(direct);
  return new EnvHttpProxyAgent({
    ...direct,
    requestTls: secure,
    httpProxy: proxy.url,
    httpsProxy: proxy.url,
    noProxy: proxy.except.join(","),
    ...(connecting && { factory: watchedPool(connecting) }),
  });
}

/** Records the sockets that are connecting. */
function noted(connect: buildConnector.connector, unmade: Set<Socket>): buildConnector.connector {
  return (options, callback) => {
    let socket: Socket | undefined;
    const made: buildConnector.Callback = (...result) => {
      if (socket !== undefined) unmade.delete(socket);
      callback(...result);
    };
    // undici's connector returns its socket, which its type leaves out.
    socket = connect(options, made) as unknown as Socket | undefined;
    if (socket !== undefined) unmade.add(socket);
  };
}

/** Checks addresses behind a proxy. The proxy resolves names; addresses in URLs are known here. */
function watchedPool(connecting: Connecting): NonNullable<Agent.Options["factory"]> {
  return (origin, options) => {
    const host = bareHost(new URL(origin).hostname);
    if (isIP(host) !== 0) connecting({ host, address: host });
    return new Pool(origin, options);
  };
}

/**
 * Checks addresses of direct connections. A host that is an address needs no lookup. A name may
 * have several addresses, and each of them may be used.
 */
function watchedConnector(
  connecting: Connecting,
  tls: buildConnector.BuildOptions,
): buildConnector.connector {
  const connect = buildConnector({ ...tls, lookup: watchedLookup(connecting) });
  return (options, callback) => {
    const host = bareHost(options.hostname);
    try {
      if (isIP(host) !== 0) connecting({ host, address: host });
    } catch (error) {
      return callback(asError(error), null);
    }
    return connect(options, callback);
  };
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function watchedLookup(connecting: Connecting): LookupFunction {
  return (host, options, callback) => {
    lookup(host, options, (error, found, family) => {
      if (error !== null) return callback(error, found, family);
      try {
        const all = typeof found === "string" ? [found] : found.map(({ address }) => address);
        for (const address of all) connecting({ host, address });
      } catch (refused) {
        return callback(asError(refused), found, family);
      }
      callback(null, found, family);
    });
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error("refused", { cause: thrown });
}
