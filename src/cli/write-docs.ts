import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { renderTypesPage } from "../bindings/sql/types/types-page.js";
import { createRegistry } from "../bindings/registry.js";
import { renderToolErrorReference, renderToolErrors } from "./commands/docs-errors.js";
import { schemaTexts } from "./editor/project-schemas.js";
import { schemaFolder } from "./editor/schema-files.js";
import { referenceFolder, referencePages } from "./reference-pages.js";
import { toolErrors } from "./tool-errors.js";

const folder = fileURLToPath(new URL("../../docs/", import.meta.url));

rmSync(`${folder}${referenceFolder}`, { recursive: true, force: true }); // a page that is gone leaves no file behind
for (const { path, text } of await referencePages()) {
  mkdirSync(dirname(`${folder}${path}`), { recursive: true });
  writeFileSync(`${folder}${path}`, text);
}
writeFileSync(`${folder}runtime/errors.md`, renderToolErrors(toolErrors));
writeFileSync(`${folder}runtime/error-reference.md`, renderToolErrorReference(toolErrors));

await writeFormatted("sql/types.md", renderTypesPage());

const root = fileURLToPath(new URL("../../", import.meta.url));
mkdirSync(`${root}${schemaFolder}`, { recursive: true });
for (const [path, text] of Object.entries(schemaTexts(createRegistry())))
  writeFileSync(`${root}${path}`, text);

/** Writes a page with tables laid out like prettier does. */
async function writeFormatted(name: string, text: string): Promise<void> {
  const filepath = `${folder}${name}`;
  writeFileSync(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }));
}
