import avro from "avsc";
import type { Report } from "../../../core/report.js";
import {
  type MapNode,
  type SyntaxNode,
  textOf,
  toJson,
  valueOf,
} from "../../../core/syntax-node.js";
import { below } from "../../../schema/pointer.js";
import type {
  AvroField,
  AvroType,
  EnumType,
  FixedType,
  PlainName,
  PlainType,
  RecordType,
} from "./avro-type.js";
import { reportFieldsLogicalType } from "./field-logical-type.js";
import { type LogicalType, readLogicalType } from "./logical-type.js";

/** Types with their names resolved, which is the library's doing, and with what it does not keep: places, descriptions and logical types. */
export function typeTree(root: SyntaxNode, resolved: avro.Type, report: Report): AvroType {
  return typeOf(root, resolved, { known: new Map(), report, pointer: "" });
}

interface Context {
  /** Named types, by the library's type. */
  readonly known: Map<avro.Type, AvroType>;
  readonly report: Report;
  /** Of the node, into the schema. */
  readonly pointer: string;
}

function within(context: Context, ...steps: readonly (string | number)[]): Context {
  return { ...context, pointer: below(context.pointer, ...steps) };
}

function typeOf(node: SyntaxNode, type: avro.Type, context: Context): AvroType {
  const before = context.known.get(type);
  if (before !== undefined) return before;
  const { span } = node;
  if (type instanceof avro.types.WrappedUnionType) {
    const items = node.kind === "list" ? node.items : [];
    const branches = type.types.map((branch, index) => {
      const item = items[index] ?? node;
      return { type: typeOf(item, branch, within(context, index)), span: item.span };
    });
    return { kind: "union", branches, span, pointer: context.pointer };
  }
  if (node.kind !== "map") return plainType(type);
  if (type instanceof avro.types.ArrayType) {
    const items = valueOf(node, "items") ?? node;
    return { kind: "array", items: typeOf(items, type.itemsType, within(context, "items")), span };
  }
  if (type instanceof avro.types.MapType) {
    const values = valueOf(node, "values") ?? node;
    return { kind: "map", values: typeOf(values, valuesOf(type), within(context, "values")), span };
  }
  return namedType(node, type, context);
}

function valuesOf(type: avro.types.MapType): avro.Type {
  // Its declaration says `any`.
  return type.valuesType as avro.Type;
}

function plainType(type: avro.Type, logical?: LogicalType): PlainType {
  // What is no union, no object and has no name is one of these.
  const name = type.typeName as PlainName;
  return { kind: "plain", name, ...(logical && { logical }) };
}

function namedType(node: MapNode, type: avro.Type, context: Context): AvroType {
  if (type instanceof avro.types.RecordType) return recordType(node, type, context);
  if (type instanceof avro.types.EnumType) return enumType(node, type, context);
  if (!(type instanceof avro.types.FixedType))
    return plainType(type, readLogicalType(node, { name: type.typeName }, context.report));
  const { size } = type;
  const logical = readLogicalType(node, { name: "fixed", size }, context.report);
  const name = type.name ?? "";
  const fixed: FixedType = { kind: "fixed", name, size, ...(logical && { logical }) };
  context.known.set(type, fixed);
  return fixed;
}

function enumType(node: MapNode, type: avro.types.EnumType, { known }: Context): EnumType {
  const { symbols, name = "" } = type;
  const made: EnumType = { kind: "enum", ...about(node), name, symbols };
  known.set(type, made);
  return made;
}

function recordType(node: MapNode, type: avro.types.RecordType, context: Context): RecordType {
  const fields: AvroField[] = [];
  const made: RecordType = { kind: "record", ...about(node), name: type.name ?? "", fields };
  // Known before its fields are: they may refer to it.
  context.known.set(type, made);
  const list = valueOf(node, "fields");
  const written = list?.kind === "list" ? list.items : [];
  type.fields.forEach((field, index) => {
    const at = written[index] ?? node;
    const typeNode = valueOf(at, "type") ?? at;
    const initial = valueOf(at, "default");
    reportFieldsLogicalType(at, context.report);
    fields.push({
      ...about(at),
      name: field.name,
      type: typeOf(typeNode, field.type, within(context, "fields", index, "type")),
      typeSpan: typeNode.span,
      ...(initial && { default: { value: toJson(initial) } }),
    });
  });
  return made;
}

/** Where something is named, and what is said of it. */
function about(node: SyntaxNode): { readonly span: SyntaxNode["span"]; readonly doc?: string } {
  const doc = textOf(valueOf(node, "doc"));
  return {
    span: (valueOf(node, "name") ?? node).span,
    ...(doc !== undefined && doc.trim() !== "" && { doc }),
  };
}
