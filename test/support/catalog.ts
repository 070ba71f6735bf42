/** Reads the catalog of an output, and writes catalogs for tests that need no other modules. */
import { jsonOfStatement, printCode } from "../../src/core/code.js";
import { isJsonObject, type JsonObject } from "../../src/core/json.js";
import type { OutputFile } from "../../src/core/output.js";
import {
  definitionsName,
  definitionsObject,
  readCatalogModules,
  skillObject,
  type WrittenCatalog,
} from "../../src/compiler/emit/catalog-text.js";

/** The catalog of an output. */
export function catalogIn(files: Iterable<OutputFile>): WrittenCatalog {
  const texts = new Map(Array.from(files, ({ path, text }) => [path, text]));
  const catalog = readCatalogModules("catalog.ts", texts);
  if (catalog === undefined) throw new Error("the catalog doesn't read back");
  return catalog;
}

/** A skill of a test's catalog. Its name must be an identifier. */
export interface GivenSkill extends JsonObject {
  readonly name: string;
  readonly tools: readonly JsonObject[];
}

/** Returns only the catalog modules of these skills, by path below the output folder. */
export function catalogFiles(skills: readonly GivenSkill[]): Readonly<Record<string, string>> {
  const modules = skills.map(({ tools, $defs, ...about }) => {
    const names = tools.map((_, index) => `_tool${index}`);
    const entries = tools.map((tool, index) => {
      const object = printCode(jsonOfStatement({ ...padding, ...tool }));
      return `const ${names[index]}: CatalogTool<"x"> = ${object};`;
    });
    const definitions = isJsonObject($defs)
      ? [`const $defs: object = ${printCode(definitionsObject($defs, () => undefined))};`]
      : [];
    const object = skillObject(about, names, definitions.length > 0 ? definitionsName : undefined);
    const skill = `export const ${about.name}: CatalogSkill<"x", "y"> = ${printCode(object)};`;
    return [`${about.name}/catalog.ts`, `${[...entries, ...definitions, skill].join("\n")}\n`];
  });
  const imports = skills.map(({ name }) => `import { ${name} } from "./${name}/catalog.js";\n`);
  const names = skills.map(({ name }) => name).join(", ");
  const joined = `${imports.join("")}export const catalog: Catalog = { skills: [${names}] };\n`;
  return { "catalog.ts": joined, ...Object.fromEntries(modules) };
}

/** Makes each tool's entry take several lines, as in generated catalogs. */
const padding = {
  description: "A tool, described at such length that its entry takes several lines.".repeat(2),
};
