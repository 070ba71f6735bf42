import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A TCP server on loopback. */
export interface TcpServer {
  readonly port: number;
  /** Stops the server, and ends its connections. */
  close(): Promise<void>;
}

/** @param serve called with each connection; sockets passed to `own` end with the server */
export async function startTcpServer(
  serve: (socket: Socket, own: (socket: Socket) => void) => void,
): Promise<TcpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket, (each) => sockets.add(each));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A TCP server has such an address.
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const each of sockets) each.destroy();
      await closed;
    },
  };
}
