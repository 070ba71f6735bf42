import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readdress, startMock } from "../support/mock-kafka.js";
import { type Proxy, startProxy } from "../support/proxy.js";

const run = promisify(execFile);

/**
 * librdkafka's mock cluster of several brokers, each behind a proxy of its own, by whose addresses
 * they are known. Topics have four partitions.
 */
export interface MockCluster {
  /** The brokers, in the order of their numbers, which begin with 1. */
  readonly proxies: readonly Proxy[];
  readonly url: string;
  /** The number of the broker that leads each partition of a topic, which comes to be. */
  leadersOf(topic: string): Promise<readonly number[]>;
  /** Bodies of all messages of a topic, read by kcat from the brokers themselves. */
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
  // kcat's own form.
  const { topics } = JSON.parse(stdout) as Listed;
  return topics[0]?.partitions.map(({ leader }) => leader) ?? [];
}

interface Listed {
  readonly topics: readonly { readonly partitions: readonly { readonly leader: number }[] }[];
}
