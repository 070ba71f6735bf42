import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { renderTypesPage } from "../bindings/sql/types/types-page.js";
import { renderCatalogue } from "./commands/docs.js";
import { renderToolErrors } from "./commands/docs-errors.js";
import { fullCatalogue } from "./diagnostics/all-catalogues.js";
import { toolErrors } from "./tool-errors.js";

const folder = fileURLToPath(new URL("../../docs/", import.meta.url));

mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}diagnostics.md`, renderCatalogue(fullCatalogue()));
writeFileSync(`${folder}errors.md`, renderToolErrors(toolErrors));

const typesPage = `${folder}sql-types.md`;
const style = await resolveConfig(typesPage);
writeFileSync(typesPage, await format(renderTypesPage(), { ...style, filepath: typesPage }));
