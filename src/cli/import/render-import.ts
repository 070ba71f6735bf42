import type { Import, ReadImport } from "../../import/openapi/import-openapi.js";
import { skillName } from "../../import/openapi/skills/names.js";
import type { CommandContext } from "../command-context.js";
import { paletteFor, withCodeSpans } from "../console/palette.js";
import { formatTime } from "../console/format-time.js";
import { visible } from "../console/visible.js";
import { placeOf } from "../compare/render.js";
import { plural } from "../diagnostics/summary.js";
import { wantsColour, widthOf } from "../io.js";
import { colorsOf, printable, renderTable } from "../ledger/console-style.js";
import { takenOf } from "./report-data.js";

const longestCell = 60;

function table(
  { io }: CommandContext,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const colors = colorsOf({ color: wantsColour(io.stdout, io.env), width: widthOf(io.stdout) });
  const cells = rows.map((row) => row.map((cell) => printable(cell, longestCell)));
  return renderTable(
    heads.map((head) => ({ head })),
    cells,
    colors,
  );
}

/** `--list`: what there is to choose from. */
export function renderOperations(
  context: CommandContext,
  { api, chosen, name, request }: ReadImport,
): string {
  const rows = chosen.map((operation) => [
    operation.method,
    operation.path,
    operation.id ?? "",
    request.skill ?? skillName(operation, name, request.prefix ?? ""),
    operation.summary ?? "",
  ]);
  const heads = ["method", "path", "operationId", "skill", "summary"];
  const end = `${plural(chosen.length, "operation")} of ${visible(api.title)}, ${api.format}`;
  return `${table(context, heads, rows)}\n\n${end}\n`;
}

const signs = { whole: "✓", part: "~", no: "✗" } as const;

/** What was taken, what is new, and what comes next. */
export function renderImport(
  context: CommandContext,
  found: Import,
  folder: string,
  isCheck: boolean,
): string {
  const { api, built, isDrift, writes } = found;
  const out = paletteFor(context.io.stdout, context.io.env);
  const rows = built.outcomes.map((outcome) => {
    const { operation, skill, tool } = outcome;
    const name = skill === undefined ? "left out" : `${skill}/${tool}`;
    return [signs[takenOf(outcome)], operation.method, operation.path, name];
  });
  const counts = built.outcomes.map(takenOf);
  const of = (taken: (typeof counts)[number]): number =>
    counts.filter((each) => each === taken).length;
  const files = [...writes.changed.keys()].filter((path) => !path.startsWith("."));
  const facts = [
    api.format,
    `${plural(of("whole"), "operation")} taken whole`,
    ...(of("part") > 0 ? [`${of("part")} in part`] : []),
    ...(of("no") > 0 ? [`${of("no")} left out`] : []),
    plural(built.skills.length, "skill"),
    isCheck ? (isDrift ? "out of date" : "up to date") : `${plural(files.length, "file")} written`,
    formatTime(performance.now() - context.startedAt),
  ];
  const settings = built.settings.map(({ example, name }) =>
    example === undefined ? `  ${name}` : `  ${name}=${visible(example)}`,
  );
  return `${[
    table(context, ["", "method", "path", "tool"], rows),
    "",
    ...changeLines(found, context),
    `${isCheck && isDrift ? out.red("✗") : out.green("✓")} ${out.bold(visible(api.title))} in ${visible(folder)}/`,
    `  ${out.dim(facts.join(" · "))}`,
    ...(isCheck || settings.length === 0
      ? []
      : ["", out.bold("Set, in the environment or .env:"), ...settings]),
    ...(isCheck ? [] : ["", `next: ${out.cyan("skillc generate")}`]),
  ].join("\n")}\n`;
}

/** What the API changed since the last import. */
function changeLines({ changes }: Import, { io }: CommandContext): readonly string[] {
  if (changes === undefined || changes.skills.length === 0) return [];
  const out = paletteFor(io.stdout, io.env);
  const paints = { major: out.red, minor: out.yellow, patch: out.blue };
  const lines = changes.skills
    .flatMap(({ tools }) => tools)
    .flatMap(({ differences, id }) =>
      differences.map((each) => {
        const where = each.field === "id" ? "" : ` ${out.dim(placeOf(each))}`;
        const what = withCodeSpans(visible(each.what), out);
        return `  ${paints[each.verdict](each.verdict)}  ${visible(id)}${where} ${what}`;
      }),
    );
  return [out.bold("What has changed in the API:"), ...lines, ""];
}
