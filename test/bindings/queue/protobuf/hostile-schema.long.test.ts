import fc from "fast-check";
import { expect, test } from "vitest";
import { protobufDiagnosticEntries } from "../../../../src/bindings/queue/diagnostics/protobuf.js";
import { RefusedValue } from "../../../../src/runtime/call/refused-value.js";
import { schemaText } from "./arbitrary-schemas.js";
import { encodeOf, order, read, readFiles } from "./support.js";
import { runs } from "../../../support/runs.js";

const codes = [...Object.keys(protobufDiagnosticEntries), "schema/too-large", "file/not-found"];
const many = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index)).join("\n");
const bad = "queue/bad-protobuf-schema";

test.each<[what: string, text: string, code: string | undefined]>([
  ["a thousand fields", order(many(1000, (index) => `int32 f${index} = ${index + 1};`)), undefined],
  [
    "too many fields",
    order(many(1001, (index) => `int32 f${index} = ${index + 1};`)),
    "schema/too-large",
  ],
  ["too many messages", many(20_001, (index) => `message M${index} {}`), "schema/too-large"],
  ["a megabyte of words", "a ".repeat(500_000), "schema/too-large"],
  ["a megabyte of one word", "a".repeat(1_000_000), bad],
  ["a megabyte of comment", `${order("int32 a = 1;")}/* ${"/* ".repeat(300_000)}*/`, undefined],
  ["a megabyte of comments", `${order("int32 a = 1;")}${"// a\n".repeat(200_000)}`, undefined],
  ["a megabyte of comments that have no end", "/* ".repeat(350_000), bad],
  ["a megabyte of text", `import "${"a".repeat(1_000_000)}";`, "file/not-found"],
  ["a megabyte of text that has no end", `import "${"\\a".repeat(500_000)}`, bad],
  ["a long name", order(`int32 ${"x".repeat(1_000_000)} = 1;`), undefined],
  ["a long number", order(`int32 x = ${"9".repeat(1_000_000)};`), bad],
  ["a long type", order(`${"x".repeat(1_000_000)} x = 1;`), bad],
  ["messages within messages", `${"message M { ".repeat(10_000)}${"}".repeat(10_000)}`, bad],
  ["braces within braces", order(`option (x) = ${"{ a: ".repeat(30_000)}1`), bad],
  ["a deep package", `package ${"a.".repeat(50_000)}a; message Order {}`, bad],
  [
    "a chain of messages",
    `syntax = "proto3"; package acme; message Order { M0 m = 1; } ${many(1000, (index) => `message M${index} { M${index + 1} m = 1; }`)} message M1000 {}`,
    "schema/too-large",
  ],
  [
    "a long chain of messages",
    `syntax = "proto3"; package acme; message Order { M0 m = 1; } ${many(9000, (index) => `message M${index} { M${index + 1} m = 1; }`)} message M9000 {}`,
    "schema/too-large",
  ],
  [
    "a long chain of messages that need one another",
    `package acme; message Order { required M0 m = 1; } ${many(9000, (index) => `message M${index} { required M${index + 1} m = 1; }`)} message M9000 {}`,
    "schema/too-large",
  ],
  [
    "many extensions",
    `package acme; message Order { extensions 1 to max; } extend Order { ${many(1000, (index) => `optional int32 e${index} = ${index + 1};`)} }`,
    undefined,
  ],
  [
    "too many extensions",
    `package acme; message Order { extensions 1 to max; } ${many(1001, (index) => `extend Order { optional int32 e${index} = ${index + 1}; }`)}`,
    "schema/too-large",
  ],
  [
    "extensions of what is not there",
    `package acme; extend Other { ${many(1000, (index) => `optional int32 e${index} = ${index + 1};`)} } message Order {} ${many(10_000, (index) => `message M${index} {}`)}`,
    undefined,
  ],
  [
    "many methods",
    order(
      "}",
      "service S {",
      many(8000, (index) => `rpc A${index} (Order) returns (Order);`),
    ),
    undefined,
  ],
  [
    "many imports",
    `package acme; message Order {} ${many(30_000, (index) => `import "google/protobuf/${index % 2 === 0 ? "any" : "api"}.proto";`)}`,
    undefined,
  ],
  ["many options", order(many(10_000, () => `option (acme.x).y = 1;`)), undefined],
  [
    "a large enum",
    order("E e = 1;", `enum E { ${many(19_000, (index) => `V${index} = ${index};`)} }`),
    undefined,
  ],
  [
    "many reserved numbers",
    order(
      "E e = 1;",
      `enum E { reserved ${many(20_000, (index) => `${index + 100_000},`)} 1; ${many(10_000, (index) => `V${index} = ${index * 2};`)} }`,
    ),
    undefined,
  ],
  [
    "a large oneof",
    order(
      "oneof o {",
      many(1000, (index) => `int32 f${index} = ${index + 1};`),
      "}",
    ),
    undefined,
  ],
  [
    "names of JavaScript's own",
    order(
      "int32 constructor = 1; int32 prototype = 2; string hasOwnProperty = 3; message valueOf {} enum toString { isPrototypeOf = 0; } toString s = 4; valueOf v = 5;",
    ),
    undefined,
  ],
  [
    "a package of JavaScript's own",
    'syntax = "proto3"; package a.constructor; message Order {}',
    "queue/no-protobuf-message",
  ],
  ["a package of a prototype", "package a.__proto__; message Order {}", bad],
  ["a message of a prototype", order("message __proto__ {}"), bad],
  ["a value of a prototype", order("enum E { __proto__ = 0; }"), bad],
  ["an option of a prototype", order("option (a).__proto__.b = 1;"), bad],
  ["text about a prototype", order('option (a) = "__proto__";'), undefined],
  ["code in a name", order("int32 a;alert(1) = 1;"), bad],
  ["code in a comment", order("// */ `${alert(1)}` \u2028 @deprecated", "int32 a = 1;"), undefined],
  ["nothing", "", "queue/no-protobuf-message"],
  ["a byte order mark", `\ufeff${order("int32 a = 1;")}`, undefined],
])("reads %s without a crash, or reports it", (_, text, code) => {
  const { diagnostics, schema } = read(text);
  expect(diagnostics.map((each) => each.code)).toEqual(code === undefined ? [] : [code]);
  expect(schema === undefined || encodes(encodeOf(schema), {})).toBe(true);
});

test.each([
  [99, []],
  [
    1000,
    [
      'schema/too-large [f100.proto: "f101.proto"] files import one another more than 100 levels deep',
      'schema/too-large [f100.proto: "f102.proto"] files import one another more than 100 levels deep',
    ],
  ],
])(
  "reports imports nested more than 100 deep in a chain of %i, and stops there",
  (count, expected) => {
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `shop/f${index}.proto`,
        `import "f${index + 1}.proto"; import "f${Math.min(count, index + 2)}.proto";`,
      ]),
    );
    const last = { [`shop/f${count}.proto`]: "package acme; message Order {}" };
    const { lines } = readFiles({ ...files, ...last }, "./f0.proto#acme.Order");
    expect(lines.filter((each) => each.includes("f100.proto:")).toSorted()).toEqual(expected);
    expect(lines.length > 0).toBe(expected.length > 0);
  },
);

test("writes nothing but the schema's names into generated code", () => {
  const { schema } = read(
    order(
      "// `${alert(1)}` */",
      "string class = 1;",
      "enum E { A = 0; }",
      "map<string, E> let = 2;",
    ),
  );
  const code = schema?.encoding.kind === "protobuf" ? schema.encoding.code : "";
  expect(code).not.toContain("alert");
  expect(code).toContain('m["class"]');
});

/** @throws whatever is no refusal */
function encodes(encode: (message: unknown) => Uint8Array, message: unknown): boolean {
  try {
    encode(message);
    return true;
  } catch (error) {
    if (error instanceof RefusedValue) return false;
    throw error;
  }
}

const pieces = fc.constantFrom(
  ..."{ } [ ] ( ) < > = ; : , . \" ' /* */ // \n message enum oneof map< repeated required optional group extend service rpc returns stream option import package syntax reserved extensions to max string int32 Order acme.Order .acme __proto__ constructor 0 1 -1 1e9 0x 99999999999 inf nan \\ \ud800 \u2028 \0 default packed features.field_presence proto2 proto3 edition 2023 public weak".split(
    " ",
  ),
);

const broken = fc
  .tuple(
    schemaText,
    fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.array(pieces, { maxLength: 3 })), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((each, [at, length, put]) => {
      const start = each.indexOf("message") + (at % (each.length - each.indexOf("message")));
      return `${each.slice(0, start)}${put.join(" ")}${each.slice(start + length)}`;
    }, text),
  );

test("crashes on no text, reports each problem in a file, and can encode by each schema that it accepts", () => {
  const counts = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.oneof(
        broken,
        fc.array(pieces, { maxLength: 40 }).map((each) => each.join(" ")),
      ),
      (text) => {
        const { diagnostics, schema } = read(text);
        for (const { code, span } of diagnostics) {
          expect(codes).toContain(code);
          expect(["shop/order.proto", "shop/SKILL.md"]).toContain(span.file);
        }
        counts[schema === undefined ? "refused" : "taken"] += 1;
        expect(schema === undefined).toBe(diagnostics.some((each) => each.severity === "error"));
        if (schema === undefined || schema.json.schema === true) return;
        expect(encodeOf(schema)).toBeTypeOf("function");
      },
    ),
    { numRuns: runs(300) },
  );
  expect(counts.refused).toBeGreaterThan(runs(50));
});
