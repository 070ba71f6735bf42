/** The schemas for editors accept every file that compiles, and reject every mistake that a schema can see. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { blocksOf, pagesBelow, readPage } from "../../support/page-blocks.js";
import { binding as graphql } from "../../../examples/graphql/binding/index.js";
import { createRegistry } from "../../../src/bindings/registry.js";
import { allDiagnosticEntries } from "../../../src/cli/diagnostics/all-diagnostic-entries.js";
import { editorSchemas } from "../../../src/cli/editor/editor-schemas.js";
import { schemaTexts } from "../../../src/cli/editor/project-schemas.js";
import { schemaFiles } from "../../../src/cli/editor/schema-files.js";
import { isJsonObject, type JsonValue } from "../../../src/core/json.js";
import { keywordOf, keywords } from "../../../src/schema/keywords.js";
import { beyondSchemas } from "./beyond-schemas.js";
import { editorCheck } from "./schema-check.js";

const root = fileURLToPath(new URL("../../..", import.meta.url)).replaceAll("\\", "/");
const faultsIn = editorCheck(createRegistry());

/** Text of the files below a folder that matter to editors, and of golden diagnostics. */
function filesBelow(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /\.(?:md|ya?ml|json|txt)$/.test(each.name))
    .map((each) => `${each.parentPath.replaceAll("\\", "/")}/${each.name}`)
    .filter((path) => !path.includes("/node_modules/"));
  return Object.fromEntries(
    files.map((path) => [
      path.slice(`${root}/${folder}`.length).replace(/^\//, ""),
      readFileSync(path, "utf8"),
    ]),
  );
}

const entries = Object.entries(allDiagnosticEntries());
/** Types of a project's own are unknown to the schemas of the package, which know nothing of the project. */
const ofOurKinds = entries.filter(
  ([, { fixed }]) => !Object.values(fixed).some((text) => text.includes("bindings:\n")),
);

describe("a file that compiles", () => {
  test("passes in this project: settings and skills", () => {
    const config = { "skillc.yaml": readFileSync(`${root}/skillc.yaml`, "utf8") };
    const skills = filesBelow("skills");
    expect(Object.keys(skills).filter((path) => path.endsWith("SKILL.md")).length).toBeGreaterThan(
      3,
    );
    expect(faultsIn({ ...config, ...skills })).toEqual([]);
  });

  test("passes with a binding kind of the project, by the schemas that know the kind", () => {
    const files = filesBelow("examples/graphql");
    expect(editorCheck(createRegistry([graphql]))(files)).toEqual([]);
    expect(faultsIn(files)).toContainEqual(expect.stringContaining("binding/type"));
  });

  test("passes in every example of the pages about skills", () => {
    const blocks = ["docs/skills", "docs/http", "docs/sql"]
      .flatMap(pagesBelow)
      .flatMap((page) => blocksOf(readPage(page)));
    const examples = blocks.filter(({ path }) => path !== undefined);
    expect(examples.length).toBeGreaterThan(10);
    for (const { path = "", text } of examples) expect(faultsIn({ [path]: text })).toEqual([]);
  });

  test.each(ofOurKinds)("passes after the fix of %s", (_, { fixed }) => {
    expect(faultsIn(fixed)).toEqual([]);
  });

  test.each(ofOurKinds.filter(([, { severity }]) => severity !== "error"))(
    "passes with %s, which is no error",
    (_, { example }) => {
      expect(faultsIn(example)).toEqual([]);
    },
  );
});

describe("an error that a schema can see", () => {
  test("excludes only codes that exist", () => {
    const codes = new Set(entries.map(([code]) => code));
    expect([...beyondSchemas.keys()].filter((code) => !codes.has(code))).toEqual([]);
  });

  test.each(ofOurKinds.filter(([, { severity }]) => severity === "error"))(
    "gets rejected: %s",
    (code, { example }) => {
      const isRefused = faultsIn(example).length > 0;
      expect(isRefused ? "refused" : beyondSchemas.get(code)).toBe(
        beyondSchemas.get(code) ?? "refused",
      );
    },
  );
});

describe.each(readdirSync(`${root}/test/cases`))("the golden case %s", (name) => {
  const { "diagnostics.txt": diagnostics = "", ...files } = filesBelow(`test/cases/${name}`);
  // What is wrong in files that a skill refers to is not looked at by these schemas.
  const errors = diagnostics.matchAll(
    /^\S*(?:SKILL\.md|metadata\.\w+|skillc\.yaml):\S+ error (\S+):/gm,
  );
  const seen = [...errors].map(([, code = ""]) => code).filter((code) => !beyondSchemas.has(code));

  test("gets rejected exactly if it has a mistake that a schema can see", () => {
    expect(faultsIn(files).length > 0).toBe(seen.length > 0);
  });
});

describe("the schemas themselves", () => {
  const schemas = editorSchemas(createRegistry());

  test("describe every key, so that an editor has something to show", () => {
    const silent = (value: JsonValue, path: string): readonly string[] => {
      if (Array.isArray(value))
        return value.flatMap((each: JsonValue, index) => silent(each, `${path}/${index}`));
      if (!isJsonObject(value)) return [];
      const { properties } = value;
      const own = isJsonObject(properties) ? Object.entries(properties) : [];
      return [
        ...own
          .filter(([, each]) => isJsonObject(each) && !isDescribed(each))
          .map(([key]) => `${path}/${key}`),
        ...Object.entries(value).flatMap(([key, each]) => silent(each, `${path}/${key}`)),
      ];
    };
    /** Or says more of a key that is described elsewhere, as conditions do. */
    const isDescribed = (schema: JsonValue): boolean =>
      isJsonObject(schema) &&
      ("description" in schema || ["$ref", "anyOf", "const", "enum"].some((key) => key in schema));
    expect(Object.entries(schemas).flatMap(([name, schema]) => silent(schema, name))).toEqual([]);
  });

  test("know every keyword of JSON Schema that the compiler reads", () => {
    const names = [...keywords].map(([name]) => name);
    expect(names.filter((name) => keywordOf(name) === undefined)).toEqual([]);
    const definitions = schemas[schemaFiles.metadata]?.["definitions"];
    const authored = isJsonObject(definitions) ? definitions["json-schema"] : undefined;
    const properties = isJsonObject(authored) ? authored["properties"] : undefined;
    expect(Object.keys(isJsonObject(properties) ? properties : {})).toEqual(names);
  });

  test("equal the files of the package", () => {
    const files = schemaTexts(createRegistry());
    const committed = Object.keys(files).map((path) => [
      path,
      readFileSync(`${root}/${path}`, "utf8"),
    ]);
    expect(Object.fromEntries(committed)).toEqual(files);
  });

  test.each(["accept: anything", "accept: {}", "accept: [a]", "accept: { mail: me }"])(
    "take a publisher's own key `%s`, which the compiler leaves alone",
    (line) => {
      const front = `---\nname: a\ndescription: A.\n${line}\n---\n`;
      const files = { "skills/a/SKILL.md": front, "skills/b/metadata.yaml": `${line}\n` };
      expect(faultsIn(files)).toEqual([]);
    },
  );

  test("describe a reason for each code under `accept`", () => {
    const accept = (code: string) => ({
      "skills/a/metadata.yaml": `accept: { ${code}: because }\n`,
    });
    expect(faultsIn(accept("credential/placeholder"))).toEqual([]);
    expect(faultsIn(accept("credential/placeholdr"))).not.toEqual([]);
  });
});

describe("mistakes of the short form", () => {
  const tool = (lines: string) => ({
    "skills/a/metadata.yaml": `tools:\n  get:\n    description: Gets.\n${lines.replace(/^/gm, "    ")}\n`,
  });

  test.each([
    ["a type's name", "id: integer"],
    ["an optional one", "id?: { type: string }"],
    ["an enum alone", "state: { enum: [open, closed] }"],
    ["a parameter named accept", "accept: string"],
    ["an acceptance", "accept: { credential/placeholder: a sandbox }"],
    ["a full form", "parameters: { type: object, properties: { id: { type: string } } }"],
  ])("do not include %s", (_, lines) => {
    expect(faultsIn(tool(lines))).toEqual([]);
  });

  test.each([
    ["a misspelt type", "id: strnig"],
    ["a misspelt type in a schema", "id: { type: strnig }"],
    ["a schema that says no type", "id: { minLength: 1 }"],
    ["a flag", "id: { type: string, required: true }"],
    ["a stray key beside parameters", "parameters: { type: object }\nid: string"],
    ["a misspelt key", "parametrs: { properties: {} }"],
    ["a flag in quotes", "requires_confirmation: 'true'"],
  ])("include %s", (_, lines) => {
    expect(faultsIn(tool(lines))).not.toEqual([]);
  });
});
