import { getOwn, isJsonObject, type JsonValue } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type AvroField, type AvroType, everyType, partsOf } from "./type-tree.js";

/** Reports records that contain themselves without end. */
export function checkEndless(root: AvroType, report: Report): boolean {
  const types = everyType(root);
  const finite = finiteTypes(types);
  const endless = types.find((type) => !finite.has(type));
  if (endless !== undefined) reportEndless(endless, finite, report);
  return endless === undefined;
}

/**
 * Returns the types with finite values: first those without parts, then those that only need finite
 * types, and so on.
 */
function finiteTypes(types: readonly AvroType[]): ReadonlySet<AvroType> {
  const users = usersOf(types);
  const missing = new Map(types.map((type) => [type, needsOf(type)]));
  const finite = new Set(types.filter((type) => needsOf(type) === 0));
  for (const type of finite) {
    for (const user of users.get(type) ?? []) {
      const left = (missing.get(user) ?? 0) - 1;
      missing.set(user, left);
      if (left === 0) finite.add(user);
    }
  }
  return finite;
}

/**
 * Returns how many parts of a type must be finite to make it finite. Arrays and maps need none,
 * because they may be empty.
 */
function needsOf(type: AvroType): number {
  if (type.kind === "record") return type.fields.length;
  return type.kind === "union" ? 1 : 0;
}

/** Returns the types that contain a type, once for each occurrence. */
function usersOf(types: readonly AvroType[]): ReadonlyMap<AvroType, readonly AvroType[]> {
  const users = new Map<AvroType, AvroType[]>();
  for (const type of types) {
    for (const part of partsOf(type)) {
      const known = users.get(part);
      if (known === undefined) users.set(part, [type]);
      else known.push(type);
    }
  }
  return users;
}

/**
 * Reports the cycle of an endless type. A part of it is endless too, so following endless parts
 * leads into the cycle.
 */
function reportEndless(start: AvroType, finite: ReadonlySet<AvroType>, report: Report): void {
  const passed = new Set<AvroType>();
  let at: AvroType | undefined = start;
  while (at !== undefined && !(passed.has(at) && at.kind === "record")) {
    passed.add(at);
    at = partsOf(at).find((part) => !finite.has(part));
  }
  if (at?.kind !== "record") return;
  const field = at.fields.find((each) => !finite.has(each.type)) ?? at;
  report.add({
    code: "queue/endless-record",
    span: field.span,
    message: `every ${quote(at.name)} would need another one in its field ${quote(field.name)}, without end`,
    help: 'make it optional, `["null", …]`, or an array',
  });
}

/** Maximum size of all defaults together, nested ones included: values plus characters. */
const maxOfDefaults = 100_000;

/**
 * Reports defaults that are too large. A few nested defaults can expand to billions of values, and
 * the library expands them when it reads a schema.
 */
export function checkDefaultSizes(root: AvroType, report: Report): boolean {
  const sizes = new Map<AvroField, number>();
  const fields = everyType(root).flatMap((type) => (type.kind === "record" ? type.fields : []));
  let all = 0;
  for (const field of fields) {
    all += field.default === undefined ? 0 : sizeOfDefault(field, sizes);
    if (all <= maxOfDefaults) continue;
    const message = `the defaults of the schema contain more than ${maxOfDefaults} values`;
    report.add({ code: "queue/bad-avro-schema", span: field.span, message });
    return false;
  }
  return true;
}

function sizeOfDefault(field: AvroField, sizes: Map<AvroField, number>): number {
  const before = sizes.get(field);
  if (before !== undefined) return before;
  // The library reports a default that contains itself. Until then, its size is 0, which ends the
  // recursion.
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

/** Returns the sum of the sizes, plus 1 for the container. */
function sum<Item>(items: readonly Item[], sizeOfItem: (item: Item) => number): number {
  return items.reduce((size, item) => size + sizeOfItem(item), 1);
}
