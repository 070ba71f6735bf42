/** Random Avro schemas. */
import fc from "fast-check";
import type { JsonValue } from "../../../../src/core/json.js";

/** A schema without names. References count the definitions so far. */
type Draft =
  | { readonly kind: "plain"; readonly schema: JsonValue }
  | { readonly kind: "reference"; readonly index: number }
  | { readonly kind: "fixed"; readonly size: number; readonly more: object }
  | { readonly kind: "enum"; readonly symbols: readonly string[] }
  | { readonly kind: "array" | "map"; readonly of: Draft }
  | { readonly kind: "union"; readonly branches: readonly Draft[] }
  | { readonly kind: "record"; readonly fields: readonly FieldDraft[]; readonly space: boolean };

interface FieldDraft {
  readonly type: Draft;
  readonly hasDefault: boolean;
}

const plainNames = [
  "null",
  "boolean",
  "int",
  "long",
  "float",
  "double",
  "bytes",
  "string",
] as const;

const logicals: readonly JsonValue[] = [
  { type: "int", logicalType: "date" },
  { type: "int", logicalType: "time-millis" },
  { type: "long", logicalType: "time-micros" },
  ...["millis", "micros", "nanos"].flatMap((unit) => [
    { type: "long", logicalType: `timestamp-${unit}` },
    { type: "long", logicalType: `local-timestamp-${unit}` },
  ]),
  { type: "string", logicalType: "uuid" },
  { type: "bytes", logicalType: "decimal", precision: 9, scale: 3 },
  { type: "bytes", logicalType: "decimal", precision: 30, scale: 30 },
  { type: "bytes", logicalType: "decimal", precision: 2 },
  // Avro ignores a logical type on the wrong type.
  { type: "string", logicalType: "date" },
  { type: "bytes", logicalType: "decimal", precision: 2, scale: 3 },
];

const fixedMores: readonly { readonly size: number; readonly more: object }[] = [
  ...[0, 1, 2, 3, 7].map((size) => ({ size, more: {} })),
  { size: 16, more: { logicalType: "uuid" } },
  { size: 12, more: { logicalType: "duration" } },
  { size: 4, more: { logicalType: "decimal", precision: 9, scale: 4 } },
  { size: 1, more: { logicalType: "decimal", precision: 3 } },
];

const symbols = ["OPEN", "SHIPPED", "A", "NEWS", "P1Y", "constructor_", "_x"];

const { type: typeDraft } = fc.letrec<{ type: Draft; record: Draft }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...plainNames).map((schema): Draft => ({ kind: "plain", schema })),
    fc.constantFrom(...logicals).map((schema): Draft => ({ kind: "plain", schema })),
    fc.constantFrom(...fixedMores).map((of): Draft => ({ kind: "fixed", ...of })),
    fc.subarray(symbols, { minLength: 1 }).map((of): Draft => ({ kind: "enum", symbols: of })),
    fc.nat(20).map((index): Draft => ({ kind: "reference", index })),
    tie("type").map((of): Draft => ({ kind: "array", of })),
    tie("type").map((of): Draft => ({ kind: "map", of })),
    fc
      .array(tie("type"), { minLength: 1, maxLength: 4 })
      .map((branches): Draft => ({ kind: "union", branches })),
    tie("type").map((of): Draft => ({
      kind: "union",
      branches: [{ kind: "plain", schema: "null" }, of],
    })),
    tie("record"),
  ),
  record: fc
    .tuple(
      fc.array(fc.record({ type: tie("type"), hasDefault: fc.boolean() }), { maxLength: 5 }),
      fc.boolean(),
    )
    .map(([fields, space]): Draft => ({ kind: "record", fields, space })),
}));

/** Schemas of records, as Avro's JSON. skillc rejects some of them. */
export const recordSchema: fc.Arbitrary<JsonValue> = fc
  .array(fc.record({ type: typeDraft, hasDefault: fc.boolean() }), { minLength: 1, maxLength: 6 })
  .map((fields) =>
    written({ kind: "record", fields, space: true }, { count: 0, names: [], space: "" }),
  );

interface Naming {
  count: number;
  /** Full names of the definitions so far. */
  readonly names: string[];
  readonly space: string;
}

/** Names of the fields in every record. */
export const fieldNames = ["id", "kind", "next", "toString", "value", "items"];

function written(draft: Draft, naming: Naming): JsonValue {
  switch (draft.kind) {
    case "plain":
      return draft.schema;
    case "reference":
      return naming.names[draft.index % Math.max(1, naming.names.length)] ?? "int";
    case "fixed":
      return { type: "fixed", ...named(naming), size: draft.size, ...draft.more };
    case "enum":
      return { type: "enum", ...named(naming), symbols: draft.symbols };
    case "array":
      return { type: "array", items: written(draft.of, naming) };
    case "map":
      return { type: "map", values: written(draft.of, naming) };
    case "union":
      return unionOf(
        draft.branches.map((branch) => written(branch, naming)),
        naming,
      );
    case "record": {
      const names = named(naming);
      return {
        type: "record",
        ...names,
        fields: draft.fields.map((field, index) => {
          const type = written(field.type, naming);
          const initial = field.hasDefault ? defaultOf(type) : undefined;
          const name = fieldNames[index] ?? `field${index}`;
          return { name, type, ...(initial !== undefined && { default: initial }) };
        }),
      };
    }
  }
}

function named(naming: Naming): { readonly name: string } {
  naming.count += 1;
  const name = `acme.n${naming.count % 3}.Type${naming.count}`;
  naming.names.push(name);
  return { name };
}

/** Makes a union without nested unions and repeated types, which Avro forbids. */
function unionOf(branches: readonly JsonValue[], naming: Naming): JsonValue {
  const kept = new Map<string, JsonValue>();
  for (const branch of branches.flat() as readonly JsonValue[]) {
    const definesNames = JSON.stringify(branch).includes('"name"');
    if (!kept.has(branchName(branch))) kept.set(branchName(branch), branch);
    // Other branches may refer to a name that this branch defines.
    else if (definesNames) kept.set(`wrapped ${kept.size}`, wrapped(branch, naming));
  }
  return [...kept.values()];
}

function wrapped(branch: JsonValue, naming: Naming): JsonValue {
  naming.count += 1;
  return {
    type: "record",
    name: `acme.Wrapped${naming.count}`,
    fields: [{ name: `only${naming.count}`, type: branch }],
  };
}

/** Returns the name of a union's branch in Avro's own JSON. */
export function branchName(branch: JsonValue): string {
  if (typeof branch === "string") return branch;
  const { name, type } = branch as { readonly name?: string; readonly type: string };
  return name ?? type;
}

/** Returns a default for a type, as a schema writes it; undefined if no simple one exists. */
function defaultOf(type: JsonValue): JsonValue | undefined {
  if (Array.isArray(type)) return type.length === 0 ? undefined : defaultOf(type[0]);
  const object = typeof type === "string" ? { type } : (type as { readonly type: string });
  const about = object as {
    readonly type: string;
    readonly symbols?: readonly string[];
    readonly size?: number;
  };
  const values: { readonly [name: string]: JsonValue | undefined } = {
    null: null,
    boolean: true,
    int: -7,
    long: 5_000_000_000,
    float: 0.5,
    double: 1e300,
    bytes: "\u0000\u00ff",
    string: "größe",
    array: [],
    map: {},
    enum: about.symbols?.[0],
    fixed: "\u0001".repeat(about.size ?? 0),
  };
  return values[about.type];
}
