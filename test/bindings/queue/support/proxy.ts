import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { Transform } from "node:stream";

export interface ProxyTarget {
  /** 127.0.0.1 by default. */
  readonly host?: string;
  readonly port: number;
}

export interface ProxyOptions {
  /** Makes the stream through which a connection's answers pass. */
  readonly answers?: (() => Transform) | undefined;
}

/** A TCP proxy on loopback that stands for a network, or a broker, that fails. */
export interface Proxy {
  /** Port of the proxy, which stays the same after `cut` and `resume`. */
  readonly port: number;
  /** Number of accepted connections. */
  readonly connections: number;
  /** Number of open connections. */
  readonly openConnections: number;
  /** Resets all connections and refuses new ones, like a dead broker. */
  cut(): Promise<void>;
  /** Resets all connections, and accepts new ones. */
  drop(): void;
  /**
   * Keeps and accepts connections, but passes on nothing. Or it stops only the answers, so that the
   * outcome of requests is unknown.
   */
  stall(what?: "everything" | "answers"): void;
  /** Ends a cut or a stall, and passes on the bytes of stalled connections. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1 and passes bytes on to the target. */
export async function startProxy(target: ProxyTarget, options: ProxyOptions = {}): Promise<Proxy> {
  const pairs = new Set<Pair>();
  let stalled: Stalled = "nothing";
  let connections = 0;
  const take = (client: Socket) => {
    connections += 1;
    const pair = join(client, target, options);
    pairs.add(pair);
    pair.hold(stalled);
    client.once("close", () => pairs.delete(pair));
  };
  const drop = () => pairs.forEach((pair) => pair.reset());
  const hold = (what: Stalled) => {
    stalled = what;
    pairs.forEach((pair) => pair.hold(what));
  };
  let server: Server | undefined = await listen(take, 0);
  // A TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  const cut = async () => {
    const closing = server;
    server = undefined;
    const closed = closing && once(closing, "close");
    closing?.close();
    drop();
    await closed;
  };
  return {
    port,
    get connections() {
      return connections;
    },
    get openConnections() {
      return pairs.size;
    },
    cut,
    drop,
    stall: (what = "everything") => hold(what),
    resume: async () => {
      hold("nothing");
      server ??= await listen(take, port);
    },
    close: cut,
  };
}

type Stalled = "nothing" | "answers" | "everything";

/** A client's connection, and the one to the target. */
interface Pair {
  hold(what: Stalled): void;
  reset(): void;
}

function join(client: Socket, { host = "127.0.0.1", port }: ProxyTarget, options: ProxyOptions) {
  const target = connect({ host, port });
  const toTarget = new PassThrough();
  const toClient = options.answers?.() ?? new PassThrough();
  const reset = () => [client, target].forEach(resetOrEnd);
  for (const socket of [client, target]) socket.on("error", reset).on("close", reset).setNoDelay();
  client.pipe(toTarget);
  target.pipe(toClient);
  const requests = gate(toTarget, target);
  const answers = gate(toClient, client);
  const hold = (what: Stalled) => {
    requests(what !== "everything");
    answers(what === "nothing");
  };
  return { hold, reset };
}

/**
 * libuv can't reset a connection that is already ending. Node.js would then never close the
 * connection, and the process would not end.
 */
function resetOrEnd(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** Connects two streams, and returns a function that opens or shuts the connection. */
function gate(from: Transform, to: Socket): (open: boolean) => void {
  let isOpen = false;
  return (open) => {
    if (open === isOpen) return;
    isOpen = open;
    if (open) from.pipe(to);
    else from.unpipe(to).pause();
  };
}

async function listen(take: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer(take);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
