/** Checks the keys of `set_config` against the settings that the schema reads. */
import { quote, shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { nearestName, suggestion } from "../../schema/suggestion.js";
import { chooseSchemaFiles } from "./database/schema-files.js";
import type { DatabaseSettings, SqlSettings } from "./settings.js";

/**
 * Warns about a key that no schema file reads, if a schema file reads a similar setting that no key
 * sets. Row level security would then hide every row, or fail. Other unread keys cause no warning,
 * because something else may read them.
 */
export function checkUnreadSettings(
  { databases, setConfigKeys }: SqlSettings,
  files: ReadonlyMap<string, SourceFile>,
  report: Report,
): void {
  const keys = new Set(setConfigKeys.map(({ value }) => value.toLowerCase()));
  const read = setConfigKeys.length === 0 ? undefined : settingsRead(databases, files);
  if (read === undefined) return;
  const unset = [...read].filter((name) => !keys.has(name));
  for (const { span, value } of setConfigKeys) {
    const near = read.has(value.toLowerCase()) ? undefined : nearestName(value, unset);
    if (near === undefined) continue;
    report.add({
      code: "sql/unread-setting",
      span,
      message: `the schema reads ${quote(near)}, but not ${quote(shown(value))}`,
      help: suggestion(near),
    });
  }
}

/** Returns the settings that schema files read; undefined if the files don't show all of them. */
function settingsRead(
  databases: readonly DatabaseSettings[],
  files: ReadonlyMap<string, SourceFile>,
): ReadonlySet<string> | undefined {
  const read = new Set<string>();
  for (const { source } of databases) {
    if (source.kind === "server") return undefined;
    const patterns = source.patterns.map(({ pattern }) => pattern);
    for (const path of chooseSchemaFiles(patterns, [...files.keys()])) {
      const text = files.get(path)?.text ?? "";
      if (computed.test(text)) return undefined;
      for (const [, name = ""] of text.matchAll(reading)) read.add(name.toLowerCase());
    }
  }
  return read;
}

/** Matches a read of a setting with a dot. Quotes are doubled inside the text of a function. */
const reading = /\bcurrent_setting\s*\(\s*E?'{1,4}([\w$]+(?:\.[\w$]+)+)'/gi;
/** Matches a read of a setting with a computed name: `current_setting('app.' || name)`. */
const computed = /\bcurrent_setting\s*\((?!\s*E?'{1,4}[\w$.]+'{1,4}\s*(?:::\s*\w+\s*)?[,)])/i;
