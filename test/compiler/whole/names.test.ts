/** Names that an author chooses: of skills, tools, folders and files. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linesOf } from "../../support/compile.js";
import { compileUntyped } from "./compile-untyped.js";
import { shapeOf } from "./module-shape.js";
import { unicodeText } from "../../support/unicode-text.js";

const hostile = [
  "..",
  ".",
  "../../etc/passwd",
  "/etc/passwd",
  "C:\\x",
  "a/b",
  "a\\b",
  "con",
  "nul.txt",
  "index",
  "catalog",
  "handlers",
  "*/",
  "`${x}`",
  "\u2028x",
  '"',
  "'",
  "\\",
  "</script>",
  "__proto__",
  "constructor",
  "\r\n",
  "\0",
  "\ud800",
  "‮",
  "//",
  "@ts-ignore",
  "eval(1)",
  "class",
  "default",
  "await",
  "then",
  "a".repeat(300),
  "😀",
  "漢字",
  "ß",
  "ａ",
  "-",
  "_",
  "$",
  "1",
  "2fa",
  "toString",
  "hasOwnProperty",
  "Index",
  "CATALOG",
  "tool.validate",
  "tool",
  "arguments",
  "undefined",
  "Promise",
  "Object",
  "NaN",
];
const name = fc.oneof(
  { withCrossShrink: true },
  fc.constantFrom(...hostile),
  unicodeText({ maxLength: 8 }),
  fc.constantFrom("desk", "ask-again", "Ask2"),
  fc.string({ unit: fc.constantFrom(..."abcABC019-_"), minLength: 1, maxLength: 12 }),
  fc
    .array(fc.constantFrom(...hostile), { minLength: 2, maxLength: 3 })
    .map((parts) => parts.join("-")),
);

const ascii = (value: unknown) =>
  JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const tool = { description: "Ask.", question: "string" };

function project(skill: string, tools: readonly string[]): Record<string, string> {
  return {
    "skills/desk/SKILL.md": `---\n${ascii({ name: skill, description: "Desk." })}\n---\n`,
    "skills/desk/metadata.json": ascii({
      tools: Object.fromEntries(tools.map((each) => [each, tool])),
    }),
  };
}

describe("any names of a skill and its tools", () => {
  test("cause an error, or become plain paths below the output folder", async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        name,
        fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
        async (skill, tools) => {
          const { diagnostics, files } = await compileUntyped(project(skill, tools));
          const errors = diagnostics.filter((each) => each.severity === "error");
          expect(files.length === 0).toBe(errors.length > 0);
          if (files.length === 0) return;
          made += 1;
          const paths = files.map((file) => file.path);
          for (const path of paths)
            expect(path).toMatch(
              /^([A-Za-z0-9_-]+\/)?[A-Za-z0-9_-]+(\.tool)?(\.validate)?\.(ts|json)$/,
            );
          expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
          for (const { path, text } of files) if (path.endsWith(".ts")) shapeOf(path, text);
        },
      ),
      { numRuns: 70, seed: 2 },
    );
    expect(made).toBeGreaterThan(5);
  }, 60_000);

  test("cause an error with its reason if they are hostile", async () => {
    const refused = [
      "..",
      "a/b",
      "*/",
      "\u2028x",
      "\0",
      "\ud800",
      "class",
      "con",
      "then",
      "$",
      "-",
      "😀",
    ];
    for (const each of refused) {
      const asTool = await compileUntyped(project("desk", [each]));
      const codes = asTool.diagnostics.map(({ code }) => code).join();
      expect({ each, codes }).toEqual({
        each,
        codes: expect.stringMatching(/name\/(bad-characters|reserved)/),
      });
    }
  });
});

/** The project again with the skill in another folder. */
const inFolder = (folder: string) => ({
  [`skills/${folder}/SKILL.md`]: "---\nname: desk\ndescription: Desk.\n---\n",
  [`skills/${folder}/metadata.json`]: ascii({ tools: { ask: tool } }),
});

test("a folder's name stays text in a comment and in the catalog", async () => {
  const plain = await compileUntyped(inFolder("desk"));
  const folders = hostile.filter((each) => !/[/\\]|^\.+$/.test(each) && each.length < 250);
  for (const folder of folders) {
    const files = inFolder(folder);
    const result = await compileUntyped(files);
    expect(linesOf(result, files).filter((line) => line.includes(" error "))).toEqual([]);
    expect(result.files.map((file) => file.path)).toEqual(plain.files.map((file) => file.path));
    for (const [index, { path, text }] of result.files.entries()) {
      if (!path.endsWith(".ts")) continue;
      expect(text.split(/[\n\r\u2028\u2029]/)[1]).toBe("");
      const is = shapeOf(path, text);
      const wanted = shapeOf(path, plain.files[index]?.text ?? "");
      expect(is.nodes).toEqual(wanted.nodes);
      expect(is.orders).toEqual(wanted.orders);
    }
  }
}, 60_000);
