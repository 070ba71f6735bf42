import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { renderTypesPage } from "../bindings/sql/types/types-page.js";
import { createRegistry } from "../bindings/registry.js";
import { renderDiagnosticPages } from "./commands/docs.js";
import { renderCommands } from "./commands/docs-commands.js";
import { renderToolErrorReference, renderToolErrors } from "./commands/docs-errors.js";
import { allDiagnosticEntries } from "./diagnostics/all-diagnostic-entries.js";
import { schemaTexts } from "./editor/project-schemas.js";
import { schemaFolder } from "./editor/schema-files.js";
import { nowhere } from "./io.js";
import { createProgram } from "./program.js";
import { toolErrors } from "./tool-errors.js";

const folder = fileURLToPath(new URL("../../docs/", import.meta.url));

rmSync(`${folder}diagnostics`, { recursive: true, force: true }); // a family that is gone leaves no page behind
mkdirSync(`${folder}diagnostics`);
for (const { path, text } of renderDiagnosticPages(allDiagnosticEntries()))
  writeFileSync(`${folder}${path}`, text);
writeFileSync(`${folder}runtime/errors.md`, renderToolErrors(toolErrors));
writeFileSync(`${folder}runtime/error-reference.md`, renderToolErrorReference(toolErrors));

await writeFormatted("sql/types.md", renderTypesPage());
await writeFormatted("commands.md", renderCommands(createProgram(nowhere(), () => undefined)));

const root = fileURLToPath(new URL("../../", import.meta.url));
mkdirSync(`${root}${schemaFolder}`, { recursive: true });
for (const [path, text] of Object.entries(schemaTexts(createRegistry())))
  writeFileSync(`${root}${path}`, text);

/** With its tables laid out as prettier does. */
async function writeFormatted(name: string, text: string): Promise<void> {
  const filepath = `${folder}${name}`;
  writeFileSync(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }));
}
