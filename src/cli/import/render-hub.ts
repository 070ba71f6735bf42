import { hubScope } from "../../import/hub/draft-tool.js";
import type { HubImport, ReadHubImport } from "../../import/hub/import-hub.js";
import type { CommandContext } from "../command-context.js";
import { formatTime } from "../console/format-time.js";
import { paletteFor } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { plural } from "../diagnostics/summary.js";
import { takenOf } from "./hub-data.js";
import { changeLines, renderRows, signs } from "./render-parts.js";

/** Renders `--list`: the tools to choose from. */
export function renderEntries(context: CommandContext, { chosen, request }: ReadHubImport): string {
  const rows = chosen.map(({ label, tool }) => [
    label,
    tool?.name ?? "",
    tool?.risk ?? "",
    tool?.executor ?? "",
    tool?.command.join(" ") ?? "can't become a tool",
  ]);
  const heads = ["id", "name", "risk", "executor", "runs"];
  const end = `${plural(chosen.length, "tool")} of ${visible(request.source)}`;
  return `${renderRows(context, heads, rows)}\n\n${end}\n`;
}

/** Renders the imported tools, the changes, and the next steps. */
export function renderHub(
  context: CommandContext,
  found: HubImport,
  folder: string,
  isCheck: boolean,
): string {
  const { isDrift, outcomes, request, skill, writes } = found;
  const out = paletteFor(context.io.stdout, context.io.env);
  const rows = outcomes.map((outcome) => {
    const { entry, tool } = outcome;
    return [
      signs[takenOf(outcome)],
      entry.label,
      tool === undefined ? "left out" : `${skill}/${tool}`,
      entry.tool?.risk ?? "",
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
    renderRows(context, ["", "id", "tool", "risk"], rows),
    "",
    ...changeLines(found, "the hub manifest", context),
    `${isCheck && isDrift ? out.red("✗") : out.green("✓")} ${out.bold(visible(request.source))} in ${visible(folder)}/`,
    `  ${out.dim(facts.join(" · "))}`,
    ...(isCheck || count === 0
      ? []
      : ["", `Callers need the scope ${out.bold(hubScope)}, as in the hub.`]),
    ...(isCheck ? [] : ["", `next: ${out.cyan("skillc generate")}`]),
  ].join("\n")}\n`;
}
