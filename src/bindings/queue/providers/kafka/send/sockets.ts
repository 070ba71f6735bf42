import { connect, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ISocketFactory } from "kafkajs";

/** All sockets of one kafkajs client. It hands out none of them, and loses sight of some. */
export interface Sockets {
  readonly factory: ISocketFactory;
  /** How many requests to write messages were handed to a connection. */
  readonly produced: number;
  /** While nothing is under way, open sockets don't keep the process alive. */
  keepAlive(isNeeded: boolean): void;
  /** Ends all connections in a way that kafkajs notices, so that it makes new ones. */
  reset(): void;
  /** Ends all connections and lets no new one be made. */
  close(): void;
}

/**
 * @param limit what a connection has until its first answer is there, TLS included, in ms
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
      // That takes as long as the replicas do.
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

/** An error as the system names it. */
function named(code: string): Error {
  return Object.assign(new Error(code), { code });
}

type Listener = (...values: readonly unknown[]) => void;

/**
 * kafkajs reads an answer in the event that brings it: bytes that are no answer would be an
 * exception that nothing catches.
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
  // The overloads name each event's listener; all are functions of what the event brings.
  socket.on = ((event: string, listener: Listener) =>
    on(event, event === "data" ? safely(listener) : listener)) as Socket["on"];
  return socket;
}

/**
 * Kafka's number of the request that writes messages, and its place: after the request's length.
 */
const produceKey = 0;
const keyPlace = 4;

/** kafkajs hands a whole request over at a time. */
function watched(socket: Socket, onProduce: () => void): Socket {
  const write = socket.write.bind(socket);
  // The overloads differ in what follows the data, which is handed on.
  socket.write = ((...args: Parameters<typeof write>) => {
    const [data] = args;
    if (!Buffer.isBuffer(data) || data.length < 6 || data.readInt16BE(keyPlace) === produceKey)
      onProduce();
    return write(...args);
  }) as Socket["write"];
  return socket;
}
