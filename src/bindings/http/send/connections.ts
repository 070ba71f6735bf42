import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { type CallHooks, onShutdown } from "../../../runtime/executor.js";

type Connecting = NonNullable<CallHooks["connecting"]>;

/**
 * One pool for each origin, shared by all tools. Idle connections are closed after four seconds and
 * never keep the process alive.
 */
let agent: Agent | undefined;
/** Those of calls that look at each connection: a connection is only theirs who looked at it. */
let watched = new Map<Connecting, Agent>();

/**
 * The attempt's own clock counts: undici's would cut a long `timeout_ms` short, and cost a timer a
 * request. Only connecting keeps undici's limit of ten seconds, which no answer waits for: past it
 * a target is unavailable.
 *
 * @param connecting looks at each address before a connection is made to it
 */
export function connections(connecting?: Connecting): Dispatcher {
  if (connecting === undefined) return (agent ??= new Agent(untimed));
  let own = watched.get(connecting);
  if (own === undefined) {
    own = new Agent({ ...untimed, connect: watchedConnector(connecting) });
    watched.set(connecting, own);
  }
  return own;
}

const untimed = { headersTimeout: 0, bodyTimeout: 0 } as const;

/**
 * A host that is an address is never looked up; a name may have several addresses, of which any may
 * be taken.
 */
function watchedConnector(connecting: Connecting): buildConnector.connector {
  const connect = buildConnector({ lookup: watchedLookup(connecting) });
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

/** Waits for requests under way and closes all connections. A later call opens new ones. */
async function closeHttp(): Promise<void> {
  const closing = [...(agent ? [agent] : []), ...watched.values()];
  agent = undefined;
  watched = new Map();
  await Promise.all(closing.map((each) => each.close()));
}

onShutdown(closeHttp);
