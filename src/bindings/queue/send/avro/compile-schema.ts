import avro from "avsc";
import type { JsonValue } from "../../../../runtime/json.js";
import { arrayReader, mapReader } from "./collection-readers.js";
import { logicalReader } from "./logical-readers.js";
import { longType } from "./long-type.js";
import { isPlainObject, type Reader } from "./reader.js";
import { type FieldReader, recordReader } from "./record-reader.js";
import { plainReader, readBase64, textReader } from "./scalar-readers.js";
import { unionReader } from "./union-reader.js";

export interface CompiledSchema {
  readonly type: avro.Type;
  readonly reader: Reader;
}

/** The library's type of a schema, and the functions that make its values of JSON: the schema is not looked at again. */
export function compileSchema(schema: JsonValue): CompiledSchema {
  // The compiler had the library read it; the library's declaration is narrower than what it takes.
  const written = schema as unknown as avro.Type;
  // Without a prototype: the library takes inherited names for types.
  const registry: unknown = Object.create(null);
  const typeHook = (inner: unknown) => (isLong(inner) ? longType : undefined);
  const options = { registry, typeHook, wrapUnions: "always" };
  const type = avro.Type.forSchema(written, options as object);
  return { type, reader: readerOf(schema, type, new Map()) };
}

function isLong(schema: unknown): boolean {
  return schema === "long" || (isPlainObject(schema) && schema["type"] === "long");
}

type Known = Map<avro.Type, Reader>;

function readerOf(schema: unknown, type: avro.Type, known: Known): Reader {
  const before = known.get(type);
  if (before !== undefined) return before;
  if (type instanceof avro.types.RecordType) return readerOfRecord(schema, type, known);
  if (type instanceof avro.types.WrappedUnionType) return readerOfUnion(schema, type, known);
  if (type instanceof avro.types.ArrayType)
    return arrayReader(readerOf(under(schema, "items"), type.itemsType, known));
  if (type instanceof avro.types.MapType) {
    // Its declaration says `any`.
    const values = type.valuesType as avro.Type;
    return mapReader(readerOf(under(schema, "values"), values, known));
  }
  const reader = logicalReader(schema, type) ?? readerOfScalar(type);
  if (type.name !== undefined) known.set(type, reader);
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
  // Known before its fields are: they may refer to it.
  known.set(type, reader);
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
  return unionReader(
    type.types.map((branch, index) => {
      const inner: unknown = Array.isArray(schema) ? schema[index] : undefined;
      return { reader: readerOf(inner, branch, known), wrap: (value) => branch.wrap(value) };
    }),
  );
}

function under(schema: unknown, key: string): unknown {
  return isPlainObject(schema) && Object.hasOwn(schema, key) ? schema[key] : undefined;
}
