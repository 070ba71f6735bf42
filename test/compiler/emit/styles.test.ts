/** Whatever the user's prettier settings are, generated files are what prettier itself would make of them, and do the same. */
import { check } from "prettier";
import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { readChecksums } from "../../../src/core/checksums.js";
import { provenanceOf } from "../../../src/core/provenance.js";
import type { Style } from "../../../src/core/style.js";
import * as runtime from "../../../src/runtime/validation/ajv.js";
import type { Validator } from "../../../src/runtime/validation/validation.js";
import { compileFiles } from "../../support/compile.js";

const files = {
  "skills/desk/SKILL.md": `---
name: desk
description: Takes orders; "quotes" them, and it's \`quick\`.
---
Ask first.
`,
  "skills/desk/metadata.json": JSON.stringify({
    tools_schema: {
      "put-order": {
        description: 'Put an order; it\'s "final".',
        parameters: {
          type: "object",
          additionalProperties: false,
          required: ["id", "lines"],
          properties: {
            id: { type: "string", pattern: "^ord;$", minLength: 3 },
            kind: { enum: ["a;\n", { "b;": [1, 2] }] },
            due: { type: "string", format: "date-time", default: "2026-01-01T00:00:00Z" },
            lines: { type: "array", uniqueItems: true, items: { $ref: "#/$defs/line" } },
          },
          $defs: {
            line: { type: "object", required: ["sku"], properties: { sku: {}, "a-b": {} } },
          },
        },
        binding: { type: "http", method: "PUT", url: "https://api.example.com/orders/{id}" },
      },
      greet: { description: "Greet.", parameters: { type: "object" } },
    },
  }),
};

const fits = { id: "ord;", kind: { "b;": [1, 2] }, lines: [{ sku: 1 }, { sku: 2 }] };
const misfits = { id: "ord;", kind: "c", lines: [{ sku: 1 }, { sku: 1 }] };

/** The validator that a module exports, from its own text: types taken off by TypeScript, the import from the real runtime module. */
function validatorIn(text: string): Validator {
  const script = ts.transpileModule(text.replace("// @ts-nocheck", "//"), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
    reportDiagnostics: true,
  });
  expect(script.diagnostics).toEqual([]);
  const exports: { validateParams?: Validator } = {};
  new Function("exports", "require", script.outputText)(exports, () => runtime);
  if (exports.validateParams === undefined) throw new Error("no validateParams");
  return exports.validateParams;
}

const styles: readonly Style[] = [
  {},
  { semi: false },
  { semi: false, singleQuote: true, trailingComma: "none", arrowParens: "avoid", tabWidth: 4 },
  { useTabs: true, tabWidth: 8, printWidth: 60, quoteProps: "consistent", bracketSpacing: false },
  { endOfLine: "crlf", semi: false },
  { endOfLine: "crlf", useTabs: true },
  { endOfLine: "auto", objectWrap: "collapse", experimentalTernaries: true },
  { experimentalOperatorPosition: "start", quoteProps: "preserve", printWidth: 200 },
];

describe.each(styles.map((style) => [JSON.stringify(style), style] as const))("%s", (_, style) => {
  test("prettier has nothing to change, and nothing reads as edited", async () => {
    const compilation = await compileFiles(files, { style });
    expect(compilation.diagnostics).toEqual([]);
    const known = readChecksums(new Map(compilation.files.map(({ path, text }) => [path, text])));
    expect(known.size).toBe(compilation.files.length - 2);
    for (const file of compilation.files) {
      const isFormatted = await check(file.text, { ...style, filepath: file.path });
      expect({ path: file.path, isFormatted }).toEqual({ path: file.path, isFormatted: true });
      expect({ path: file.path, is: provenanceOf(file, known) }).toEqual({
        path: file.path,
        is: "ours",
      });
    }
    const text = compilation.files.find((file) => file.path === "desk/put-order.validate.ts")?.text;
    const validate = validatorIn(text ?? "");
    expect(validate(fits)).toBe(true);
    expect(validate(misfits)).toBe(false);
    expect(validate.errors?.map((error) => error.keyword).toSorted()).toEqual([
      "enum",
      "uniqueItems",
    ]);
  });
});
