import { connect, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ISocketFactory } from "kafkajs";

/** All sockets of one kafkajs client. It hands out none of them, and loses sight of some. */
export interface Sockets {
  readonly factory: ISocketFactory;
  /** While nothing is under way, open sockets don't keep the process alive. */
  keepAlive(isNeeded: boolean): void;
  /** Ends all connections in a way that kafkajs notices, so that it makes new ones. */
  reset(): void;
  /** Ends all connections and lets no new one be made. */
  close(): void;
}

/** @param onLost called when a connection ends */
export function createSockets(onLost: () => void): Sockets {
  const open = new Set<Socket>();
  let isNeeded = true;
  let isClosed = false;
  const factory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (isClosed) throw new Error("closed");
    const socket = ssl
      ? connectTls({ ...(isIP(host) ? {} : { servername: host }), ...ssl, host, port }, onConnect)
      : connect({ host, port }, onConnect);
    socket.setKeepAlive(true, 60_000).setNoDelay(true);
    if (!isNeeded) socket.unref();
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      onLost();
    });
    return guarded(socket);
  };
  const end = (code: string) => {
    for (const socket of open) socket.destroy(Object.assign(new Error(code), { code }));
  };
  return {
    factory,
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

type Listener = (...values: readonly unknown[]) => void;

/** kafkajs reads an answer in the event that brings it: bytes that are no answer would be an exception that nothing catches. */
function guarded(socket: Socket): Socket {
  const on = socket.on.bind(socket);
  const safely =
    (listener: Listener): Listener =>
    (...values) => {
      try {
        listener(...values);
      } catch {
        socket.destroy(Object.assign(new Error("EPROTO"), { code: "EPROTO" }));
      }
    };
  // The overloads name each event's listener; all are functions of what the event brings.
  socket.on = ((event: string, listener: Listener) =>
    on(event, event === "data" ? safely(listener) : listener)) as Socket["on"];
  return socket;
}
