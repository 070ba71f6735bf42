import { connect } from "node:net";
import { startTcpServer, type TcpServer } from "./tcp-server.js";

/**
 * A TCP proxy on loopback. After a client has sent matching bytes, the proxy still forwards its
 * requests, but no answers.
 */
export function startSwallower(port: number, request: RegExp): Promise<TcpServer> {
  return startTcpServer((client, own) => {
    const target = connect({ host: "127.0.0.1", port });
    own(target);
    let isMute = false;
    const end = () => [client, target].forEach((each) => each.destroy());
    for (const each of [client, target]) each.on("error", end).on("close", end).setNoDelay();
    client.on("data", (bytes: Buffer) => {
      isMute ||= request.test(bytes.toString("latin1"));
      target.write(bytes);
    });
    target.on("data", (bytes: Buffer) => {
      if (!isMute) client.write(bytes);
    });
  });
}
