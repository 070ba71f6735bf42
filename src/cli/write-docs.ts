import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { renderCatalogue } from "./commands/docs.js";
import { renderToolErrors } from "./commands/docs-errors.js";
import { fullCatalogue } from "./diagnostics/all-catalogues.js";
import { toolErrors } from "./tool-errors.js";

const folder = fileURLToPath(new URL("../../docs/", import.meta.url));

mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}diagnostics.md`, renderCatalogue(fullCatalogue()));
writeFileSync(`${folder}errors.md`, renderToolErrors(toolErrors));
