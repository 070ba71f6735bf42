import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readdress, startMock } from "../support/mock-kafka.js";
import { type Proxy, startProxy } from "../support/proxy.js";

const run = promisify(execFile);

/**
 * librdkafka's mock cluster of several brokers, each behind a proxy. Clients know the brokers by
 * the proxies' addresses. Topics have four partitions.
 */
export interface MockCluster {
  /** Proxies of the brokers, in the order of the brokers' numbers, which begin with 1. */
  readonly proxies: readonly Proxy[];
  readonly url: string;
  /** Creates a topic, and returns the number of the broker that leads each partition. */
  leadersOf(topic: string): Promise<readonly number[]>;
  /** Reads the bodies of all messages of a topic with kcat, without the proxies. */
  read(topic: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function startMockCluster(brokers: number): Promise<MockCluster> {
  const { ports, close } = await startMock(brokers);
  const proxies: Proxy[] = [];
  const addresses = () => new Map(ports.map((port, at) => [port, proxies[at]?.port ?? 0]));
  const answers = () => readdress(addresses);
  for (const port of ports) proxies.push(await startProxy({ port }, { answers }));
  const address = ports.map((port) => `127.0.0.1:${port}`).join(",");
  return {
    proxies,
    url: `kafka://${proxies.map(({ port }) => `127.0.0.1:${port}`).join(",")}`,
    leadersOf: (topic) => leadersOf(address, topic),
    async read(topic) {
      const args = ["-b", address, "-C", "-t", topic, "-e", "-q", "-o", "beginning", "-f", "%s\\n"];
      const { stdout } = await run("kcat", args, { maxBuffer: 2 ** 30 });
      return stdout.split("\n").slice(0, -1);
    },
    async close() {
      for (const proxy of proxies) await proxy.close();
      await close();
    },
  };
}

async function leadersOf(address: string, topic: string): Promise<readonly number[]> {
  const { stdout } = await run("kcat", ["-b", address, "-L", "-J", "-t", topic]);
  // kcat prints such objects.
  const { topics } = JSON.parse(stdout) as Listed;
  return topics[0]?.partitions.map(({ leader }) => leader) ?? [];
}

interface Listed {
  readonly topics: readonly { readonly partitions: readonly { readonly leader: number }[] }[];
}
