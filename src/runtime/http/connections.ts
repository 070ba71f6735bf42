/**
 * The entry point `@skillc/runtime/executor/http`: connections for executors that speak HTTP. It
 * stands apart from `sink`, which loads no HTTP client.
 */
import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import type { CallHooks } from "../tool.js";

type Connecting = NonNullable<CallHooks["connecting"]>;

/** The connections of one binding kind. */
export interface HttpConnections {
  /**
   * What sends the requests of a call: one pool for each origin, shared by all calls with the same
   * `connecting`, which sees each address before it is connected to.
   */
  of(hooks: CallHooks): Dispatcher;
  /** Waits for requests under way, and closes all. Later calls open new ones. */
  close(): Promise<void>;
}

/** What a connection over TLS proves itself by, as PEM texts. */
interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

/**
 * Idle connections are closed after four seconds, and never keep the process alive. The attempt's
 * own clock counts: undici's would cut a long `timeout_ms` short, and cost a timer a request. Only
 * connecting keeps undici's limit of ten seconds, which no answer waits for: past it a target is
 * unavailable. What a hook throws is the error of the request.
 *
 * @param options undici's, but for `connect`
 * @param tls of a client that has a certificate
 */
export function httpConnections(
  options: Omit<Agent.Options, "connect"> = {},
  tls?: TlsOptions,
): HttpConnections {
  const untimed = { headersTimeout: 0, bodyTimeout: 0, ...options };
  let agent: Agent | undefined;
  /** Those of calls that look at each connection: a connection is only theirs who looked at it. */
  let watched = new Map<Connecting, Agent>();
  return {
    of({ connecting }) {
      if (connecting === undefined)
        return (agent ??= new Agent({ ...untimed, ...(tls && { connect: { ...tls } }) }));
      let own = watched.get(connecting);
      if (own === undefined) {
        own = new Agent({ ...untimed, connect: watchedConnector(connecting, tls) });
        watched.set(connecting, own);
      }
      return own;
    },
    async close() {
      const closing = [...(agent ? [agent] : []), ...watched.values()];
      agent = undefined;
      watched = new Map();
      await Promise.all(closing.map((each) => each.close()));
    },
  };
}

/**
 * A host that is an address is never looked up; a name may have several addresses, of which any may
 * be taken.
 */
function watchedConnector(
  connecting: Connecting,
  tls: TlsOptions | undefined,
): buildConnector.connector {
  const connect = buildConnector({ ...tls, lookup: watchedLookup(connecting) });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, "$1");
    try {
      if (isIP(host) !== 0) connecting({ host, address: host });
    } catch (error) {
      return callback(asError(error), null);
    }
    connect(options, callback);
  };
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
