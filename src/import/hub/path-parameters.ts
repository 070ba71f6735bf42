/** Guesses which parameters are paths. A hub manifest has no word for it. */
import { isJsonObject, type JsonValue } from "../../core/json.js";
import { portableName } from "../../core/names.js";

/** Words that only names of paths have. */
const pathWords: ReadonlySet<string> = new Set(
  "path filepath pathname file filename dir directory folder".split(" "),
);

/** Names that usually stand for paths, but only as the whole name: `source_language` is none. */
const pathNames: ReadonlySet<string> = new Set("source src destination dest".split(" "));

/** Formats of paths. A text of any other format is none. */
const pathFormats: ReadonlySet<JsonValue> = new Set(["path", "file-path", "directory-path"]);

/**
 * Guesses whether a text parameter is a path of a tool with `allowed_paths`. A hub checks all
 * arguments against these, so a wrong guess rejects a value; a missing one leaves it unchecked.
 */
export function isPathParameter(name: string, schema: JsonValue): boolean {
  if (!isJsonObject(schema) || schema["type"] !== "string") return false;
  const { format } = schema;
  if (format !== undefined) return pathFormats.has(format);
  if (schema["enum"] !== undefined || schema["const"] !== undefined) return false;
  const words = (portableName(name) ?? "").split("-");
  return words.some((each) => pathWords.has(each)) || pathNames.has(words.join("-"));
}
