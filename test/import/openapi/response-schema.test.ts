/** The schema of an imported body: the compiler follows the paths that people add. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileFiles, linesOf } from "../../support/compile.js";
import { catalogIn } from "../../support/catalog.js";
import { put } from "../../cli/support/command-line.js";
import { importIn, importText, openApi, putBase } from "./support.js";

const pets = { type: "array", items: { $ref: "#/components/schemas/Pet" } };
const document = openApi(
  {
    "/pets": {
      get: {
        operationId: "listPets",
        tags: ["pets"],
        responses: {
          200: {
            description: "ok",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Page" } } },
          },
        },
      },
    },
  },
  {
    components: {
      schemas: {
        Page: { type: "object", required: ["data"], properties: { data: pets } },
        Pet: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      },
    },
  },
);
const metadata = "skills/pets/metadata.yaml";
const written = "      response_schema: { $ref: ../schemas/shop/Page.json }\n";
const returns = "    returns: { $ref: ../schemas/shop/Page.json }\n";

/** A generated file of the compiled skills. */
async function generated(files: Readonly<Record<string, string>>, path: string) {
  const compilation = await compileFiles(files);
  expect(linesOf(compilation, files)).toEqual([]);
  return compilation.files.find((each) => each.path === path)?.text ?? "";
}

/** The skills of the document, after somebody has added a path. */
async function withPath(path: string) {
  const { files } = await importText(document);
  const text = files[metadata] ?? "";
  expect(text).toContain(written);
  return {
    ...files,
    [metadata]: text.replace(written, `${written}      response_mapping: { path: ${path} }\n`),
  };
}

describe("the schema of an imported body", () => {
  test("reports a path that leads nowhere, at the path", async () => {
    const files = await withPath("$.dtaa");
    expect(linesOf(await compileFiles(files), files)).toEqual([
      expect.stringMatching(
        /metadata\.yaml:12:35 .*http\/unknown-response-field.*the body has no field `dtaa`/,
      ),
    ]);
  });

  test("gives the data the type at a path, in the tool and in the catalog", async () => {
    const files = await withPath("$.data");
    expect(await generated(files, "pets/list-pets.ts")).toContain(
      'export type ListPetsData = ListPetsResponse["data"];',
    );
    const { skills } = catalogIn((await compileFiles(files)).files);
    expect(skills[0]?.tools[0]?.["output_schema"]).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "skillc:/pets/list-pets/output",
      type: "array",
      items: { $ref: "#/$defs/Pet" },
      $defs: {
        Pet: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string" } },
        },
      },
    });
  });

  test("lets the call path check the data if it is the whole body", async () => {
    const { files } = await importText(document);
    const tool = await generated(files, "pets/list-pets.ts");
    expect(tool).toContain("  returns: validatePage,\n");
    expect(tool).not.toContain("response: ");
  });
});

describe("an import over skills whose body was in `returns`", () => {
  const earlier = (text: string) =>
    text.replace(written, "").replace("    binding:\n", `${returns}    binding:\n`);

  async function over(edit: (text: string) => string) {
    const { files, root } = await importText(document);
    const text = earlier(files[metadata] ?? "");
    put(root, metadata, edit(text));
    putBase(root, metadata, text);
    const { report, told } = await importIn(root, ["api.json"]);
    return { text: readFileSync(join(root, metadata), "utf8"), report, told };
  }

  test("moves the schema, keeps edits, and reports no change of the tool's result", async () => {
    const { report, text, told } = await over((each) =>
      each.replace("  list-pets:\n", "  # Ask Ada first.\n  list-pets:\n    risk_level: high\n"),
    );
    expect(told).toEqual([]);
    expect(text).toContain("  # Ask Ada first.\n  list-pets:\n    risk_level: high\n");
    expect([text.includes(written), text.includes("returns:")]).toEqual([true, false]);
    expect(report.changes?.verdict).toBe("patch");
  });

  test("keeps an edited `returns` beside the schema", async () => {
    const own = "    returns: { type: object, properties: { data: { type: array } } }\n";
    const { text, told } = await over((each) => each.replace(returns, own));
    expect(told.map(({ message }) => message)).toEqual([
      "the import no longer writes `returns`, but you changed it: the import keeps it",
    ]);
    expect([text.includes(own), text.includes(written)]).toEqual([true, true]);
  });
});
