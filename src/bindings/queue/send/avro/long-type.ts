import avro from "avsc";

/** The library's own `long` is a double: it refuses what is beyond 2^53, and writes some of what is below as another number. */
// oxlint-disable-next-line no-underscore-dangle -- the library's public name for it
export const longType: avro.types.LongType = avro.types.LongType.__with({
  isValid: isLong,
  toBuffer: toBytes,
  fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
  /** Of a default in the schema. */
  fromJSON(value: unknown) {
    if (isLong(value)) return value;
    throw new TypeError("not a long");
  },
  toJSON: (value: number | bigint) => value,
  compare: (a: number | bigint, b: number | bigint) => (a < b ? -1 : a > b ? 1 : 0),
});

function isLong(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

/** The library copies what it is given. */
const scratch = Buffer.alloc(8);

function toBytes(value: number | bigint): Buffer {
  if (typeof value === "bigint") {
    scratch.writeBigInt64LE(value);
    return scratch;
  }
  scratch.writeInt32LE(value | 0, 0);
  scratch.writeInt32LE(Math.floor(value / 2 ** 32), 4);
  return scratch;
}
