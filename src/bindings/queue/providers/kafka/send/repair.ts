import type { Kafka } from "kafkajs";

/** The internals of kafkajs 2.2.4 that `repair` changes. */
interface Cluster {
  findControllerBroker(): Promise<unknown>;
  refreshMetadataIfNecessary(): Promise<void>;
  readonly targetTopics: ReadonlySet<string>;
  readonly brokerPool: BrokerPool;
  readonly connectionPoolBuilder: { build(...destination: readonly unknown[]): Promise<Pool> };
}

interface BrokerPool {
  findConnectedBroker(): Promise<unknown>;
  createBroker(options: unknown): Broker;
}

interface Broker {
  produce(request: ProduceRequest): Promise<unknown>;
}

interface ProduceRequest {
  readonly topicData: readonly {
    readonly partitions: readonly { readonly partition: number }[];
  }[];
}

interface Pool {
  readonly pool: readonly { readonly requestQueue: RequestQueue }[];
  send(exchange: Exchange): Promise<unknown>;
}

/** A request, and the decoder of its answer. */
interface Exchange {
  readonly request: { readonly apiKey: number };
  readonly response: { parse(data: unknown): Promise<unknown> };
}

interface Metadata {
  readonly topicMetadata: readonly object[];
}

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

type CreateCluster = (options: unknown) => Cluster;

/** Makes a request to write to partitions. */
export type Produce = (
  partitions: readonly number[],
  make: () => Promise<unknown>,
) => Promise<unknown>;

/**
 * Works around faults of kafkajs that settings can't change. Only this client is changed, and no
 * other in the process.
 *
 * - A connected request queue looks for waiting requests every millisecond, and sets a timer with a
 *   negative time (issues 1704, 1751). The queue is no longer polled while nothing waits.
 * - An idempotent producer asks the controller for its id, but metadata may not name the
 *   controller. Any broker can give an id, so a connected one is asked. Before that, the producer
 *   asks for the metadata of all topics in the cluster, which is skipped.
 * - If one partition has no leader, kafkajs treats the metadata of the whole topic as an error. The
 *   other partitions stay usable.
 *
 * @param produce called for each write request
 * @returns false if this version of kafkajs is built differently, so that nothing was changed
 */
export function repair(kafka: Kafka, produce: Produce = (_, make) => make()): boolean {
  const symbol = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === "private:Kafka:createCluster",
  );
  if (symbol === undefined) return false;
  // The constructor of kafkajs 2.2.4 sets this property.
  const create = Reflect.get(kafka, symbol) as CreateCluster | undefined;
  if (create === undefined) return false;
  const createRepaired: CreateCluster = (options) => repaired(create(options), produce);
  return Reflect.set(kafka, symbol, createRepaired);
}

function repaired(cluster: Cluster, produce: Produce): Cluster {
  const { brokerPool, connectionPoolBuilder: builder } = cluster;
  cluster.findControllerBroker = () => brokerPool.findConnectedBroker();
  const refresh = cluster.refreshMetadataIfNecessary.bind(cluster);
  cluster.refreshMetadataIfNecessary = async () => {
    if (cluster.targetTopics.size > 0) await refresh();
  };
  const createBroker = brokerPool.createBroker;
  brokerPool.createBroker = (options) => {
    const broker = createBroker(options);
    const make = broker.produce.bind(broker);
    broker.produce = (request) => produce(partitionsOf(request), () => make(request));
    return broker;
  };
  const build = builder.build;
  builder.build = async (...destination) => {
    const built = await build(...destination);
    for (const { requestQueue } of built.pool) stopPolling(requestQueue);
    readLeniently(built);
    return built;
  };
  return cluster;
}

function partitionsOf({ topicData }: ProduceRequest): readonly number[] {
  return topicData.flatMap(({ partitions }) => partitions.map(({ partition }) => partition));
}

const metadataKey = 3;

/** Ignores errors of single partitions. A partition without a leader is still listed. */
function readLeniently(pool: Pool): void {
  const send = pool.send.bind(pool);
  pool.send = (exchange) => {
    const { request, response } = exchange;
    if (request.apiKey !== metadataKey) return send(exchange);
    const parse = async (data: unknown) => {
      // Only answers to metadata requests have that key.
      const metadata = data as Metadata;
      const topicMetadata = metadata.topicMetadata.map((topic) => ({
        ...topic,
        partitionMetadata: [],
      }));
      await response.parse({ ...metadata, topicMetadata });
      return data;
    };
    return send({ ...exchange, response: { ...response, parse } });
  };
}

function stopPolling(queue: RequestQueue): void {
  const schedule = queue.scheduleCheckPendingRequests.bind(queue);
  queue.scheduleCheckPendingRequests = () => {
    if (queue.pending.length > 0) schedule();
  };
}
