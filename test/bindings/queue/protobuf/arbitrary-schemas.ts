/** Random Protobuf schemas. */
import fc from "fast-check";

const scalars = [
  "double",
  "float",
  "int32",
  "uint32",
  "sint32",
  "fixed32",
  "sfixed32",
  "int64",
  "uint64",
  "sint64",
  "fixed64",
  "sfixed64",
  "bool",
  "string",
  "bytes",
];
const keys = scalars.filter((name) => !["double", "float", "bytes"].includes(name));
const wellKnown = [
  "Timestamp",
  "Duration",
  "FieldMask",
  "Struct",
  "Value",
  "ListValue",
  "NullValue",
  "Empty",
  "DoubleValue",
  "FloatValue",
  "Int64Value",
  "UInt64Value",
  "Int32Value",
  "UInt32Value",
  "BoolValue",
  "StringValue",
  "BytesValue",
].map((name) => `google.protobuf.${name}`);
const messages = ["Order", "Line", "Line.Box"];
const enums = ["Status", "Order.Kind"];

const type = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...scalars) },
  { weight: 2, arbitrary: fc.constantFrom(...wellKnown) },
  { weight: 1, arbitrary: fc.constantFrom(...messages) },
  { weight: 2, arbitrary: fc.constantFrom(...enums) },
);

/**
 * Names of fields. They include inherited names of objects, except `constructor`, with which the
 * library can't decode a list. JSON's form of each name is the name itself.
 */
export const fieldNames = ["id", "kind", "next", "toString", "value", "items", "class", "x"];

interface FieldDraft {
  readonly label: string;
  readonly type: string;
  readonly number: number;
  readonly more: string;
}

function field(syntax: string): fc.Arbitrary<FieldDraft> {
  const labels =
    syntax === "proto3"
      ? ["", "", "optional", "repeated"]
      : ["optional", "optional", "required", "repeated"];
  const number = fc.oneof(
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom(15, 16, 2047, 2048, 2 ** 29 - 1),
  );
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        label: fc.constantFrom(...labels),
        type,
        number,
        more: fc.constantFrom("", "", "[packed = false]", "[packed = true]", "[deprecated = true]"),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        label: fc.constant(""),
        type: fc
          .tuple(fc.constantFrom(...keys), type)
          .map(([key, value]) => `map<${key}, ${value}>`),
        number,
        more: fc.constant(""),
      }),
    },
  );
}

function body(syntax: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.uniqueArray(field(syntax), { maxLength: 6, selector: ({ number }) => number }),
      fc.nat(4),
      fc.shuffledSubarray(fieldNames, { minLength: 6 }),
    )
    .map(([fields, together, names]) => {
      const named = fields.map((each, index) => ({ ...each, name: names[index] ?? "y" }));
      const fit = named.filter((each) => each.label !== "repeated" && !each.type.startsWith("map"));
      const grouped = new Set(fit.slice(0, together));
      const line = (each: (typeof named)[number], label: string) =>
        `${label} ${each.type} ${each.name} = ${each.number} ${packable(each)};`;
      const lines = named
        .filter((each) => !grouped.has(each))
        .map((each) => line(each, each.label));
      const oneof = [...grouped].map((each) => line(each, ""));
      return [...lines, ...(oneof.length > 0 ? [`oneof pick { ${oneof.join(" ")} }`] : [])].join(
        "\n",
      );
    });
}

function packable({ label, more, type }: FieldDraft): string {
  const isPacked =
    label === "repeated" && !["string", "bytes"].includes(type) && scalars.includes(type);
  return more.startsWith("[packed") && !isPacked ? "" : more;
}

/** Schemas with the message `acme.Order`. */
export const schemaText: fc.Arbitrary<string> = fc
  .constantFrom("proto2", "proto3")
  .chain((syntax) =>
    fc.tuple(body(syntax), body(syntax), body(syntax)).map(
      ([order, line, box]) => `syntax = "${syntax}";
package acme;
${["timestamp", "duration", "struct", "wrappers", "field_mask", "empty"].map((name) => `import "google/protobuf/${name}.proto";`).join("\n")}
message Order {
${order}
enum Kind { option allow_alias = true; NONE = 0; ONE = 1; UNE = 1; LOW = -2147483648; }
}
message Line {
${line}
message Box {
${box}
}
}
enum Status { UNKNOWN = 0; OPEN = 5; toString = 6; }
`,
    ),
  );
