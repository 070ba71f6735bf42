/** Catalogs, as generated modules have them: read from an output, and written for tests that need no more of one. */
import { jsonLiteral, printCode } from "../../src/core/code.js";
import type { JsonObject } from "../../src/core/json.js";
import type { OutputFile } from "../../src/core/output.js";
import {
  readCatalogModules,
  skillObject,
  type WrittenCatalog,
} from "../../src/compiler/emit/catalog-text.js";

/** The catalog of an output. */
export function catalogIn(files: Iterable<OutputFile>): WrittenCatalog {
  const texts = new Map(Array.from(files, ({ path, text }) => [path, text]));
  const catalog = readCatalogModules(texts.get("catalog.ts") ?? "", texts);
  if (catalog === undefined) throw new Error("the catalog doesn't read back");
  return catalog;
}

/** What a test says of a skill: names are plain words. */
export interface GivenSkill extends JsonObject {
  readonly name: string;
  readonly tools: readonly JsonObject[];
}

/** The modules of a catalog of these skills, and nothing else, by path below the output folder. */
export function catalogFiles(skills: readonly GivenSkill[]): Readonly<Record<string, string>> {
  const modules = skills.map(({ tools, ...about }) => {
    const names = tools.map((_, index) => `_tool${index}`);
    const entries = tools.map((tool, index) => {
      const object = printCode(jsonLiteral({ ...padding, ...tool }));
      return `const ${names[index]}: CatalogTool<"x"> = ${object};`;
    });
    const skill = `export const ${about.name}: CatalogSkill<"x", "y"> = ${printCode(skillObject(about, names))};`;
    return [`${about.name}/catalog.ts`, `${[...entries, skill].join("\n")}\n`];
  });
  const imports = skills.map(({ name }) => `import { ${name} } from "./${name}/catalog.js";\n`);
  const names = skills.map(({ name }) => name).join(", ");
  const joined = `${imports.join("")}export const catalog: Catalog = { skills: [${names}] };\n`;
  return { "catalog.ts": joined, ...Object.fromEntries(modules) };
}

/** An entry of a tool is never so short that it stands on one line. */
const padding = {
  description: "A tool, described at such length that its entry takes several lines.".repeat(2),
};
