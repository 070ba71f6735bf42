import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { didYouMean } from "../../../schema/suggestion.js";
import type { DatabaseSettings } from "../settings.js";
import type { Snapshot } from "./snapshot.js";

/** Every name under `harmless_functions` is a function's of the database: else the one that is meant is not listed. */
export function checkListed(
  { listed, name: database }: DatabaseSettings,
  { functions }: Snapshot,
  report: Report,
): void {
  const names = new Set(functions.flatMap(({ name, schema }) => [name, `${schema}.${name}`]));
  for (const { pattern: name, span } of listed) {
    if (names.has(name)) continue;
    report.add({
      code: "sql/unknown-function",
      span,
      message: `the schema of \`${shown(database)}\` has no function \`${shown(name)}\``,
      help: didYouMean(name, [...names]) ?? "remove it, or write `name` or `schema.name`",
    });
  }
}
