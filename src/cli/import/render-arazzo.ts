import type { WritesDraft } from "../../import/again/draft-writes.js";
import type { ArazzoImport, ReadArazzo } from "../../import/arazzo/import-arazzo.js";
import { oneLine } from "../../import/skills/texts.js";
import type { CommandContext } from "../command-context.js";
import { formatTime } from "../console/format-time.js";
import { paletteFor } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { plural } from "../diagnostics/summary.js";
import { takenOf } from "./arazzo-data.js";
import type { SourceImports } from "./arazzo-sources.js";
import { changeLines, renderRows, signs } from "./render-parts.js";

/** Renders `--list`: the workflows of the document. */
export function renderWorkflows(
  context: CommandContext,
  { description, request }: ReadArazzo,
): string {
  const { workflows } = description;
  const rows = workflows.map(({ id, steps, summary }) => [
    id,
    String(steps.length),
    oneLine(summary),
  ]);
  const end = `${plural(workflows.length, "workflow")} of ${visible(request.source)}`;
  return `${renderRows(context, ["workflow", "steps", "summary"], rows)}\n\n${end}\n`;
}

interface Written {
  readonly writes: WritesDraft;
  readonly isDrift: boolean;
  readonly folder: string;
  readonly isCheck: boolean;
  readonly sources: SourceImports;
}

/** Renders the workflows, the documents of their operations, the changes, and the next steps. */
export function renderArazzo(
  context: CommandContext,
  found: ArazzoImport,
  { folder, isCheck, isDrift, sources, writes }: Written,
): string {
  const { description, outcomes, request, skill } = found;
  const out = paletteFor(context.io.stdout, context.io.env);
  const rows = outcomes.map((outcome) => [
    signs[takenOf(outcome)],
    outcome.workflow.id,
    outcome.tool === undefined ? "left out" : `${skill}/${outcome.tool}`,
    String(outcome.workflow.steps.length),
  ]);
  const count = outcomes.filter(({ tool }) => tool !== undefined).length;
  const files = [...writes.changed.keys()].filter((path) => !path.startsWith("."));
  const facts = [
    plural(count, "plan"),
    ...(count < outcomes.length ? [`${outcomes.length - count} left out`] : []),
    isCheck ? (isDrift ? "out of date" : "up to date") : `${plural(files.length, "file")} written`,
    formatTime(performance.now() - context.startedAt),
  ];
  const apis = sources.imported.map(({ done }) => {
    const tools = done.built.outcomes.filter(({ tool }) => tool !== undefined).length;
    return `  ${visible(done.request.source)}: ${plural(tools, "tool")}, as by ${out.cyan(`skillc import openapi --name ${done.name}`)}`;
  });
  const settings = sources.imported.flatMap(({ done }) =>
    done.built.settings.map(({ example, name }) =>
      example === undefined ? `  ${name}` : `  ${name}=${visible(example)}`,
    ),
  );
  return `${[
    renderRows(context, ["", "workflow", "tool", "steps"], rows),
    "",
    ...changeLines(found, "the Arazzo document", context),
    `${isCheck && isDrift ? out.red("✗") : out.green("✓")} ${out.bold(visible(description.title || request.source))} in ${visible(folder)}/`,
    `  ${out.dim(facts.join(" · "))}`,
    ...(apis.length === 0 ? [] : ["", out.bold("Operations:"), ...apis]),
    ...(isCheck || settings.length === 0
      ? []
      : ["", out.bold("Set, in the environment or .env:"), ...new Set(settings)]),
    ...(isCheck ? [] : ["", `next: ${out.cyan("skillc generate")}`]),
  ].join("\n")}\n`;
}
