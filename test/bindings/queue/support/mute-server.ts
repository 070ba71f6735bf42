import { startTcpServer, type TcpServer } from "./tcp-server.js";

/** Starts a server that accepts connections and never sends anything. */
export function muteServer(): Promise<TcpServer> {
  return startTcpServer((socket) => {
    socket.on("error", () => {}).resume();
  });
}
