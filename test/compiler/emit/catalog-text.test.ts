import { describe, expect, test } from "vitest";
import { missingModules, readCatalogModules } from "../../../src/compiler/emit/catalog-text.js";
import { catalogIn } from "../../support/catalog.js";
import { compileFiles } from "../../support/compile.js";

const odd = 'it says "tools": [_get] and `["__proto__"]: 1`\\n\u2028\u202e\ud83d\ude00 };';

const files = {
  "skills/desk/SKILL.md": `---
name: desk
description: ${JSON.stringify(odd)}
tools:
  get:
    description: ${JSON.stringify(odd)}
    parameters: { type: object, properties: { __proto__: { type: string, default: ${JSON.stringify(odd)} }, tools: { type: array } } }
    unused: [__proto__, tools]
    binding: { type: http, method: GET, url: "https://a.example/" }
  list-all:
    description: B.
    binding: { type: http, method: GET, url: "https://a.example/b" }
prerequisites: { env: [${Array.from({ length: 30 }, (_, at) => `NAME_${at}`).join(", ")}] }
---
${odd}
`,
  "skills/house/SKILL.md": "---\nname: house\ndescription: Rules.\n---\nBe kind.\n",
};

async function texts(style = {}): Promise<ReadonlyMap<string, string>> {
  const { diagnostics, files: made } = await compileFiles(files, { style });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return new Map(made.map(({ path, text }) => [path, text]));
}

function read(modules: ReadonlyMap<string, string>) {
  return readCatalogModules("catalog.ts", modules);
}

describe("a catalog", () => {
  test("equals its modules as an importer sees them after reading it back", async () => {
    const made = await texts();
    const onlyCatalog = new Map([["catalog.ts", made.get("catalog.ts") ?? ""]]);
    expect(missingModules("catalog.ts", onlyCatalog)).toEqual(["desk/catalog.ts"]);
    const [desk, house] = read(made)?.skills ?? [];
    expect(desk).toMatchObject({ name: "desk", description: odd, body: `${odd}\n` });
    expect(desk?.tools.map(({ id }) => id)).toEqual(["desk/get", "desk/list-all"]);
    const schema = JSON.stringify(desk?.tools[0]?.["input_schema"]);
    expect(JSON.parse(schema).properties).toHaveProperty(["__proto__"]);
    expect(house).toMatchObject({ name: "house", body: "Be kind.\n", tools: [] });
  });

  test.each([{ semi: false }, { endOfLine: "crlf" }, { singleQuote: true, tabWidth: 8 }])(
    "stays the same after reading it back in any style of the project: %j",
    async (style) => {
      expect(read(await texts(style))).toEqual(read(await texts()));
    },
  );

  test.each([
    ["is missing", undefined],
    ["was cut off", "const _get: CatalogTool<'desk/get'> = {\n  \"id\": \n"],
    ["is another's", "export const desk = {};\n"],
  ])("can't be read back if a module %s", async (_, text) => {
    const made = new Map(await texts());
    if (text === undefined) made.delete("desk/catalog.ts");
    else made.set("desk/catalog.ts", text);
    expect(read(made)).toBeUndefined();
  });
});

test("a project without tools has a catalog", async () => {
  const { files: made } = await compileFiles({
    "skills/house/SKILL.md": files["skills/house/SKILL.md"],
  });
  expect(catalogIn(made).skills.map(({ name }) => name)).toEqual(["house"]);
});
