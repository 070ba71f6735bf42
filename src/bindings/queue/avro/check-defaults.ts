import { getOwn, isJsonObject, type JsonValue } from "../../../core/json.js";
import type { Report } from "../../../core/report.js";
import { type AvroField, type AvroType, everyType } from "./avro-type.js";

/** Values and characters of all defaults together, the defaults within them included. */
const mostOfDefaults = 100_000;

/** A few nested defaults can stand for billions of values; the library makes them all as it reads a schema. */
export function checkDefaultSizes(root: AvroType, report: Report): boolean {
  const sizes = new Map<AvroField, number>();
  const fields = everyType(root).flatMap((type) => (type.kind === "record" ? type.fields : []));
  let all = 0;
  for (const field of fields) {
    all += field.default === undefined ? 0 : sizeOfDefault(field, sizes);
    if (all <= mostOfDefaults) continue;
    const message = `the defaults of the schema stand for more than ${mostOfDefaults} values`;
    report.add({ code: "queue/bad-avro-schema", span: field.span, message });
    return false;
  }
  return true;
}

function sizeOfDefault(field: AvroField, sizes: Map<AvroField, number>): number {
  const before = sizes.get(field);
  if (before !== undefined) return before;
  // A default that needs itself is none, which the library finds; until then it has no size.
  sizes.set(field, 0);
  const size = field.default === undefined ? 1 : sizeOf(field.type, field.default.value, sizes);
  sizes.set(field, size);
  return size;
}

function sizeOf(type: AvroType, value: JsonValue, sizes: Map<AvroField, number>): number {
  switch (type.kind) {
    case "record":
      return sum(type.fields, (field) => {
        const given = isJsonObject(value) ? getOwn(value, field.name) : undefined;
        return given === undefined ? sizeOfDefault(field, sizes) : sizeOf(field.type, given, sizes);
      });
    case "array":
      return sum(Array.isArray(value) ? value : [], (item: JsonValue) =>
        sizeOf(type.items, item, sizes),
      );
    case "map":
      return sum(isJsonObject(value) ? Object.values(value) : [], (each) =>
        sizeOf(type.values, each, sizes),
      );
    case "union": {
      const [first] = type.branches;
      return first === undefined ? 1 : sizeOf(first.type, value, sizes);
    }
    default:
      return typeof value === "string" ? value.length + 1 : 1;
  }
}

/** Of all, and 1 for what holds them. */
function sum<Item>(items: readonly Item[], sizeOfItem: (item: Item) => number): number {
  return items.reduce((size, item) => size + sizeOfItem(item), 1);
}
