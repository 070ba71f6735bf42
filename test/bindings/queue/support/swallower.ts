import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy on loopback that loses the answers to a request. */
export interface Swallower {
  readonly port: number;
  close(): Promise<void>;
}

/** Once a client's bytes match, its connection brings nothing back any more; what it sends still arrives. */
export async function startSwallower(port: number, request: RegExp): Promise<Swallower> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect({ host: "127.0.0.1", port });
    let isMute = false;
    const end = () => [client, target].forEach((each) => each.destroy());
    for (const each of [client, target]) {
      sockets.add(each);
      each.on("error", end).on("close", end).setNoDelay();
    }
    client.on("data", (bytes: Buffer) => {
      isMute ||= request.test(bytes.toString("latin1"));
      target.write(bytes);
    });
    target.on("data", (bytes: Buffer) => {
      if (!isMute) client.write(bytes);
    });
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
