import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonTree } from "../../../src/compiler/parse/json-tree.js";
import { parseDocument } from "../../../src/compiler/parse/parse-yaml.js";
import { collectDiagnostics } from "../../../src/core/report.js";
import { runs } from "../../support/runs.js";

/** As files of JSON were read before there was a reader for them alone. */
function byYaml(text: string) {
  const { diagnostics, report } = collectDiagnostics();
  const flat = text.replace(/[\t\r\n]/g, " ");
  const start = flat.search(/[^ ]/);
  return {
    tree: parseDocument("a.json", { text: flat, start, end: flat.length }, report),
    diagnostics,
  };
}

const texts = fc
  .tuple(fc.jsonValue(), fc.constantFrom(undefined, 2, "\t"))
  .map(([value, space]) => JSON.stringify(value, undefined, space));

test("reads JSON as the YAML library does, with every character's place", () => {
  const others: string[] = [];
  fc.assert(
    fc.property(texts, (text) => {
      const tree = jsonTree("a.json", text, 0);
      // What there is something to say of is left to the library.
      if (tree !== undefined && !isDeepStrictEqual(tree, byYaml(text).tree)) others.push(text);
    }),
    { numRuns: runs(300) },
  );
  expect(others).toEqual([]);
});

test.each([
  '{"a": "x y", "b\\n\\u00e9": ["\\"", "\\\\", ""], "__proto__": -1.5e3, "": null}',
  ' \n{\t"a" :\r\n[ true , false ] }\n',
  '"\\ud83d\\ude00 text"',
  "[]",
  "{}",
])("reads %s with the same places", (text) => {
  expect(jsonTree("a.json", text, 0)).toEqual(byYaml(text).tree);
});

test.each(['{"a": 1, "a": 2}', "9007199254740993", "1e999", "[".repeat(101) + "]".repeat(101)])(
  "leaves %s to the full parser, which reports it",
  (text) => {
    expect(jsonTree("a.json", text, 0)).toBeUndefined();
  },
);
