import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../core/json.js";

const texts = new WeakMap<object, string>();
/** Cached by document, because the same search runs for each of its properties. */
const answers = new WeakMap<object, Map<string, boolean>>();

/**
 * Checks if a document has a name as a key anywhere, either a keyword or an author's key. If not,
 * callers can skip a search. Definitions that documents share are searched once.
 */
export function mentions(root: JsonSchema, keyword: string): boolean {
  if (!isJsonObject(root)) return false;
  const known = answers.get(root) ?? new Map<string, boolean>();
  answers.set(root, known);
  const found = known.get(keyword) ?? standsIn(root, keyword);
  known.set(keyword, found);
  return found;
}

function standsIn(root: JsonObject, keyword: string): boolean {
  const mark = `"${keyword}":`;
  const { $defs, ...own } = root;
  if (ownText(root, own).includes(mark)) return true;
  return isJsonObject($defs) && Object.values($defs).some((each) => textOf(each).includes(mark));
}

function textOf(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return "";
  const known = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, known);
  return known;
}

const ownTexts = new WeakMap<object, string>();

function ownText(root: object, own: object): string {
  const known = ownTexts.get(root) ?? JSON.stringify(own);
  ownTexts.set(root, known);
  return known;
}
