/** Whatever the bytes: no crash, no hang, nothing half done, and every finding inside a file. */
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { brokenPromises } from "./broken-promises.js";
import { compileUntyped } from "./compile-untyped.js";
import { runs } from "../../support/runs.js";
import { unicodeText } from "../../support/unicode-text.js";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
/** An example skill with its tools in the front matter of SKILL.md, which skillc reads too. */
const inFrontMatter = (name: string): string =>
  read(`skills/${name}/SKILL.md`).replace(
    "\n---\n",
    () => `\n${read(`skills/${name}/metadata.yaml`)}---\n`,
  );
const orderDesk = inFrontMatter("order-desk");
const rabbitmq = inFrontMatter("rabbitmq-admin");
const order = read("skills/order-desk/order.json");
const metadata = JSON.stringify(
  { tools: { ask: { description: "Ask.", question: "string" } }, risk_level: "low" },
  null,
  2,
);
const settings =
  "skills: skills\nout: generated\nsecrets: { TOKEN: x }\nbindings:\n  graphql: ./graphql.js\n";

/** Codes of the errors, each once. */
async function errorsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const result = await compileUntyped(files);
  expect(brokenPromises(result, files)).toEqual([]);
  const errors = result.diagnostics.filter((each) => each.severity === "error");
  return [...new Set(errors.map((each) => each.code))];
}

const fragment = fc.constantFrom(
  "---\n",
  "\n---\n",
  "\n...\n",
  ": ",
  "- ",
  "&a ",
  "*a",
  "<<: *a\n",
  "!!binary ",
  "!<tag:x> ",
  "? ",
  "|",
  ">-\n",
  "{",
  "}",
  "[",
  "]",
  '"',
  "'",
  "#",
  "%YAML 1.1\n",
  "\t",
  "\r",
  "\r\n",
  "\0",
  "\u0007",
  "\u2028",
  "\ufeff",
  "\ud800",
  "😀",
  "__proto__",
  "constructor: ",
  "${",
  "{{",
  "$ref: '#'",
  "$ref: ./SKILL.md",
  "null",
  "~",
  "1e999",
  "-0",
  ".inf",
  ".nan",
  "0x1F",
  "123456789012345678901234567890",
  "true",
  "type: array",
  "type: [string]",
  "$.data[?@.a]",
  "http",
);

/** A text with a few cuts, copies and strange pieces in it. */
const mutated = (text: string) =>
  fc
    .array(
      fc.tuple(
        fc.nat(text.length),
        fc.oneof(fc.constant(0), fc.nat(12), fc.nat(200)),
        fc.oneof(
          fc.constant(""),
          fragment,
          unicodeText({ maxLength: 3 }),
          fc.nat(text.length - 40).map((at) => text.slice(at, at + 40)),
        ),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((edits) =>
      edits.reduce((all, [at, cut, put]) => all.slice(0, at) + put + all.slice(at + cut), text),
    );

const anything = fc.oneof(
  unicodeText({ maxLength: 200 }),
  fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join("")),
);

const seed = Number(process.env["SKILLC_SEED"] ?? 5);

describe("any bytes", () => {
  test.each([
    [
      "in a SKILL.md",
      mutated(orderDesk).map((text) => ({ "skills/order-desk/SKILL.md": text })),
      40,
    ],
    [
      "in another SKILL.md",
      mutated(rabbitmq).map((text) => ({ "skills/order-desk/SKILL.md": text })),
      30,
    ],
    [
      "in a schema beside it",
      mutated(order).map((text) => ({ "skills/order-desk/order.json": text })),
      25,
    ],
    [
      "in metadata.json",
      mutated(metadata).map((text) => ({
        "skills/order-desk/SKILL.md": "---\nname: order-desk\n---\n",
        "skills/order-desk/metadata.json": text,
      })),
      60,
    ],
    [
      "in skillc.yaml",
      mutated(settings).map((text) => ({
        "skillc.yaml": text,
        "skills/order-desk/SKILL.md": "---\nname: order-desk\n---\n",
      })),
      60,
    ],
    [
      "in all of them",
      fc.record({
        "skillc.yaml": anything,
        "skills/order-desk/SKILL.md": anything,
        "skills/order-desk/metadata.json": anything,
      }),
      100,
    ],
    [
      "between the marks of front matter",
      anything.map((text) => ({ "skills/order-desk/SKILL.md": `---\n${text}\n---\n` })),
      100,
    ],
  ])(
    "never crash the compiler %s",
    async (_, changes, count) => {
      const base = {
        "skills/order-desk/SKILL.md": orderDesk,
        "skills/order-desk/order.json": order,
      };
      await fc.assert(
        fc.asyncProperty(changes, async (changed) => {
          const result = await compileUntyped({ ...base, ...changed });
          expect(brokenPromises(result, { ...base, ...changed })).toEqual([]);
        }),
        { numRuns: runs(count), seed },
      );
    },
    runs(300_000),
  );
});

const front = (text: string) => ({
  "skills/desk/SKILL.md": `---\nname: desk\ndescription: Desk.\n${text}\n---\n`,
});
const json = (text: string) => ({ ...front(""), "skills/desk/metadata.json": text });
const parameters = (schema: string) =>
  json(`{ "tools": { "ask": { "description": "Ask.", "parameters": ${schema} } } }`);
const deep = 100_000;
const large = runs(10_000_000);

describe("outsize or endless input", () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["deep flow lists", front(`tools: ${"[".repeat(deep)}`), ["parse/too-deep"]],
    ["deep flow mappings", front(`tools: ${"{a: ".repeat(deep)}`), ["parse/too-deep"]],
    ["deep block lists", front(`tools:\n  ${"- ".repeat(5000)}x`), ["parse/too-deep"]],
    ["deep JSON", json("[".repeat(deep)), ["parse/invalid-json"]],
    [
      "a deep schema",
      parameters(`${'{"not":'.repeat(deep)}{}${"}".repeat(deep)}`),
      ["parse/too-deep"],
    ],
    [
      "a billion laughs",
      front(
        [
          "a: &a0 [x, x]",
          ...Array.from({ length: 40 }, (_, i) => `b${i}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`),
        ].join("\n"),
      ),
      ["parse/too-large"],
    ],
    ["an anchor inside itself", front("tools: &a { ask: *a }"), ["parse/recursive-alias"]],
    ["megabytes of one line", front(`note: ${"x".repeat(large)}`), []],
    [
      "megabytes of Markdown",
      {
        "skills/desk/SKILL.md": `---\nname: desk\ndescription: Desk.\n---\n${"word ".repeat(large / 5)}`,
      },
      [],
    ],
    [
      "more keys than anybody needs",
      front(Array.from({ length: 200_000 }, (_, i) => `key-number-${i}: ${i}`).join("\n")),
      ["parse/too-large"],
    ],
    [
      "megabytes of one description",
      parameters(`{ "type": "object", "description": "${"x".repeat(large)}" }`),
      [],
    ],
    ["a reference to itself", parameters('{ "$ref": "#" }'), ["schema/cyclic-ref"]],
    [
      "references in a ring",
      parameters(
        '{ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } }',
      ),
      ["schema/cyclic-ref"],
    ],
    [
      "files that refer to each other",
      {
        ...parameters('{ "$ref": "./a.json" }'),
        "skills/desk/a.json": '{ "$ref": "./b.json" }',
        "skills/desk/b.json": '{ "$ref": "./a.json" }',
      },
      ["schema/cyclic-ref"],
    ],
    [
      "a schema that doubles at every level",
      parameters(
        `{ "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": { ${Array.from({ length: 40 }, (_, i) => `"d${i}": { "allOf": [{ "$ref": "#/$defs/d${i + 1}" }, { "anyOf": [{ "$ref": "#/$defs/d${i + 1}" }, { "$ref": "#/$defs/d${i + 1}" }] }] }`).join(", ")}, "d40": { "type": "object" } } }`,
      ),
      ["schema/too-large"],
    ],
    [
      "100 tools",
      json(
        JSON.stringify({
          tools: Object.fromEntries(
            Array.from({ length: 100 }, (_, i) => [
              `tool-${i}`,
              { description: "Ask.", a: "string" },
            ]),
          ),
        }),
      ),
      [],
    ],
    ["control characters", front('note: "\u0001"\nother: \u0007'), ["parse/control-character"]],
  ])(
    "ends with the right errors or none: %s",
    async (_, files, codes) => {
      expect(await errorsOf(files)).toEqual(codes);
    },
    60_000,
  );
});
