/**
 * Encodes and decodes the part of Kafka's protocol that a test broker needs, independently of
 * kafkajs.
 */

export class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  int8(): number {
    return this.#bytes.readInt8(this.#skip(1));
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#skip(2));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#skip(4));
  }

  int64(): bigint {
    return this.#bytes.readBigInt64BE(this.#skip(8));
  }

  /** Reads a zigzag number with seven bits in each byte. */
  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes.readUInt8(this.#skip(1));
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
  }

  string(): string | null {
    const length = this.int16();
    return length < 0 ? null : this.take(length).toString();
  }

  bytes(): Buffer | null {
    const length = this.int32();
    return length < 0 ? null : this.take(length);
  }

  array<Value>(read: () => Value): readonly Value[] {
    return Array.from({ length: Math.max(0, this.int32()) }, read);
  }

  take(length: number): Buffer {
    const start = this.#skip(length);
    return this.#bytes.subarray(start, start + length);
  }

  #skip(length: number): number {
    const start = this.#at;
    this.#at += length;
    return start;
  }
}

export interface RecordBatch {
  /** Id of an idempotent producer; negative for others. */
  readonly producerId: bigint;
  readonly baseSequence: number;
  readonly values: readonly Buffer[];
}

/** Reads an uncompressed batch of the second format. */
export function readBatch(bytes: Buffer): RecordBatch {
  const header = new Reader(bytes);
  header.take(43);
  const producerId = header.int64();
  header.int16();
  const baseSequence = header.int32();
  const values = header.array(() => {
    const record = new Reader(header.take(header.varint()));
    record.int8();
    record.varint();
    record.varint();
    record.take(Math.max(0, record.varint()));
    return record.take(record.varint());
  });
  return { producerId, baseSequence, values };
}

export function writer(): Writer {
  return new Writer();
}

class Writer {
  readonly #parts: Buffer[] = [];

  int8(value: number): this {
    return this.#write(1, (part) => part.writeInt8(value));
  }

  int16(value: number): this {
    return this.#write(2, (part) => part.writeInt16BE(value));
  }

  int32(value: number): this {
    return this.#write(4, (part) => part.writeInt32BE(value));
  }

  int64(value: bigint): this {
    return this.#write(8, (part) => part.writeBigInt64BE(value));
  }

  string(value: string | null): this {
    if (value === null) return this.int16(-1);
    return this.int16(Buffer.byteLength(value)).raw(Buffer.from(value));
  }

  bytes(value: Buffer): this {
    return this.int32(value.length).raw(value);
  }

  array<Value>(values: readonly Value[], write: (writer: this, value: Value) => unknown): this {
    this.int32(values.length);
    for (const value of values) write(this, value);
    return this;
  }

  raw(bytes: Buffer): this {
    this.#parts.push(bytes);
    return this;
  }

  done(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #write(length: number, fill: (part: Buffer) => unknown): this {
    const part = Buffer.alloc(length);
    fill(part);
    return this.raw(part);
  }
}
