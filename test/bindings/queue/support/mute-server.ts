import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** Takes connections, and never says anything. */
export async function muteServer(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A TCP server's address is one.
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const each of sockets) each.destroy();
      await closed;
    },
  };
}
