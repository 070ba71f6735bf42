import { describe, expect, it } from "vitest";
import { field, ofAvro, record, symbols, withSchema } from "./support.js";

const text = { parameters: "{ p: { type: string } }", required: "p" };
const idle = { parameters: "{}", required: "" };
const one = record("acme.One", field("id", "string"), field("n", "int", 1));
const two = record("acme.Two", field("id", "string"), field("m", "int", 1));
const apart = "but JSON can't tell the branches apart";

describe("union whose branches look alike", () => {
  it.each([
    [{ ...text, message: '{ v: { string: "{p}" } }' }, ["bytes", "string"]],
    [{ ...idle, message: "{ v: { bytes: aGk= } }" }, ["bytes", "string"]],
    [{ ...idle, message: "{ v: { double: 0.1 } }" }, ["float", "double"]],
    [{ ...idle, message: "{ v: null }" }, ["null", one, two]],
    [{ ...text, message: '{ v: { acme.Two: { id: "{p}", m: 2 } } }' }, ["null", one, two]],
  ])("accepts a value that names its branch: %j as %j", (parts, type) => {
    expect(ofAvro(parts, field("v", type))).toEqual([]);
  });

  it.each([
    [
      text,
      '{ v: "{p}" }',
      ["bytes", "string"],
      '[{p}] `p` does not name one branch of the field `v` (`bytes or string`), but JSON can\'t tell the branches apart (write `{ bytes: "{p}" }` or `{ string: "{p}" }`)',
    ],
    [
      text,
      '{ v: "no. {p}" }',
      ["bytes", "string"],
      `["no. {p}"] this value does not name one branch of the field \`v\` (\`bytes or string\`), ${apart} (write \`{ bytes: … }\` or \`{ string: … }\`)`,
    ],
    [
      idle,
      "{ v: { id: x } }",
      ["null", one, two],
      `[{ id: x }] this object does not name one branch of the field \`v\` (\`null or acme.One or acme.Two\`), ${apart} (write \`{ acme.One: … }\` or \`{ acme.Two: … }\`)`,
    ],
    [
      idle,
      "{ v: { acme.One: { id: x }, acme.Two: { id: x } } }",
      [one, two],
      `[{ acme.One: { id: x }, acme.Two: { id: x } }] this object does not name one branch of the field \`v\` (\`acme.One or acme.Two\`), ${apart} (write \`{ acme.One: … }\` or \`{ acme.Two: … }\`)`,
    ],
    [
      idle,
      "{ v: 0.1 }",
      ["float", "double"],
      `[0.1] this value does not name one branch of the field \`v\` (\`float or double\`), ${apart} (write \`{ float: … }\` or \`{ double: … }\`)`,
    ],
  ])("rejects a value that does not name its branch: %j %s", (parts, message, type, line) => {
    expect(ofAvro({ ...parts, message }, field("v", type))).toEqual([`ambiguous-union ${line}`]);
  });

  it("checks the type of a parameter that contains the union", () => {
    const inner = record("Inner", field("x", ["bytes", "string"]));
    const object = (x: string) => ({
      parameters: `{ v: { type: object, additionalProperties: false, required: [x], properties: { x: ${x} } } }`,
      required: "v",
    });
    const named =
      "{ type: object, additionalProperties: false, required: [string], properties: { string: { type: string } } }";
    expect(ofAvro(object(named), field("v", inner))).toEqual([]);
    expect(ofAvro(object("{ type: string }"), field("v", inner))[0]).toContain(
      "`v` at `x` does not name one branch of the field `v.x` (`bytes or string`), but JSON can't tell the branches apart (declare it as",
    );
  });

  it("checks a value inside its branch", () => {
    const type = ["null", one, two];
    expect(
      ofAvro({ message: "{ v: { acme.One: { n: 1, colour: 2 } } }" }, field("v", type)),
    ).toEqual([
      "missing-field [acme.One] the field `v.acme.One.id` (`string`) is required, but the message doesn't have it (add `id: …`)",
      "unknown-field [colour] the field `v.acme.One` (`acme.One`) has no field `colour` (it has `id`, `n`)",
    ]);
    expect(ofAvro({ message: "{ v: { bytes: a } }" }, field("v", ["bytes", "string"]))).toEqual([
      "field-type [a] this value is `a`, but the field `v.bytes` (`bytes`) takes bytes in base64",
    ]);
  });

  it("needs no value if it has a default", () => {
    const type = ["null", one, two];
    expect(ofAvro({ message: "{}" }, field("v", type, null))).toEqual([]);
    const optional = { parameters: "{ p: { type: string } }", message: '{ v: { string: "{p}" } }' };
    expect(ofAvro(optional, field("v", ["bytes", "string"]))[0]).toContain(
      "optional-field [{p}] `p` may be absent, but the field `v.string` (`string`) is required",
    );
  });

  it("emits the places of unions whose values name their branch", () => {
    const schema = JSON.stringify(record("Order", field("v", ["null", one, two])));
    const message = '{ v: { acme.One: { id: "{p}" } } }';
    const { resolved } = withSchema("avro", schema, { ...text, message });
    expect(resolved?.config.schema?.encoding).toMatchObject({ named: ["/fields/0/type"] });
  });
});

describe("union whose branches differ", () => {
  const a = record("A", field("a", "string"));
  const b = record("B", field("b", "int"), field("c", "int"));

  it("accepts a value without the name of its branch", () => {
    expect(ofAvro({ message: "{ v: { a: x } }" }, field("v", ["null", a, b, symbols]))).toEqual([]);
    expect(ofAvro({ message: "{ v: OPEN }" }, field("v", ["null", a, b, symbols]))).toEqual([]);
  });

  it("reports the missing fields for each of its records", () => {
    expect(ofAvro({ message: "{ v: {} }" }, field("v", ["null", a, b]))).toEqual([
      "missing-field [v] the field `v.a` (`string`) is required, but the message doesn't have it (add `a: …`; or, for another form, `b: …` and `c: …`)",
    ]);
    expect(ofAvro({ message: "{ v: { b: 1 } }" }, field("v", ["null", a, b]))).toEqual([
      "missing-field [v] the field `v.c` (`int`) is required, but the message doesn't have it (add `c: …`)",
    ]);
  });
});
