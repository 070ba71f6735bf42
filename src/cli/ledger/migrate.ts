import { LedgerUnavailable } from "@skillc/runtime/internal/ledger";
import type { LedgerMigration } from "@skillc/runtime/ledger/postgres";
import type { CommandOutput } from "./commands.js";
import { type ConsoleStyle, colorsOf, printable } from "./console-style.js";
import { type DatabaseLedger, orWrongSchema } from "./open-ledger.js";
import { formatCount } from "./quantities.js";

export interface LedgerMigrateOptions extends ConsoleStyle {
  readonly ledger: DatabaseLedger;
  readonly json: boolean;
}

/** Runs `skillc ledger migrate`. JSON: a `LedgerMigration`, or `{error}`. */
export async function ledgerMigrate(options: LedgerMigrateOptions): Promise<CommandOutput> {
  const { json, ledger } = options;
  const { migratePostgresLedger } = await import("@skillc/runtime/ledger/postgres");
  try {
    const done = await orWrongSchema(() => migratePostgresLedger(ledger));
    return json
      ? { json: done, exitCode: 0 }
      : { text: renderMigration(done, ledger.name, options), exitCode: 0 };
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    const { help, message } = error;
    const failure = { message, ...(help !== undefined && { help }) };
    return json
      ? { json: { error: message, ...(help !== undefined && { help }) }, exitCode: 1 }
      : { failure, exitCode: 1 };
  }
}

function renderMigration(
  { applied, from, partitions, schema, to }: LedgerMigration,
  name: string,
  style: ConsoleStyle,
): string {
  const colors = colorsOf(style);
  const steps = applied.map((each) => `  ${colors.dim(`version ${each.version}`)}  ${each.name}`);
  const made = partitions.map(({ moved, name: partition }) => {
    const records = moved === 0 ? "" : `, ${formatCount(moved, "record")} moved there`;
    return `  ${colors.dim("partition")}  ${partition}${records}`;
  });
  const what = `the ledger of \`${name}\`, schema \`${printable(schema)}\``;
  if (steps.length + made.length === 0)
    return colors.dim(`nothing to do: ${what}, has version ${to} and partitions for a year`);
  const versions = from === to ? `version ${to}` : `version ${from} to ${to}`;
  return [
    ...steps,
    ...made,
    `${colors.green(colors.bold("migrated"))} ${what}: ${versions}, ${formatCount(made.length, "partition")} made`,
  ].join("\n");
}
