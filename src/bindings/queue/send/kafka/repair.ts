import type { Kafka } from "kafkajs";

/** What of kafkajs 2.2.4's own parts is put right. */
interface Cluster {
  findControllerBroker(): Promise<unknown>;
  readonly brokerPool: { findConnectedBroker(): Promise<unknown> };
  readonly connectionPoolBuilder: { build(...destination: readonly unknown[]): Promise<Pool> };
}

interface Pool {
  readonly pool: readonly { readonly requestQueue: RequestQueue }[];
}

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

type CreateCluster = (options: unknown) => Cluster;

/**
 * Repairs one client, and no other that the process may have, where settings can't.
 *
 * A request queue looks for waiting requests every millisecond, for as long as it is connected, and asks for the time with a negative number
 * (issues 1704, 1751): with nothing waiting there is nothing to look for. An idempotent producer asks for its id at the controller, which
 * metadata may not name, where any broker gives one.
 */
export function repair(kafka: Kafka): void {
  const symbol = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === "private:Kafka:createCluster",
  );
  if (symbol === undefined) return;
  // The constructor of kafkajs 2.2.4 sets it.
  const clients = kafka as unknown as Record<symbol, CreateCluster>;
  const create = clients[symbol];
  if (create === undefined) return;
  clients[symbol] = (options) => repaired(create(options));
}

function repaired(cluster: Cluster): Cluster {
  cluster.findControllerBroker = () => cluster.brokerPool.findConnectedBroker();
  const builder = cluster.connectionPoolBuilder;
  const build = builder.build;
  builder.build = async (...destination) => {
    const built = await build(...destination);
    for (const { requestQueue } of built.pool) stopPolling(requestQueue);
    return built;
  };
  return cluster;
}

function stopPolling(queue: RequestQueue): void {
  const schedule = queue.scheduleCheckPendingRequests.bind(queue);
  queue.scheduleCheckPendingRequests = () => {
    if (queue.pending.length > 0) schedule();
  };
}
