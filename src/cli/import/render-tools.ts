import type { ToolsDraft } from "../../import/tools/draft-tools.js";
import type { SourceTool } from "../../import/tools/entry.js";
import type { CommandContext } from "../command-context.js";
import { formatTime } from "../console/format-time.js";
import { paletteFor } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { plural } from "../diagnostics/summary.js";
import { changeLines, renderRows, signs } from "./render-parts.js";
import { takenOf } from "./tools-data.js";
import type { AnyRead, ToolsView } from "./tools-view.js";

/** Renders `--list`: the tools to choose from. */
export function renderEntries<Tool extends SourceTool>(
  context: CommandContext,
  { chosen }: AnyRead<Tool>,
  view: ToolsView<Tool>,
): string {
  const rows = chosen.map((entry) => [entry.label, ...view.listCells(entry)]);
  const end = `${plural(chosen.length, "tool")} of ${visible(view.title)}`;
  return `${renderRows(context, [view.id, ...view.listHeads], rows)}\n\n${end}\n`;
}

/** Renders the imported tools, the changes, and the next steps. */
export function renderTools<Tool extends SourceTool>(
  context: CommandContext,
  found: ToolsDraft<Tool>,
  folder: string,
  isCheck: boolean,
  view: ToolsView<Tool>,
): string {
  const { isDrift, outcomes, writes } = found;
  const out = paletteFor(context.io.stdout, context.io.env);
  const rows = outcomes.map((outcome) => {
    const { entry, skill, tool } = outcome;
    return [
      signs[takenOf(outcome)],
      entry.label,
      tool === undefined ? "left out" : `${skill}/${tool}`,
      view.reportCell(entry.tool),
    ];
  });
  const count = outcomes.filter(({ tool }) => tool !== undefined).length;
  const files = [...writes.changed.keys()].filter((path) => !path.startsWith("."));
  const facts = [
    plural(count, "tool"),
    ...(count < outcomes.length ? [`${outcomes.length - count} left out`] : []),
    isCheck ? (isDrift ? "out of date" : "up to date") : `${plural(files.length, "file")} written`,
    formatTime(performance.now() - context.startedAt),
  ];
  return `${[
    renderRows(context, ["", view.id, "tool", view.reportHead], rows),
    "",
    ...changeLines(found, view.origin, context),
    `${isCheck && isDrift ? out.red("✗") : out.green("✓")} ${out.bold(visible(view.title))} in ${visible(folder)}/`,
    `  ${out.dim(facts.join(" · "))}`,
    ...(isCheck || count === 0 || view.need === "" ? [] : ["", view.need]),
    ...(isCheck ? [] : ["", `next: ${out.cyan("skillc generate")}`]),
  ].join("\n")}\n`;
}
