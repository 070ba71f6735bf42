/**
 * Restores a person's layout of YAML after its values were edited. Unchanged values are copied from
 * the person's text, with their comments, quotes and brackets.
 */
import {
  type Document,
  isCollection,
  isMap,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { equal } from "@skillc/runtime/internal/equal";
import type { JsonValue } from "../../core/json.js";

/**
 * @param own the person's text
 * @param edited the same document after edits, in any layout
 */
export function keepLayout(own: string, edited: string): string {
  const lines = own.includes("\r\n") ? edited.replaceAll("\n", "\r\n") : edited;
  const [from, to] = [textOf(own), textOf(lines)];
  const [before, after] = [from.document.contents, to.document.contents];
  if (!isBlockMap(before) || !isBlockMap(after)) return edited;
  const woven = weave({ ...from, map: before }, { ...to, map: after });
  const parts = partsOf({ ...from, map: before });
  const text = own.slice(0, parts.start) + woven + own.slice(parts.end);
  // If the text isn't laid out line by line, print it anew.
  return isSame(textOf(text), to) ? text : edited;
}

interface Text {
  readonly text: string;
  readonly document: Document.Parsed;
}

interface Mapping extends Text {
  readonly map: YAMLMap;
}

function textOf(text: string): Text {
  return { text, document: parseDocument(text, { uniqueKeys: false }) };
}

function isSame(one: Text, other: Text): boolean {
  const [mine, theirs] = [one, other].map((each) => valueOf(each.document.contents, each));
  return one.document.errors.length === 0 && equal(mine, theirs);
}

function isBlockMap(node: unknown): node is YAMLMap {
  return isMap(node) && node.flow !== true && node.items.length > 0;
}

/** Lines of a mapping, entry by entry, each with the comments above it. */
interface Parts {
  readonly start: number;
  readonly end: number;
  /** Number of spaces before the keys. */
  readonly indent: number;
  readonly entries: ReadonlyMap<
    string,
    { readonly start: number; readonly end: number; readonly value: unknown }
  >;
}

function partsOf({ map, text }: Mapping): Parts {
  const [first] = map.items;
  const key = startOf(first?.key);
  const start = text.lastIndexOf("\n", key - 1) + 1;
  let end = start;
  const entries = new Map(
    map.items.map((pair) => {
      const entry = { start: end, end: lineAfter(text, endOf(pair)), value: pair.value };
      ({ end } = entry);
      return [String(pair.key), entry] as const;
    }),
  );
  return { start, end, indent: key - start, entries };
}

function startOf(node: unknown): number {
  // A parsed node has a range.
  return (node as Node).range?.[0] ?? 0;
}

/** Returns the end of the last value, without the comments below it. */
function endOf({ key, value }: Pair): number {
  const node = (value ?? key) as Node;
  const last = isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined;
  if (last === undefined) return node.range?.[1] ?? 0;
  return endOf(isMap(node) ? (last as Pair) : ({ key: last, value: last } as Pair));
}

function lineAfter(text: string, end: number): number {
  if (text[end - 1] === "\n") return end;
  const line = text.indexOf("\n", end);
  return line < 0 ? text.length : line + 1;
}

/** Prints the entries of `to`. Copies those that are the same in `from`. */
function weave(from: Mapping, to: Mapping): string {
  const [mine, theirs] = [partsOf(from), partsOf(to)];
  const shift = mine.indent - theirs.indent;
  let woven = "";
  for (const [key, { end, start, value }] of theirs.entries) {
    if (woven !== "" && !woven.endsWith("\n")) woven += "\n";
    const known = mine.entries.get(key);
    const own = known && from.text.slice(known.start, known.end);
    if (known === undefined || own === undefined)
      woven += shifted(to.text.slice(start, end), shift);
    else if (equal(valueOf(known.value, from), valueOf(value, to))) woven += own;
    else if (isBlockMap(known.value) && isBlockMap(value)) {
      const inner = { ...from, map: known.value };
      const within = partsOf(inner);
      woven += from.text.slice(known.start, within.start);
      woven += weave(inner, { ...to, map: value });
      woven += from.text.slice(within.end, known.end);
    } else woven += shifted(to.text.slice(start, end), shift);
  }
  return woven;
}

function valueOf(node: unknown, { document }: Text): JsonValue {
  return node === null ? null : ((node as Node).toJS(document, { maxAliasCount: -1 }) as JsonValue);
}

function shifted(lines: string, by: number): string {
  if (by > 0) return lines.replace(/^(?=.)/gm, " ".repeat(by));
  return lines.replace(new RegExp(`^ {0,${-by}}`, "gm"), "");
}
