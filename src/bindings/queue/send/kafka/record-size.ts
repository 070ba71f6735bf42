/** A message as kafkajs takes it. */
export interface KafkaMessage {
  readonly key: Buffer | null;
  readonly value: Buffer;
  /** A name may have several values. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Bytes of a record batch before its first record: what brokers hold against their limit is the batch. */
export const batchOverhead = 61;

/** Bytes that a message takes in a record batch, at most: its place in the batch is taken for the largest. */
export function recordSize({ key, value, headers }: KafkaMessage): number {
  const pairs = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((each) => sized(Buffer.byteLength(name)) + sized(Buffer.byteLength(each))),
  );
  const attributesAndDeltas = 1 + 1 + 3;
  const body =
    attributesAndDeltas +
    (key === null ? 1 : sized(key.length)) +
    sized(value.length) +
    varint(pairs.length) +
    pairs.reduce((total, each) => total + each, 0);
  return sized(body);
}

function sized(bytes: number): number {
  return varint(bytes) + bytes;
}

/** Bytes of a count, zigzag-encoded: seven bits in each. */
function varint(count: number): number {
  let size = 1;
  for (let rest = count * 2; rest > 127; rest = Math.floor(rest / 128)) size += 1;
  return size;
}
