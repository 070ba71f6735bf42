import type { JsonObject } from "../../core/json.js";
import type { CommandContext } from "../command-context.js";
import { printJson } from "../console/print-json.js";
import { type ExitCode, exitCode } from "../exit.js";
import { wantsColour, widthOf } from "../io.js";
import { colorsOf, printable, renderTable } from "../ledger/console-style.js";
import { projectRoot } from "../project/project-root.js";
import { readSettings } from "../project/read-settings.js";
import { placesIn } from "../../compiler/compare-tools/compare-reach.js";
import { outputCatalog, textAt } from "./generated-tools.js";
import { printCredentials, sentCredentials } from "./sent-credentials.js";

export interface CatalogOptions {
  readonly json?: true;
}

/** Lists the tools of the output folder, or prints the whole catalog. */
export async function catalog(
  context: CommandContext,
  { json }: CatalogOptions,
): Promise<ExitCode> {
  const { directory, io } = context;
  const root = await projectRoot(directory);
  const { out } = await readSettings(root);
  const { skills } = outputCatalog(root, out);
  if (json === true) {
    printJson(io.stdout, { skills });
    return exitCode.fine;
  }
  const width = widthOf(io.stdout);
  const colors = colorsOf({ color: wantsColour(io.stdout, io.env), width });
  const rows = skills.flatMap(({ tools }) => tools.map((tool) => cellsOf(tool, width)));
  io.stdout.write(`${renderTable(heads, rows, colors)}\n`);
  printCredentials(context, sentCredentials(skills.flatMap(({ tools }) => tools.map(reachOf))));
  return exitCode.fine;
}

function reachOf(tool: JsonObject): Parameters<typeof sentCredentials>[0][number] {
  return { id: textAt(tool, "id") ?? "", capabilities: placesIn(tool["capabilities"]) };
}

const heads = ["tool", "kind", "effect", "risk", "description"].map((head) => ({ head }));

/** Estimated width of the other columns. */
const besides = 60;

function cellsOf(tool: JsonObject, width: number): readonly string[] {
  const [summary = ""] = (textAt(tool, "description") ?? "").trim().split("\n", 1);
  return [
    ...["id", "kind", "side_effect", "risk_level"].map((name) =>
      printable(textAt(tool, name) ?? "", 80),
    ),
    printable(summary, Math.max(20, width - besides)),
  ];
}
