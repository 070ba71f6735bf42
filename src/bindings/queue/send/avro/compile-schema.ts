import avro from "avsc";
import type { JsonValue } from "../../../../runtime/json/json.js";
import { stepsOf } from "../../../../runtime/json/pointer.js";
import { logicalReader } from "./logical-values.js";
import {
  arrayReader,
  type BranchReader,
  type FieldReader,
  isPlainObject,
  mapReader,
  namedUnionReader,
  plainReader,
  readBase64,
  type Reader,
  recordReader,
  textReader,
  unionReader,
} from "./readers.js";

export interface CompiledSchema {
  readonly type: avro.Type;
  readonly reader: Reader;
}

/**
 * Compiles a schema to the library's type and to a reader that converts JSON to its values, so that
 * calls don't inspect the schema.
 *
 * @param named pointers to the unions whose values name their branch
 */
export function compileSchema(schema: JsonValue, named: readonly string[]): CompiledSchema {
  // The compiler has already parsed the schema with the library.
  const written = schema as avro.Schema;
  // Without a prototype, because the library would take inherited names for types.
  const registry: unknown = Object.create(null);
  const typeHook = (inner: unknown) => (isLong(inner) ? longType : undefined);
  const options = { registry, typeHook, wrapUnions: "always" };
  const type = avro.Type.forSchema(written, options as object);
  const unions = new Set(named.map((pointer) => nodeAt(schema, pointer)));
  return { type, reader: readerOf(schema, type, { readers: new Map(), named: unions }) };
}

function nodeAt(schema: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce(
    (at, step) => (Array.isArray(at) ? (at[Number(step)] as unknown) : under(at, step)),
    schema,
  );
}

function isLong(schema: unknown): boolean {
  return schema === "long" || (isPlainObject(schema) && schema["type"] === "long");
}

interface Known {
  readonly readers: Map<avro.Type, Reader>;
  /** The unions whose values name their branch, as objects of the schema. */
  readonly named: ReadonlySet<unknown>;
}

function readerOf(schema: unknown, type: avro.Type, known: Known): Reader {
  const before = known.readers.get(type);
  if (before !== undefined) return before;
  if (type instanceof avro.types.RecordType) return readerOfRecord(schema, type, known);
  if (type instanceof avro.types.WrappedUnionType) return readerOfUnion(schema, type, known);
  if (type instanceof avro.types.ArrayType)
    return arrayReader(readerOf(under(schema, "items"), type.itemsType, known));
  if (type instanceof avro.types.MapType) {
    // The library declares `any`.
    const values = type.valuesType as avro.Type;
    return mapReader(readerOf(under(schema, "values"), values, known));
  }
  const reader = logicalReader(schema, type) ?? readerOfScalar(type);
  if (type.name !== undefined) known.readers.set(type, reader);
  return reader;
}

function readerOfScalar(type: avro.Type): Reader {
  if (type instanceof avro.types.EnumType) {
    const symbols = new Set(type.symbols);
    return textReader(
      (text) => (symbols.has(text) ? text : undefined),
      "must be a symbol of the enum",
    );
  }
  if (type instanceof avro.types.FixedType) {
    const { size } = type;
    const read = (text: string) => {
      const bytes = readBase64(text);
      return bytes?.length === size ? bytes : undefined;
    };
    return textReader(read, `must be base64 of ${size} bytes`);
  }
  const reader = plainReader(type instanceof avro.types.LongType ? "long" : type.typeName);
  if (reader === undefined) throw new Error(`no values of ${type.typeName}`);
  return reader;
}

function readerOfRecord(schema: unknown, type: avro.types.RecordType, known: Known): Reader {
  const fields: FieldReader[] = [];
  const reader = recordReader(fields);
  // Register the reader before its fields, which may refer to it.
  known.readers.set(type, reader);
  const written = under(schema, "fields");
  type.fields.forEach((field, index) => {
    const inner: unknown = Array.isArray(written) ? written[index] : undefined;
    fields.push({
      name: field.name,
      reader: readerOf(under(inner, "type"), field.type, known),
      isOptional: field.defaultValue() !== undefined,
    });
  });
  return reader;
}

function readerOfUnion(schema: unknown, type: avro.types.WrappedUnionType, known: Known): Reader {
  const branches = type.types.map((branch, index): readonly [string, BranchReader] => {
    const inner: unknown = Array.isArray(schema) ? schema[index] : undefined;
    const reader = readerOf(inner, branch, known);
    return [avroTypeName(branch), { reader, wrap: (value) => branch.wrap(value) }];
  });
  return known.named.has(schema)
    ? namedUnionReader(new Map(branches))
    : unionReader(branches.map(([, branch]) => branch));
}

/** Returns the name of a branch in Avro's own JSON. */
function avroTypeName(type: avro.Type): string {
  if (type instanceof avro.types.LongType) return "long";
  return type.name ?? type.typeName;
}

function under(schema: unknown, key: string): unknown {
  return isPlainObject(schema) && Object.hasOwn(schema, key) ? schema[key] : undefined;
}

/**
 * The library's own `long` is a double: it rejects values beyond 2^53, and encodes some smaller
 * values as other numbers.
 */
// oxlint-disable-next-line no-underscore-dangle -- the library's public name for it
const longType: avro.types.LongType = avro.types.LongType.__with({
  isValid: isLongValue,
  toBuffer: toBytes,
  fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
  /** Reads a default from the schema. */
  fromJSON(value: unknown) {
    if (isLongValue(value)) return value;
    throw new TypeError("not a long");
  },
  toJSON: (value: number | bigint) => value,
  compare: (a: number | bigint, b: number | bigint) => (a < b ? -1 : a > b ? 1 : 0),
});

function isLongValue(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

/** Can be reused, because the library copies the bytes. */
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
