import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../../src/core/json.js";
import { protobufDiagnosticEntries } from "../../../../src/bindings/queue/diagnostics/protobuf.js";
import { validatorOf } from "../avro/support.js";
import { order, read, readFiles, schemaOf } from "./support.js";

const shop = `syntax = "proto3";
package acme;
import "google/protobuf/timestamp.proto";

// An order.
message Order {
  string order_id = 1; // Ours.
  optional int32 count = 2;
  repeated Line lines = 3;
  /* How far it is. */
  Status status = 4;
  map<string, int64> labels = 5;
  oneof pay {
    string card = 6;
    Invoice invoice = 7;
  }
  google.protobuf.Timestamp placed_at = 8;
  Order parent = 9;
  message Invoice { string number = 1; }
}
message Line { string sku = 1; }
enum Status { UNKNOWN = 0; OPEN = 1; }
`;

describe("JSON form of a message", () => {
  it("names fields as the file does, and refers to messages and enums", () => {
    const { lines, schema } = read(shop);
    expect(lines).toEqual([]);
    expect(schema?.json.schema).toMatchObject({
      type: "object",
      description: "An order.",
      properties: {
        order_id: { type: "string", description: "Ours." },
        count: { type: "integer", minimum: -2147483648, maximum: 2147483647 },
        lines: { type: "array", items: { $ref: "#/$defs/Line" } },
        status: { $ref: "#/$defs/Status", description: "How far it is." },
        labels: { type: "object", additionalProperties: { type: ["integer", "string"] } },
        invoice: { $ref: "#/$defs/Invoice" },
        placed_at: { type: "string", format: "date-time" },
        parent: { $ref: "#" },
      },
      $defs: {
        Line: { properties: { sku: { type: "string" } } },
        Invoice: { type: "object" },
        Status: { type: "string", enum: ["UNKNOWN", "OPEN"] },
      },
    });
    expect(schema?.json.schema).not.toHaveProperty("required");
    expect(schema?.json.schema).toHaveProperty("not.title", "pay");
    expect(schema?.encoding).toMatchObject({ kind: "protobuf", message: "acme.Order" });
  });

  it("records Protobuf's name for each type, and the position of each type", () => {
    const { schema } = read(shop);
    expect(schema?.types).toMatchObject({
      "": "acme.Order",
      "/properties/count": "int32",
      "/properties/lines": "repeated acme.Line",
      "/properties/lines/items": "acme.Line",
      "/properties/labels": "map<string, int64>",
      "/properties/labels/additionalProperties": "int64",
      "/properties/placed_at": "google.protobuf.Timestamp",
      "/$defs/Status": "acme.Status",
      "/$defs/Invoice/properties/number": "string",
    });
    const at = (pointer: string) => {
      const span = schema?.json.places[pointer];
      return shop.slice(span?.start, span?.end);
    };
    expect(at("")).toBe("Order");
    expect(at("/properties/lines")).toBe("lines");
    expect(at("/properties/card")).toBe("card");
    expect(at("/$defs/Invoice")).toBe("Invoice");
    expect(at("/$defs/Invoice/properties/number")).toBe("number");
  });

  it("reports a closed enum without 0 at the field whose absence would mean 0", () => {
    const { lines } = read(`edition = "2023"; package acme;
      enum Kind { option features.enum_type = CLOSED; A = 5; }
      message Order {
        Kind told = 1;
        Kind kind = 2 [features.field_presence = IMPLICIT];
      }`);
    expect(lines).toEqual([
      "queue/bad-protobuf-schema [order.proto: kind] the first value of `acme.Kind` is not 0, but an absent `kind` means 0",
    ]);
  });

  it("requires the fields that proto2 requires, except those with a default", () => {
    const { lines, schema } = read(`syntax = "proto2"; package acme;
      message Order {
        required string id = 1;
        optional int32 count = 2 [default = 7];
        optional Kind kind = 3 [default = B, deprecated = true];
        extensions 100 to 199;
      }
      extend Order { optional int32 extra = 100; repeated Kind more = 101; }
      enum Kind { option allow_alias = true; A = 5; B = 6; C = 6; }`);
    expect(lines).toEqual([]);
    expect(schema?.json.schema).toMatchObject({
      required: ["id"],
      $defs: { Kind: { enum: ["A", "B", "C"] } },
    });
    const { properties } = schemaOf({ schema, lines, diagnostics: [] }).json.schema as {
      readonly properties: object;
    };
    expect(Object.keys(properties)).toEqual(["id", "count", "kind"]);
  });

  it.each<[type: string, good: readonly unknown[], bad: readonly unknown[]]>([
    ["bool", [true], ["true", 0, null]],
    ["int32", [0, -2147483648, 1.0], [2147483648, 1.5, "1", null]],
    ["sfixed32", [-1], [2147483648]],
    ["uint32", [0, 4294967295], [-1, 4294967296]],
    [
      "int64",
      [0, 9007199254740991, "9223372036854775807", "-9223372036854775808", "5"],
      [
        9007199254740992,
        1.5,
        "9223372036854775808",
        "-9223372036854775809",
        "007",
        "-0",
        "",
        "1e3",
      ],
    ],
    ["uint64", [0, "18446744073709551615", "7"], [-1, "-1", "18446744073709551616", "00"]],
    ["float", [0.1, 3.4028234663852886e38], [3.5e38, "1", Number.NaN]],
    ["double", [1e308, -0.5], [Number.POSITIVE_INFINITY, "NaN"]],
    ["string", ["", "a"], [1, null]],
    ["bytes", ["", "aGk=", "AAAA"], ["aGl=", "aGk", "a-_=", "aGk=\n"]],
    ["repeated int32", [[], [1]], [1, [null], ["1"]]],
    ["map<string, bool>", [{}, { "": true }], [[], { a: 1 }]],
    ["map<bool, bool>", [{ true: true }], [{ "1": true }]],
    [
      "map<int32, bool>",
      [{ "-2147483648": true, 0: true }],
      [{ "2147483648": true }, { "01": true }],
    ],
    ["map<fixed64, bool>", [{ "18446744073709551615": true }], [{ "-1": true }, { "1.0": true }]],
    [
      "google.protobuf.Timestamp",
      [
        "2024-02-29T00:00:00Z",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
        "2026-01-02T03:04:05.1+23:59",
        "2026-01-02T03:04:05.1234567890Z",
      ],
      [
        "2023-02-29T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-01-02T03:04:05",
        "2026-01-02T03:04:05.1234567891Z",
        "9999-12-31T23:59:59-01:00",
        "2026-01-02T23:59:60Z",
        0,
      ],
    ],
    [
      "google.protobuf.Duration",
      ["0s", "-1.5s", "315576000000s", "-315576000000.999999999s"],
      ["1", "315576000001s", "01s", "1.s", "1.0000000001s", ".5s", 1],
    ],
    ["google.protobuf.Int64Value", [1, "9223372036854775807"], [1.5, { value: 1 }, null]],
    ["google.protobuf.BoolValue", [true], ["true"]],
    ["google.protobuf.BytesValue", ["aGk="], ["aGk"]],
    ["google.protobuf.FieldMask", ["", "a", "a.bC,d"], ["a,", "a_b", ".a", "a..b", ["a"]]],
    ["google.protobuf.Struct", [{}, { a: [null] }], [[], null, "a"]],
    ["google.protobuf.ListValue", [[], [1, "a", null]], [{}, null]],
    ["google.protobuf.Value", [null, 1, "a", [], {}], []],
    ["google.protobuf.NullValue", [null], [0, "NULL_VALUE"]],
    ["google.protobuf.Empty", [{}], [null, []]],
    ["Order", [{}], [null, []]],
  ])("accepts exactly the values of %s that it can encode", (type, good, bad) => {
    const accepts = validatorOf(schemaOf(read(order(`${type} value = 1;`))));
    expect(good.filter((value) => !accepts({ value }))).toEqual([]);
    expect(bad.filter((value) => accepts({ value }))).toEqual([]);
    expect(accepts({})).toBe(true);
  });

  it("accepts one field of each `oneof`", () => {
    const accepts = validatorOf(
      schemaOf(
        read(
          order(
            "oneof a { int32 b = 1; int32 c = 2; int32 d = 3; }",
            "oneof e { int32 f = 4; bool g = 5; }",
            "oneof h { int32 i = 6; }",
            "optional int32 j = 7;",
          ),
        ),
      ),
    );
    const all: JsonValue = { b: 0, f: 0, i: 0, j: 0 };
    for (const good of [{}, { b: 0 }, { d: 1, g: true }, all])
      expect([accepts(good), good]).toEqual([true, good]);
    for (const bad of [
      { b: 0, c: 0 },
      { b: 0, c: 0, d: 0 },
      { f: 1, g: true },
      { b: 1, f: 1, g: true },
    ])
      expect([accepts(bad), bad]).toEqual([false, bad]);
  });

  it("supports editions", () => {
    const { lines, schema } = read(
      'edition = "2023"; package acme; message Order { string a = 1; int32 b = 2 [features.field_presence = LEGACY_REQUIRED]; }',
    );
    expect(lines).toEqual([]);
    expect(schema?.json.schema).toMatchObject({ required: ["b"] });
  });
});

describe("name of a type", () => {
  it("resolves to the innermost scope that has the type, and not into another message", () => {
    const { schema } = read(
      'syntax = "proto3"; package acme; message Order { message Box { message Item { int32 inner = 1; } } Item item = 1; } message Item { string outer = 1; }',
    );
    expect(schema?.types).toMatchObject({ "/properties/item": "acme.Item" });
  });

  it.each([
    ["acme.Item", "acme.Item"],
    [".acme.Item", "acme.Item"],
    ["Box.Item", "acme.Order.Box.Item"],
    ["Order.Box.Item", "acme.Order.Box.Item"],
    ["Box", "acme.Order.Box"],
  ])("%s resolves to %s", (name, type) => {
    const { schema } = read(
      `syntax = "proto3"; package acme; message Order { message Box { message Item { int32 inner = 1; } } ${name} item = 1; } message Item { string outer = 1; }`,
    );
    expect(schema?.types).toMatchObject({ "/properties/item": type });
  });

  it("does not resolve if the innermost scope has only the first part of the name", () => {
    expect(
      read(
        'syntax = "proto3"; package acme; message Order { message acme {} acme.Item item = 1; } message Item {}',
      ).lines,
    ).toEqual([
      "queue/bad-protobuf-schema [order.proto: acme.Item] the type `acme.Item` is unknown here (write `.acme.Item`: a nearer name has the same first part)",
    ]);
  });
});

describe("import", () => {
  const main = (name: string) =>
    `syntax = "proto3"; package acme; import "${name}"; message Order { shared.Address to = 1; }`;
  const shared = 'syntax = "proto3"; package shared; message Address { string city = 1; }';

  it.each([
    [
      "below the skill's folder",
      { "shop/p/order.proto": main("p/a/address.proto"), "shop/p/a/address.proto": shared },
    ],
    [
      "beside the file",
      { "shop/p/order.proto": main("address.proto"), "shop/p/address.proto": shared },
    ],
    [
      "above it",
      { "shop/p/order.proto": main("../../common/address.proto"), "common/address.proto": shared },
    ],
    [
      "from a folder above it, within the skill",
      {
        "shop/p/order.proto": main("p/common/address.proto"),
        "shop/p/common/address.proto": shared,
      },
    ],
    [
      "from the nearest folder that has such a file",
      {
        "shop/p/order.proto": main("a/address.proto"),
        "shop/p/a/address.proto": shared,
        "shop/a/address.proto": "no Protobuf",
        "a/address.proto": "no Protobuf",
      },
    ],
    [
      "by the same name as its importer",
      { "shop/p/order.proto": main("order.proto"), "shop/order.proto": shared },
    ],
    [
      "through another file",
      {
        "shop/p/order.proto": main("x.proto"),
        "shop/x.proto": 'import public "p/y.proto";',
        "shop/p/y.proto": shared,
      },
    ],
  ])("finds an import %s", (_, files) => {
    const { lines, schema } = readFiles(files, "./p/order.proto#acme.Order");
    expect(lines).toEqual([]);
    expect(schema?.json.schema).toMatchObject({ $defs: { Address: { properties: { city: {} } } } });
  });

  it("resolves imports from the root of a tree of schemas, in all its files", () => {
    const { lines, schema } = readFiles(
      {
        "shop/schemas/proto/acme/order.proto":
          'syntax = "proto3"; package acme; import "acme/common/money.proto"; message Order { common.Money total = 1; }',
        "shop/schemas/proto/acme/common/money.proto":
          'syntax = "proto3"; package acme.common; import "acme/common/currency.proto"; message Money { Currency currency = 1; }',
        "shop/schemas/proto/acme/common/currency.proto":
          'syntax = "proto3"; package acme.common; enum Currency { NONE = 0; EUR = 1; }',
      },
      "./schemas/proto/acme/order.proto#acme.Order",
    );
    expect(lines).toEqual([]);
    expect(schema?.json.schema).toMatchObject({ $defs: { Currency: { enum: ["NONE", "EUR"] } } });
  });

  it("reads a file once, however many files import it", () => {
    const { lines } = readFiles(
      {
        "shop/order.proto":
          'syntax = "proto3"; package acme; import "a.proto"; import "b.proto"; import "a.proto"; message Order { A a = 1; B b = 2; }',
        "shop/a.proto": 'syntax = "proto3"; package acme; message A {}',
        "shop/b.proto": 'syntax = "proto3"; package acme; import "a.proto"; message B { A a = 1; }',
      },
      "./order.proto#acme.Order",
    );
    expect(lines).toEqual([]);
  });

  it("ignores options that a file declares", () => {
    const { lines } = read(
      'syntax = "proto3"; package acme; import "google/protobuf/descriptor.proto"; extend google.protobuf.FieldOptions { string note = 50000; } message Order { string a = 1 [(note) = "x"]; } service S { rpc Go (Order) returns (Other); }',
    );
    expect(lines).toEqual([]);
  });

  it("reports an import that is missing, circular or unreadable, at its position", () => {
    expect(
      readFiles({ "shop/order.proto": main("addres.proto") }, "./order.proto#acme.Order").lines,
    ).toEqual(['file/not-found [order.proto: "addres.proto"] no `shop/addres.proto`']);
    expect(
      readFiles(
        { "shop/order.proto": main("b.proto"), "shop/b.proto": 'import "order.proto";' },
        "./order.proto#acme.Order",
      ).lines,
    ).toEqual([
      'queue/bad-protobuf-schema [b.proto: "order.proto"] the imports form a cycle: shop/order.proto → shop/b.proto → shop/order.proto',
    ]);
    expect(
      readFiles(
        { "shop/order.proto": main("b.proto"), "shop/b.proto": "message {" },
        "./order.proto#acme.Order",
      ).lines,
    ).toEqual([
      "queue/bad-protobuf-schema [b.proto: {] protobufjs can't read the schema: illegal type name '{' (line 1)",
    ]);
    expect(
      readFiles(
        {
          "shop/order.proto": main("b.proto"),
          "shop/b.proto": "package acme; message A {} message Order {}",
        },
        "./order.proto#acme.Order",
      ).lines,
    ).toEqual([
      "queue/bad-protobuf-schema [b.proto: Order] the name `Order` is used twice in `acme`",
    ]);
    expect(read('import "google/protobuf/timestamps.proto"; message A {}').lines).toEqual([
      'queue/bad-protobuf-schema [order.proto: "google/protobuf/timestamps.proto"] Protobuf has no file `google/protobuf/timestamps.proto`',
    ]);
  });
});

describe("name of a message", () => {
  it.each([
    [
      "./order.proto",
      "queue/no-protobuf-message [SKILL.md] the schema doesn't name a message of the file (write `./order.proto#acme.Order`)",
    ],
    [
      "./order.proto#Order",
      "queue/no-protobuf-message [SKILL.md] there is no message `Order` in `./order.proto` (write `./order.proto#acme.Order`)",
    ],
    [
      "./order.proto#acme.Oder",
      "queue/no-protobuf-message [SKILL.md] there is no message `acme.Oder` in `./order.proto` (did you mean `acme.Order`?)",
    ],
    [
      "./order.proto#x",
      "queue/no-protobuf-message [SKILL.md] there is no message `x` in `./order.proto` (it has `acme.Order`, `acme.Order.Invoice`, `acme.Line`)",
    ],
    [
      "./order.proto#acme.Status",
      "queue/no-protobuf-message [SKILL.md] there is no message `acme.Status` in `./order.proto` (it has `acme.Order`, `acme.Order.Invoice`, `acme.Line`)",
    ],
    ["./oder.proto#acme.Order", "file/not-found [SKILL.md] no `shop/oder.proto`"],
  ])("reports a name that the file does not have: %s", (name, line) => {
    expect(readFiles({ "shop/order.proto": shop }, name).lines).toEqual([line]);
  });

  it("suggests nothing for a file without messages", () => {
    expect(readFiles({ "shop/order.proto": "" }, "./order.proto#A").lines).toEqual([
      "queue/no-protobuf-message [SKILL.md] there is no message `A` in `./order.proto` (declare a `message` in it)",
    ]);
  });
});

describe("invalid schema", () => {
  const bad = "queue/bad-protobuf-schema";
  const zero = "(add a first value with the number 0, which an absent field means: `UNKNOWN = 0;`)";
  it.each<[text: string, line: string]>([
    [
      order("strin note = 2;"),
      `${bad} [order.proto: strin] the type \`strin\` is unknown here (did you mean \`string\`?)`,
    ],
    [
      order("Oder next = 2;"),
      `${bad} [order.proto: Oder] the type \`Oder\` is unknown here (did you mean \`Order\`?)`,
    ],
    [
      order("google.protobuf.Any what = 2;"),
      "queue/unsupported-protobuf [order.proto: what] `what` may hold any message, so its fields are unknown before a call (name the message that you mean, or a `oneof` of several messages)",
    ],
    [
      'syntax = "proto3"; package acme; message Order { google.protobuf.Timestamp at = 1; }',
      `${bad} [order.proto: google.protobuf.Timestamp] the type \`google.protobuf.Timestamp\` is unknown here (import the file of \`google/protobuf/\` that declares it)`,
    ],
    [
      order("string a 1;"),
      `${bad} [order.proto: 1] protobufjs can't read the schema: illegal token '1', '=' expected (line 11)`,
    ],
    [
      order("string a = ;"),
      `${bad} [order.proto: ;] protobufjs can't read the schema: illegal id ';' (line 11)`,
    ],
    [
      order("string a = 1"),
      `${bad} [order.proto: }] protobufjs can't read the schema: illegal token '}', ';' expected (line 12)`,
    ],
    [`${order("string a = 1;").slice(0, -1)}`, `${bad} [order.proto: ;] the file ends too early`],
    [
      'syntax = "proto3"; message A { "x',
      `${bad} [order.proto: "] protobufjs can't read the schema: illegal token '"' (line 1)`,
    ],
    ["/* ", `${bad} [order.proto: ] protobufjs can't read the schema: illegal comment (line 1)`],
    [
      'syntax = "proto4"; message A {}',
      `${bad} [order.proto: "proto4"] there is no syntax \`proto4\` (write \`syntax = "proto3";\`)`,
    ],
    [
      order("string a = 1;", "int32 a = 2;"),
      `${bad} [order.proto: a] the name \`a\` is used twice in \`acme.Order\``,
    ],
    [
      order("string a = 1;", "int32 b = 1;"),
      `${bad} [order.proto: 1] the number 1 is used twice in \`acme.Order\` (give each field its own number: messages contain numbers instead of names)`,
    ],
    [
      order("reserved 2, 5 to 9;", "int32 b = 7;"),
      `${bad} [order.proto: 7] the number 7 is reserved in \`acme.Order\``,
    ],
    [
      order("enum E { reserved 5 to max; A = 0; B = 010; }"),
      `${bad} [order.proto: 010] the number 010 is reserved in \`acme.Order.E\``,
    ],
    [
      order("enum E { A = 0; B = 0x0; }"),
      `${bad} [order.proto: 0x0] the number 0x0 is used twice in \`acme.Order.E\` (give each field its own number: messages contain numbers instead of names)`,
    ],
    [
      order("enum E { option allow_alias = true; A = 0; B = 0; }", "int32 c 1;"),
      `${bad} [order.proto: 1] protobufjs can't read the schema: illegal token '1', '=' expected (line 12)`,
    ],
    [
      order("int32 c 1;", "int32 a = 2;", "int32 a = 3;"),
      `${bad} [order.proto: 1] protobufjs can't read the schema: illegal token '1', '=' expected (line 11)`,
    ],
    [
      order("oneof a { int32 b = 1; }", "int32 a = 2;"),
      `${bad} [order.proto: ;] protobufjs can't read the schema: duplicate name 'a' in Type Order`,
    ],
    [
      order('reserved "b";', "int32 b = 7;"),
      `${bad} [order.proto: b] the name \`b\` is reserved in \`acme.Order\``,
    ],
    [
      order("int32 b = 0;"),
      `${bad} [order.proto: b] 0 can't be the number of \`b\` (use 1 to 536870911, but not 19000 to 19999, which Protobuf reserves)`,
    ],
    [
      order("int32 b = 19500;"),
      `${bad} [order.proto: b] 19500 can't be the number of \`b\` (use 1 to 536870911, but not 19000 to 19999, which Protobuf reserves)`,
    ],
    [
      order("int32 b = 536870912;"),
      `${bad} [order.proto: b] 536870912 can't be the number of \`b\` (use 1 to 536870911, but not 19000 to 19999, which Protobuf reserves)`,
    ],
    [
      order("int32 b = 1 [default = 5];"),
      `${bad} [order.proto: b] \`b\` can't have a default here (remove it)`,
    ],
    [
      order("enum E { A = 1; }", "E e = 1;"),
      `${bad} [order.proto: A] the first value of the enum \`acme.Order.E\` is not 0 ${zero}`,
    ],
    [
      order("enum E { A = 1; }", "repeated E e = 1;"),
      `${bad} [order.proto: A] the first value of the enum \`acme.Order.E\` is not 0 ${zero}`,
    ],
    [
      order("enum E { A = 0; B = 2147483648; }", "E e = 1;"),
      `${bad} [order.proto: B] the number of \`B\` is larger than 32 bits`,
    ],
    [
      order("enum E { }", "repeated E e = 1;"),
      `${bad} [order.proto: E] the enum \`acme.Order.E\` has no values`,
    ],
    [
      order("int32 __proto__ = 1;"),
      `${bad} [order.proto: __proto__] \`__proto__\` can't be a name`,
    ],
    [
      "package google.protobuf; message Timestamp {}",
      `${bad} [order.proto: google.protobuf] the package \`google.protobuf\` is reserved for Protobuf`,
    ],
    [
      "package acme; message Order { optional group Line = 2 { optional string sku = 1; } }",
      "queue/unsupported-protobuf [order.proto: Line] `line` is a group (declare a message, and a field of its type)",
    ],
    [
      "package acme; message Order { required Order next = 1; }",
      "queue/endless-message [order.proto: next] every message in `next` would need another one, without end (make it `optional` or `repeated`)",
    ],
    [
      "package acme; message Order { optional Line line = 1; } message Line { required Box box = 1; } message Box { required Line line = 1; }",
      "queue/endless-message [order.proto: box] every message in `box` would need another one, without end (make it `optional` or `repeated`)",
    ],
  ])("reports the mistake at its position: %s", (text, line) => {
    expect(read(text).lines).toEqual([line]);
  });
});

describe("examples of diagnostics", () => {
  it.each(Object.entries(protobufDiagnosticEntries))(
    "the example causes %s, and the fixed example does not",
    (code, { example, fixed }) => {
      const read = (files: { readonly [path: string]: string }) => {
        const [name = ""] = /\.\/order\.proto\S*/.exec(Object.values(files).join("\n")) ?? [];
        const proto = files["skills/order-events/order.proto"] ?? "";
        return readFiles({ "shop/order.proto": proto }, name).diagnostics.map((each) => each.code);
      };
      expect(read(example ?? {})).toEqual([code]);
      expect(read(fixed ?? {})).toEqual([]);
    },
  );
});
