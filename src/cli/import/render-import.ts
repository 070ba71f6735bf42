import type { Import, ReadImport } from "../../import/openapi/import-openapi.js";
import { skillName } from "../../import/openapi/skills/names.js";
import { groupBy } from "../../core/group-by.js";
import { oneLine } from "../../import/skills/texts.js";
import type { CommandContext } from "../command-context.js";
import { formatTime } from "../console/format-time.js";
import { paletteFor } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { printable } from "../ledger/console-style.js";
import { plural } from "../diagnostics/summary.js";
import { changeLines, renderRows, signs } from "./render-parts.js";
import { takenOf } from "./report-data.js";

/** Renders `--list`: the operations to choose from. */
export function renderOperations(
  context: CommandContext,
  { api, chosen, name, request }: ReadImport,
): string {
  const rows = chosen.map((operation) => [
    operation.method,
    operation.path,
    operation.id ?? "",
    request.skill ?? skillName(operation, name, request.prefix ?? ""),
    oneLine(operation.summary ?? ""),
  ]);
  const heads = ["method", "path", "operationId", "skill", "summary"];
  const end = `${plural(chosen.length, "operation")} of ${visible(api.title)}, ${api.format}`;
  return `${renderRows(context, heads, rows)}\n\n${end}\n`;
}

/** Renders the imported operations, the new ones, and the next steps. */
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
    `${plural(of("whole"), "operation")} complete`,
    ...(of("part") > 0 ? [`${of("part")} in part`] : []),
    ...(of("no") > 0 ? [`${of("no")} left out`] : []),
    plural(built.skills.length, "skill"),
    isCheck ? (isDrift ? "out of date" : "up to date") : `${plural(files.length, "file")} written`,
    formatTime(performance.now() - context.startedAt),
  ];
  const settings = built.settings.map(({ example, name }) =>
    example === undefined ? `  ${name}` : `  ${name}=${visible(example)}`,
  );
  const secrets = built.tokenEndpoints.map(({ credentials, documented, tokenUrl }) => {
    const address = tokenUrl === documented ? "" : ` (in the document: ${visible(documented)})`;
    return `  ${credentials.join(", ")} → ${visible(tokenUrl)}${address}`;
  });
  return `${[
    renderRows(context, ["", "method", "path", "tool"], rows),
    "",
    ...changeLines(found, found.isOtherChoice ? "the choice, and in the API" : "the API", context),
    `${isCheck && isDrift ? out.red("✗") : out.green("✓")} ${out.bold(visible(api.title))} in ${visible(folder)}/`,
    `  ${out.dim(facts.join(" · "))}`,
    ...(isCheck ? [] : renamedLines(found, context)),
    ...(isCheck || settings.length === 0
      ? []
      : ["", out.bold("Set, in the environment or .env:"), ...settings]),
    ...(isCheck || secrets.length === 0 ? [] : ["", out.bold("Sent to get tokens:"), ...secrets]),
    ...(isCheck || !saysNoAuth(found) ? [] : ["", ...noAuth]),
    ...(isCheck ? [] : ["", `next: ${out.cyan("skillc generate")}`]),
  ].join("\n")}\n`;
}

/** Maximum number of renamed parameters that the report lists. It only counts the others. */
const maxRenamed = 12;
const maxName = 60;

function renamedLines({ built }: Import, { io }: CommandContext): readonly string[] {
  const all = built.outcomes.flatMap(({ renamed = [] }) => renamed);
  const groups = [...groupBy(all, ({ from, to }) => `${printable(from, maxName)} → ${to}`)];
  if (groups.length === 0) return [];
  const lines = groups
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, maxRenamed)
    .map(([name, { length }]) => `  ${name}${length === 1 ? "" : ` (${plural(length, "tool")})`}`);
  const others = groups.length - lines.length;
  const { bold } = paletteFor(io.stdout, io.env);
  const more = others > 0 ? [`  and ${plural(others, "other")}: see \`--json\``] : [];
  return ["", bold("Parameters with other names than in the API:"), ...lines, ...more];
}

const noAuth: readonly string[] = [
  "The document describes no authentication. If calls need one, import it again with `--auth bearer`",
  "(or `basic`, `header:NAME`, `query:NAME`).",
];

function saysNoAuth({ api }: Import): boolean {
  return api.schemes.size === 0;
}
