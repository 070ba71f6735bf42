/** Where a call needs no parameters at all, callers may leave them out. */
import { expect, test } from "vitest";
import { compileFiles } from "../../support/compile.js";

const text = { type: "string" };
const optional = { a: { ...text, default: "x" }, b: text };

const mayBeLeftOut: Readonly<Record<string, object>> = {
  none: {},
  "only-optional": { properties: { b: text } },
  "with-defaults": { required: ["a"], properties: optional },
  "any-names": { patternProperties: { "^x": text } },
};

const areNeeded: Readonly<Record<string, object>> = {
  "one-required": { required: ["b"], properties: optional },
  "undeclared-required": { required: ["c"] },
  "undeclared-beside-others": { required: ["c"], properties: optional },
  "required-of-any-name": { required: ["c"], additionalProperties: text },
  "at-least-one": { minProperties: 1, properties: optional },
  "one-of-two": { anyOf: [{ required: ["a"] }, { required: ["c"] }] },
  "by-reference": { $ref: "#/$defs/p", $defs: { p: { required: ["c"] } } },
};

test("parameters may be left out in a call where every one is optional, and nowhere else", async () => {
  const schemas = Object.entries({ ...mayBeLeftOut, ...areNeeded });
  const tools = Object.fromEntries(
    schemas.map(([name, schema]) => [
      name,
      { description: "Ask.", parameters: { type: "object", ...schema } },
    ]),
  );
  const { diagnostics, files } = await compileFiles({
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Desk.\n---\n",
    "skills/desk/metadata.json": JSON.stringify({ tools }),
  });
  // One of the schemas requires what it doesn't declare, on purpose.
  expect(diagnostics.map(({ code, tool }) => [code, tool])).toEqual([
    ["schema/undeclared-required", "undeclared-beside-others"],
  ]);
  const leftOut = files
    .filter((file) => /\(\s*params: \w+ = \{\},/.test(file.text))
    .map((file) => file.path);
  expect(leftOut.toSorted()).toEqual(
    Object.keys(mayBeLeftOut)
      .map((name) => `desk/${name}.ts`)
      .toSorted(),
  );
});
