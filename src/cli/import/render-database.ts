import type { DatabaseImport, ReadDatabaseImport } from "../../import/database/import-database.js";
import type { CommandContext } from "../command-context.js";
import { formatTime } from "../console/format-time.js";
import { paletteFor } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { plural } from "../diagnostics/summary.js";
import { notesOf, takenOf } from "./database-data.js";
import { changeLines, renderRows, signs } from "./render-parts.js";

/** Renders `--list`: the tables to choose from. */
export function renderTables(
  context: CommandContext,
  { chosen, database, request }: ReadDatabaseImport,
): string {
  const rows = chosen.map(({ columns, comment, keys, kind, name, schema }) => [
    `${schema}.${name}`,
    kind,
    String(columns.length),
    keys.map((each) => each.columns.join(", ")).join("; "),
    comment ?? "",
  ]);
  const heads = ["table", "kind", "columns", "keys", "comment"];
  const end = `${plural(chosen.length, "table")} of ${visible(request.source)}, ${database.server}`;
  return `${renderRows(context, heads, rows)}\n\n${end}\n`;
}

/** Renders the imported tables, the notes, the changes, and the next steps. */
export function renderDatabase(
  context: CommandContext,
  found: DatabaseImport,
  about: {
    readonly folder: string;
    readonly isCheck: boolean;
    readonly setting?: string;
    readonly isPulled?: true;
  },
): string {
  const { database, isDrift, outcomes, request, skills, writes } = found;
  const { folder, isCheck, isPulled, setting } = about;
  const out = paletteFor(context.io.stdout, context.io.env);
  const rows = outcomes.map((outcome) => {
    const { names, skill, table } = outcome;
    const tools = skill === undefined ? "left out" : `${skill}/${names.join(", ")}`;
    return [signs[takenOf(outcome)], `${table.schema}.${table.name}`, tools];
  });
  const notes = outcomes.flatMap((outcome) =>
    notesOf(outcome).map((each) => `  ${out.bold(visible(outcome.table.name))}: ${visible(each)}`),
  );
  const files = [...writes.changed.keys()].filter((path) => !path.startsWith("."));
  const facts = [
    database.server,
    plural(outcomes.filter(({ skill }) => skill !== undefined).length, "table"),
    plural(skills.flatMap(({ tools }) => tools).length, "tool"),
    plural(skills.length, "skill"),
    isCheck ? (isDrift ? "out of date" : "up to date") : `${plural(files.length, "file")} written`,
    formatTime(performance.now() - context.startedAt),
  ];
  return `${[
    renderRows(context, ["", "table", "tools"], rows),
    "",
    ...(notes.length === 0 ? [] : [out.bold("Not covered by a tool:"), ...notes, ""]),
    ...changeLines(found, "the database", context),
    `${isCheck && isDrift ? out.red("✗") : out.green("✓")} ${out.bold(visible(request.source))} in ${visible(folder)}/`,
    `  ${out.dim(facts.join(" · "))}`,
    ...(isCheck || setting === undefined
      ? []
      : ["", out.bold("Write into skillc.yaml, under databases:"), `  ${visible(setting)}`]),
    ...(isCheck
      ? []
      : [
          "",
          `next: ${out.cyan(isPulled === true ? "skillc db pull, then skillc generate" : "skillc generate")}`,
        ]),
  ].join("\n")}\n`;
}
