import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Treatment of bytes. `stall` drops these and all later bytes of the connection, but closes
 * nothing. `cut` drops these bytes and closes both sides.
 */
export type Fate = "pass" | "stall" | "cut";

export interface Tampering {
  readonly sent?: (text: string) => Fate;
  readonly answered?: (text: string) => Fate;
}

export interface TamperingProxy {
  readonly url: string;
  /** Silences all present connections. New connections work. */
  stallAll(): void;
}

interface Link {
  readonly client: Socket;
  readonly upstream: Socket;
  isStalled: boolean;
}

/**
 * Starts a proxy that forwards bytes to a server, or tampers with them. The proxy closes when the
 * test ends.
 */
export async function tamperingProxy(
  target: string,
  { answered = () => "pass", sent = () => "pass" }: Tampering = {},
): Promise<TamperingProxy> {
  const { hostname, port } = new URL(target);
  const links = new Set<Link>();
  const server = createServer((client) => {
    const link = { client, upstream: connect(Number(port || 5432), hostname), isStalled: false };
    links.add(link);
    join(link, client, link.upstream, sent);
    join(link, link.upstream, client, answered);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const { client, upstream } of links) [client, upstream].forEach((each) => each.destroy());
    server.close();
  });
  const url = new URL(target);
  // The address of a TCP server that listens has this type.
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stallAll = () => links.forEach((link) => (link.isStalled = true));
  return { url: url.href, stallAll };
}

function join(link: Link, from: Socket, to: Socket, judge: (text: string) => Fate): void {
  from.on("error", () => {});
  from.on("close", () => link.isStalled || to.destroy());
  from.on("data", (data) => {
    if (link.isStalled) return;
    const fate = judge(data.toString("latin1"));
    if (fate === "pass") to.write(data);
    else if (fate === "stall") link.isStalled = true;
    else [link.client, link.upstream].forEach((each) => each.destroy());
  });
}
