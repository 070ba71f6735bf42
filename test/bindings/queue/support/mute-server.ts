import { startTcpServer, type TcpServer } from "./tcp-server.js";

/** Takes connections, and never says anything. */
export function muteServer(): Promise<TcpServer> {
  return startTcpServer((socket) => {
    socket.on("error", () => {}).resume();
  });
}
