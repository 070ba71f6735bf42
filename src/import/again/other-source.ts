/** Recognizes an import of another source that has the name of an earlier one. */
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { StoredImport } from "./stored-import.js";

/** The source of an import. */
export interface ImportedSource {
  readonly name: string;
  /** Source as the request names it. */
  readonly source: string;
  /** Path for messages. */
  readonly file: string;
  /** Keys of everything in it that can become a tool. */
  readonly keys: readonly string[];
  /** Its own word for these: `operations`. */
  readonly things: string;
}

/**
 * Reports a source that shares few keys with the last import of that name, because many sources
 * have the same name. A source that only moved still has most of its keys.
 *
 * @returns true if it is another source
 */
export function reportOtherSource(
  { file, keys, name, source, things }: ImportedSource,
  stored: StoredImport,
  report: Report,
): boolean {
  if (stored.request.source === source || stored.names.size === 0) return false;
  const known = new Set(keys);
  const common = [...stored.names.keys()].filter((key) => known.has(key));
  if (common.length * 2 >= stored.names.size) return false;
  report.add({
    code: "import/other-document",
    span: { file, start: 0, end: 0 },
    message: `the last import with the name ${quote(name)} read ${quote(stored.request.source)}, which has other ${things} than this document`,
    help: `if this is another source, give it another \`--name\`; if it is the same, write \`--name ${name}\``,
  });
  return true;
}
