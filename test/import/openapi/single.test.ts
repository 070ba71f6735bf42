/** `--single`: one skill without files for its schemas. */
import { expect, test } from "vitest";
import { makeProject, put, skillc } from "../../cli/support/command-line.js";
import { importIn, importText, openApi } from "./support.js";

const json = (name: string) => ({
  content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
});

const schemas = {
  Pet: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
  Node: {
    type: "object",
    properties: {
      pet: { $ref: "#/components/schemas/Pet" },
      children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
    },
  },
  Unused: { type: "object" },
};

const text = (summary = "Add a tree") =>
  openApi(
    {
      "/trees": {
        post: {
          operationId: "addTree",
          tags: ["trees"],
          summary,
          requestBody: { required: true, ...json("Node") },
          responses: {
            200: { description: "ok", ...json("Node") },
            404: { description: "no", ...json("Pet") },
          },
        },
      },
      "/pets": {
        get: {
          operationId: "getPet",
          tags: ["pets"],
          responses: { 200: { description: "ok", ...json("Pet") } },
        },
      },
    },
    { components: { schemas }, servers: [{ url: "https://api.example.com" }] },
  );

test("--single writes one skill with all operations, and schemas beside each tool", async () => {
  const { code, files, root } = await importText(text(), ["api.json", "--single"]);
  expect(code).toBe(0);
  expect(Object.keys(files)).toEqual(["skills/shop/SKILL.md", "skills/shop/metadata.yaml"]);
  const metadata = files["skills/shop/metadata.yaml"] ?? "";
  expect(metadata).toContain('$ref: "#/$defs/Node"');
  expect(metadata).not.toContain(".json");
  expect(metadata).not.toContain("Unused");
  const ran = await skillc(root, ["check", "--strict"]);
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
});

test("--single stays the layout when importing again, and keeps edits", async () => {
  const { files, root } = await importText(text(), ["api.json", "--single", "--skill", "zoo"]);
  const metadata = "skills/zoo/metadata.yaml";
  put(root, metadata, `${files[metadata]}# mine\n`);
  put(root, "api.json", text("Add one tree"));
  const again = await importIn(root, ["api.json"]);
  expect(Object.keys(again.files)).toEqual(["skills/zoo/SKILL.md", metadata]);
  expect(again.files[metadata]).toContain("Add one tree");
  expect(again.files[metadata]).toContain("# mine");
});

test.each(["--single", "--skill=shop"])("--prefix cannot be combined with %s", async (option) => {
  const argv = ["import", "openapi", "api.json", "--prefix", "crm", option];
  const { code, stderr } = await skillc(makeProject(), argv);
  expect(code).toBe(2);
  expect(stderr).toContain(`\`--prefix\` cannot be combined with \`${option.split("=")[0]}\``);
});

test("--single leaves out an operation whose schemas are too large together, and says so", async () => {
  const listed = (letter: string) => ({
    enum: Array.from({ length: 12_000 }, (_, n) => `${letter}${n}`),
  });
  const of = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const both = { type: "object", properties: { one: of("One"), two: of("Two") } };
  const large = openApi(
    {
      "/words": {
        get: {
          operationId: "getWords",
          responses: { 200: { description: "ok", ...json("Both") } },
        },
        post: { operationId: "addWord", responses: { 204: { description: "ok" } } },
      },
    },
    { components: { schemas: { One: listed("a"), Two: listed("b"), Both: both } } },
  );
  const { told } = await importText(large, ["api.json", "--single"]);
  expect(told).toMatchObject([
    {
      code: "import/operation-left-out",
      help: "omit `--single`: each large schema then becomes a file of its own",
    },
  ]);
  expect((await importText(large)).told).toEqual([]);
});
