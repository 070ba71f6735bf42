import { connect, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ISocketFactory } from "kafkajs";

/**
 * All sockets of one kafkajs client. kafkajs gives no access to its sockets, and loses track of
 * some.
 */
export interface Sockets {
  readonly factory: ISocketFactory;
  /** Number of write requests that were handed to a connection. */
  readonly produced: number;
  /** Open sockets keep the process alive only while something is under way. */
  keepAlive(isNeeded: boolean): void;
  /** Ends all connections in a way that kafkajs notices, so that it opens new ones. */
  reset(): void;
  /** Ends all connections and allows no new ones. */
  close(): void;
}

/**
 * @param limit time until the first answer on a connection, TLS included, in milliseconds
 * @param onLost called when a connection ends
 */
export function createSockets(limit: { readonly ms: number }, onLost: () => void): Sockets {
  const open = new Set<Socket>();
  let isNeeded = true;
  let isClosed = false;
  let produced = 0;
  const factory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (isClosed) throw new Error("closed");
    const socket = ssl
      ? connectTls({ ...(isIP(host) ? {} : { servername: host }), ...ssl, host, port }, onConnect)
      : connect({ host, port }, onConnect);
    socket.setKeepAlive(true, 60_000).setNoDelay(true);
    if (!isNeeded) socket.unref();
    open.add(socket);
    const deadlines = setTimeout(() => socket.destroy(named("ETIMEDOUT")), limit.ms);
    const isAwake = () => clearTimeout(deadlines);
    socket.once("data", isAwake);
    socket.once("close", () => {
      isAwake();
      open.delete(socket);
      onLost();
    });
    return watched(guarded(socket), () => {
      // A write request may take as long as its replicas.
      isAwake();
      produced += 1;
    });
  };
  const end = (code: string) => {
    for (const socket of open) socket.destroy(named(code));
  };
  return {
    factory,
    get produced() {
      return produced;
    },
    keepAlive(needed) {
      if (needed === isNeeded) return;
      isNeeded = needed;
      for (const socket of open) {
        if (needed) socket.ref();
        else socket.unref();
      }
    },
    reset: () => end("ETIMEDOUT"),
    close() {
      isClosed = true;
      end("ECONNABORTED");
    },
  };
}

/** Makes an error with a system's code. */
function named(code: string): Error {
  return Object.assign(new Error(code), { code });
}

type Listener = (...values: readonly unknown[]) => void;

/**
 * kafkajs parses an answer inside the `data` event. An invalid answer would throw an exception that
 * nothing catches.
 */
function guarded(socket: Socket): Socket {
  const on = socket.on.bind(socket);
  const safely =
    (listener: Listener): Listener =>
    (...values) => {
      try {
        listener(...values);
      } catch {
        socket.destroy(named("EPROTO"));
      }
    };
  // The overloads have one listener type for each event. All listeners are functions of the event's
  // data.
  socket.on = ((event: string, listener: Listener) =>
    on(event, event === "data" ? safely(listener) : listener)) as Socket["on"];
  return socket;
}

/** Kafka's number of the write request, and its position after the request's length. */
const produceKey = 0;
const keyPlace = 4;

/** kafkajs writes a whole request at a time. */
function watched(socket: Socket, onProduce: () => void): Socket {
  const write = socket.write.bind(socket);
  // The overloads differ only in the arguments after the data, which are passed on.
  socket.write = ((...args: Parameters<typeof write>) => {
    const [data] = args;
    if (!Buffer.isBuffer(data) || data.length < 6 || data.readInt16BE(keyPlace) === produceKey)
      onProduce();
    return write(...args);
  }) as Socket["write"];
  return socket;
}
