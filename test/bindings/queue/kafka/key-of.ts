import kafkajs from "kafkajs";

const choose = kafkajs.Partitioners.DefaultPartitioner();

/** Finds a key that Kafka assigns to this partition of a topic with so many partitions. */
export function keyOf(partition: number, partitions: number): string {
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
    partitionId,
    leader: 1,
    partitionErrorCode: 0,
    replicas: [],
    isr: [],
  }));
  for (let index = 0; ; index += 1) {
    const key = `k${index}`;
    const message = { key, value: "" };
    if (choose({ topic: "t", partitionMetadata, message }) === partition) return key;
  }
}
