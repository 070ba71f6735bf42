import * as fc from "fast-check";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { ident, printCode } from "../../src/core/code.js";
import type { JsonValue } from "../../src/core/json.js";
import { publishedSchema } from "../../src/schema/as-published.js";
import { defaultsOf } from "../../src/schema/defaults.js";
import { emitTypes } from "../../src/schema/emit-types.js";
import { emitValidators } from "../../src/schema/emit-validators.js";
import { lookUp } from "../../src/schema/look-up.js";
import { maskedPaths } from "../../src/schema/masked-paths.js";
import { object, scalar, schemaOf, value } from "./arbitrary-schema.js";
import { read } from "./read.js";
import { runs } from "../support/runs.js";
import { unicodeText } from "../support/unicode-text.js";

const seed = Number(process.env["SKILLC_SEED"] ?? 7);

const keywords = [
  "type enum const properties items prefixItems additionalProperties patternProperties required allOf anyOf oneOf not if then else",
  "$ref $defs definitions $id $anchor $schema $dynamicRef $dynamicAnchor dependencies dependentSchemas dependentRequired default format pattern",
  "unevaluatedProperties unevaluatedItems contains minItems maxItems minimum multipleOf title description writeOnly x-sensitive tsType nullable",
].flatMap((line) => line.split(" "));

/** Values that look like schemas and mostly aren't. */
const nearly = fc.letrec<{ any: JsonValue; map: JsonValue }>((tie) => ({
  any: fc.oneof(
    { depthSize: "medium" },
    { weight: 2, arbitrary: scalar },
    fc.constantFrom<JsonValue>(
      "object",
      "array",
      "string",
      "#",
      "#/$defs/a",
      "#a",
      "./a.json",
      "https://x/y",
      "[",
      "^(a+)+$",
      -1,
      1e21,
      [],
      {},
      ["a", "b"],
      true,
    ),
    unicodeText({ maxLength: 4 }),
    fc.array(tie("any"), { maxLength: 3 }),
    { weight: 4, arbitrary: tie("map") },
  ),
  map: fc
    .array(
      fc.tuple(
        fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...keywords) },
          fc.constantFrom("a", "__proto__", "toString", ""),
        ),
        tie("any"),
      ),
      { maxLength: 5 },
    )
    .map(object),
})).any;

async function emitEverything(schema: JsonValue): Promise<string | undefined> {
  const { model } = read(schema, { "./a.json": { type: "string" } });
  if (model === undefined) return undefined;
  const texts: string[] = [];
  for (const form of ["input", "filled", "stated"] as const) {
    texts.push(printCode((await emitTypes({ schema: model, name: "Root", form })).declarations));
    texts.push(
      printCode(
        emitValidators([{ exportName: "validate", schema: model, form, type: ident("Root") }]),
      ),
    );
    lookUp(model, ["a", 0, "__proto__"], form);
  }
  defaultsOf(model);
  maskedPaths(model);
  publishedSchema(model, { id: "urn:x" });
  return texts.join("\n");
}

function syntaxFaults(text: string): readonly string[] {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
  return diagnostics.map((each) => ts.flattenDiagnosticMessageText(each.messageText, "\n"));
}

test.each([
  ["anything that looks like a schema", nearly, 800],
  ["any JSON", value, 150],
  [
    "any JSON at all",
    fc.jsonValue().map((each): JsonValue => JSON.parse(JSON.stringify(each)) as JsonValue),
    300,
  ],
  ["schemas", schemaOf("2020-12"), 50],
] as const)(
  "%s is refused, or becomes code that parses",
  async (_, schemas, count) => {
    let readable = 0;
    await fc.assert(
      fc.asyncProperty(schemas, async (schema) => {
        const text = await emitEverything(schema);
        if (text === undefined) return;
        readable += 1;
        expect(syntaxFaults(text)).toEqual([]);
      }),
      { numRuns: runs(count), seed },
    );
    expect(readable).toBeGreaterThan(0);
  },
  runs(300_000),
);
