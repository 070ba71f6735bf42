import { RefusedValue } from "../../../runtime/sink.js";
import type { JsonValue } from "../../../runtime/json.js";
import { UnreadableValue } from "./faults.js";

/** PostgreSQL's own limit. */
const mostDimensions = 6;

/**
 * The elements of an array as PostgreSQL prints it: `{1,NULL,"a b"}`, `{{1,2},{3,4}}`, `[0:1]={1,2}`. Bounds other than 1 are left out: JSON's
 * arrays have none.
 *
 * @param dimensions how deep it nests; an empty array has no depth and always fits
 * @throws UnreadableValue for an array of another depth
 */
export function parseArray(
  text: string,
  delimiter: string,
  dimensions: number,
  readItem: (text: string) => JsonValue,
): JsonValue[] {
  let at = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
  const open: JsonValue[][] = [];
  let root: JsonValue[] = [];
  const add = (item: JsonValue) => {
    if (open.length !== dimensions) {
      throw new UnreadableValue(
        `holds an array of ${open.length} dimensions where ${dimensions} are expected`,
      );
    }
    open.at(-1)?.push(item);
  };
  while (at < text.length) {
    const unit = text[at];
    if (unit === "{") {
      const list: JsonValue[] = [];
      open.at(-1)?.push(list);
      if (open.length === 0) root = list;
      open.push(list);
      at += 1;
    } else if (unit === "}") {
      open.pop();
      at += 1;
    } else if (unit === delimiter) {
      at += 1;
    } else if (unit === '"') {
      const end = endOfQuoted(text, at);
      add(readItem(text.slice(at + 1, end).replace(/\\(.)/gsu, "$1")));
      at = end + 1;
    } else {
      const end = endOfBare(text, at, delimiter);
      const bare = text.slice(at, end);
      add(bare === "NULL" ? null : readItem(bare));
      at = end;
    }
  }
  return root;
}

function endOfQuoted(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function endOfBare(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== "}") at += 1;
  return at;
}

/**
 * A list as PostgreSQL reads arrays; every element is quoted, so none is mistaken for syntax or NULL.
 *
 * @param isItem whether a list within is an element of its own, which only JSON is
 * @throws RefusedValue for one that nests deeper than PostgreSQL's arrays
 */
export function printArray(
  list: readonly unknown[],
  delimiter: string,
  isItem: boolean,
  printItem: (item: unknown) => string,
  depth = 1,
): string {
  if (depth > mostDimensions) {
    throw new RefusedValue(
      "",
      "depth",
      `arrays must not nest deeper than ${mostDimensions} levels`,
    );
  }
  const items = list.map((item) => {
    if (item === null || item === undefined) return "NULL";
    if (!isItem && Array.isArray(item))
      return printArray(item, delimiter, isItem, printItem, depth + 1);
    return `"${printItem(item).replace(/["\\]/gu, "\\$&")}"`;
  });
  // A list of empty lists is, to PostgreSQL, an empty array.
  return items.every((item) => item === "{}") ? "{}" : `{${items.join(delimiter)}}`;
}
