/**
 * The entry point `@skillc/runtime/executor/http`: connections for executors that speak HTTP. It
 * stands apart from `sink`, which loads no HTTP client.
 */
import { lookup } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { whenIdle } from "../call/calls-in-flight.js";
import { onClose } from "../on-close.js";
import type { CallHooks } from "../tool.js";
import { type HttpSettings, httpSettingsOf } from "./http-options.js";
import { WeakSetOf } from "./weak-set-of.js";

type Connecting = NonNullable<CallHooks["connecting"]>;

/** The connections of one binding kind. */
export interface HttpConnections {
  /**
   * What sends the requests of a call: one dispatcher for each runtime, with a pool for each origin.
   * It is shared by all calls with the same `connecting`, which sees each address before it is
   * connected to; behind the runtime's proxy those alone that a URL has in place of a name.
   *
   * @param runtime the attempt's, which may have a proxy; closing it closes them
   */
  of(hooks: CallHooks, runtime?: object): Dispatcher;
  /** Waits for requests of calls under way, and closes all connections. Later calls open new ones. */
  close(): Promise<void>;
}

/** What a connection over TLS proves itself by, as PEM texts. */
interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

type Options = Omit<Agent.Options, "connect">;

/** Whom calls belong to that name no runtime. */
const nobody = {};

/**
 * Idle connections are closed after four seconds, and never keep the process alive. The attempt's
 * own clock counts: undici's would cut a long `timeout_ms` short, and cost a timer a request. Only
 * connecting keeps undici's limit of ten seconds, which no answer waits for: past it a target is
 * unavailable. What a hook throws is the error of the request.
 *
 * @param options undici's, but for `connect`
 * @param tls of a client that has a certificate
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

/** Of one runtime. */
class Dispatchers {
  readonly #make: (connecting: Connecting | undefined, unmade: Set<Socket>) => Dispatcher;
  /** Connections that are being made. */
  #unmade = new Set<Socket>();
  #own: Dispatcher | undefined;
  /** Those of calls that look at each connection: a connection is only theirs who looked at it. */
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
   * Waits for requests under way. Once no call runs, nobody waits for what is left: a request that
   * was given up, and whose connection is still being made.
   */
  close = async (): Promise<void> => {
    const closing = [...(this.#own ? [this.#own] : []), ...this.#watched.values()];
    const unmade = this.#unmade;
    this.#own = undefined;
    this.#watched = new Map();
    this.#unmade = new Set();
    const closed = Promise.all(closing.map((each) => each.close()));
    // Of requests that name no runtime it is not known whether a call waits for them.
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

/** Notes the connections that are being made. */
function noted(connect: buildConnector.connector, unmade: Set<Socket>): buildConnector.connector {
  return (options, callback) => {
    let socket: Socket | undefined;
    const made: buildConnector.Callback = (...result) => {
      if (socket !== undefined) unmade.delete(socket);
      callback(...result);
    };
    // undici's connector gives its socket, which its type leaves out.
    socket = connect(options, made) as unknown as Socket | undefined;
    if (socket !== undefined) unmade.add(socket);
  };
}

/** A name is looked up by the proxy; an address is known here. */
function watchedPool(connecting: Connecting): NonNullable<Agent.Options["factory"]> {
  return (origin, options) => {
    const host = bareHost(new URL(origin).hostname);
    if (isIP(host) !== 0) connecting({ host, address: host });
    return new Pool(origin, options);
  };
}

/**
 * A host that is an address is never looked up; a name may have several addresses, of which any may
 * be taken.
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
