import { format } from "prettier";
import { type DocsPage, renderDiagnosticPages } from "./commands/docs.js";
import { renderCommands } from "./commands/docs-commands.js";
import { allDiagnosticEntries } from "./diagnostics/all-diagnostic-entries.js";
import { nowhere } from "./io.js";
import { createProgram } from "./program.js";

/** Folder of the generated reference, below docs. Git ignores it. */
export const referenceFolder = "reference";

/** Renders the pages that `npm run docs` writes for the site and the npm package. */
export async function referencePages(): Promise<readonly DocsPage[]> {
  const commands = renderCommands(createProgram(nowhere(), () => undefined));
  return [
    {
      path: `${referenceFolder}/commands.md`,
      text: await format(commands, { parser: "markdown", printWidth: 100 }),
    },
    ...renderDiagnosticPages(allDiagnosticEntries()),
  ];
}
