import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../core/json.js";

const texts = new WeakMap<object, string>();
/** By document, what was found: a question is asked of each of its properties. */
const answers = new WeakMap<object, Map<string, boolean>>();

/**
 * Whether a name stands anywhere in a document as a key, a keyword's or an author's. Where it does
 * not, there is nothing to look for: definitions that documents share are read once.
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
