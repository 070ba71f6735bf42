import type { Node } from "@pgsql/types";
import { fieldsOf, namesIn } from "../statement/tree.js";
import type { Assumed } from "./assumed.js";
import { textIn } from "./values.js";

/** Whether every text matches: `LIKE '%'`, `~ ''`, `SIMILAR TO '%'`, `starts_with(…, '')`. */
export function matchesAll(operator: string, pattern: Node | undefined, assumed: Assumed): boolean {
  const similar = fieldsOf(pattern, "FuncCall");
  const isSimilar = namesIn(similar?.funcname).at(-1) === "similar_to_escape";
  const text = textIn(isSimilar ? similar?.args?.[0] : pattern, assumed);
  if (text === undefined) return false;
  if (isSimilar || LIKE.has(operator)) return /^%+$/.test(text);
  if (operator === "^@") return text === "";
  return (operator === "~" || operator === "~*") && isAnything(text);
}

const LIKE: ReadonlySet<string> = new Set(["~~", "~~*"]);

/** Parts that may match nothing, one after another. */
const NULLABLE =
  /^(?:(?:\.|\\[sSwWdD]|[\p{L}\p{N} ]|\[\^?[^\][\\]+\])(?:\*|\?|\{0,\d{0,3}\})\??)*$/u;

/** Whether a regular expression of PostgreSQL's finds something in every text, as far as its form tells: it may match nothing at all, or everything. */
function isAnything(pattern: string): boolean {
  const [, start = "", middle = "", end = ""] = /^(\^?)(.*?)(\$?)$/su.exec(pattern) ?? [];
  const plain = middle.replaceAll(/\(([^()?][^()]*)\)(?![*+?{])/gu, "$1");
  if (!NULLABLE.test(plain)) return false;
  return start === "" || end === "" || /(?<!\\)\.\*/u.test(plain);
}
