/** Finds parts of a document in its text, many at once in one pass over JSON. */
import type { Span } from "../../../core/span.js";
import { entryOf, type SyntaxNode } from "../../../core/syntax-node.js";
import { groupBy } from "../../../core/group-by.js";
import { type ApiDocument, type DocumentLocation, stepsOfPointer } from "./document.js";

/** Returns the span of a place; for an entry of an object, the span of its key. */
export type Locate = (place: DocumentLocation) => Span;

/** Looks up all places. A place that doesn't exist gets the span of the nearest parent. */
export function locateAll(places: readonly DocumentLocation[]): Locate {
  const spans = new Map<ApiDocument, ReadonlyMap<string, Span>>();
  for (const [document, own] of groupBy(places, (each) => each.document))
    spans.set(document, locateIn(document, [...new Set(own.map(({ pointer }) => pointer))]));
  return ({ document, pointer }) =>
    spans.get(document)?.get(pointer) ?? { file: document.file.path, start: 0, end: 0 };
}

function locateIn(document: ApiDocument, pointers: readonly string[]): ReadonlyMap<string, Span> {
  const { tree } = document;
  if (tree !== undefined)
    return new Map(pointers.map((each) => [each, spanInTree(tree, stepsOfPointer(each))]));
  return spansInJson(document, pointers);
}

function spanInTree(root: SyntaxNode, steps: readonly string[]): Span {
  let node = root;
  let span: Span = { ...root.span, end: root.span.start };
  for (const step of steps) {
    const entry = entryOf(node, step);
    const next = node.kind === "list" ? node.items[Number(step)] : entry?.value;
    if (next === undefined) return span;
    span = entry?.key.span ?? startOf(next);
    node = next;
  }
  return span;
}

function startOf({ kind, span }: SyntaxNode): Span {
  return kind === "scalar" ? span : { ...span, end: span.start + 1 };
}

/** Tree of the places to find below one value. */
interface Wanted {
  readonly below: Map<string, Wanted>;
  pointer?: string;
}

function spansInJson(
  { file }: ApiDocument,
  pointers: readonly string[],
): ReadonlyMap<string, Span> {
  const root: Wanted = { below: new Map() };
  const spans = new Map<string, Span>();
  for (const pointer of pointers) {
    let at = root;
    for (const step of stepsOfPointer(pointer)) {
      const next = at.below.get(step) ?? { below: new Map() };
      at.below.set(step, next);
      at = next;
    }
    at.pointer = pointer;
  }
  scan(file.text, root, (pointer, start, end) =>
    spans.set(pointer, { file: file.path, start, end }),
  );
  for (const pointer of pointers)
    if (!spans.has(pointer)) spans.set(pointer, nearest(pointer, spans, file.path));
  return spans;
}

/** Span of the nearest parent that was found. */
function nearest(pointer: string, spans: ReadonlyMap<string, Span>, file: string): Span {
  const outer = pointer.slice(0, pointer.lastIndexOf("/"));
  if (pointer === "") return { file, start: 0, end: 0 };
  return spans.get(outer) ?? nearest(outer, spans, file);
}

type OnPlace = (pointer: string, start: number, end: number) => void;

interface Level {
  readonly wanted: Wanted | undefined;
  /** Index in an array; undefined in an object. */
  index: number | undefined;
  /** Wanted entry whose value is being read. */
  entry: Wanted | undefined;
}

/** Matches a token. For a string, that is the opening quote. */
const tokens = /["[\]{}:,]|[^\s[\]{}:,"]+/g;

/** Scans the text, which is known to be JSON. */
function scan(text: string, root: Wanted, found: OnPlace): void {
  const levels: Level[] = [];
  tokens.lastIndex = 0;
  let expectsKey = false;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const start = match.index;
    if (match[0] === '"') tokens.lastIndex = endOfString(text, start);
    const token = text.slice(start, tokens.lastIndex);
    const level = levels.at(-1);
    if (token === "}" || token === "]") {
      levels.pop();
      expectsKey = false;
    } else if (token === ",") {
      expectsKey = level?.index === undefined;
      if (level?.index !== undefined) level.index += 1;
    } else if (token === ":") {
      expectsKey = false;
    } else if (expectsKey && level !== undefined) {
      level.entry = level.wanted?.below.get(keyOf(token));
      if (level.entry?.pointer !== undefined)
        found(level.entry.pointer, start, start + token.length);
    } else {
      const here = valueHere(level, root);
      if (here?.pointer !== undefined && (level === undefined || level.index !== undefined))
        found(here.pointer, start, start + (/^[[{]/.test(token) ? 1 : token.length));
      if (token === "{" || token === "[") {
        levels.push({ wanted: here, index: token === "[" ? 0 : undefined, entry: undefined });
        expectsKey = token === "{";
      }
    }
  }
}

/**
 * Finds the end of a string without a regular expression, which would overflow the stack for many
 * megabytes.
 */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}

function keyOf(token: string): string {
  // `token` is a string of JSON.
  return token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
}

function valueHere(level: Level | undefined, root: Wanted): Wanted | undefined {
  if (level === undefined) return root;
  return level.index === undefined ? level.entry : level.wanted?.below.get(String(level.index));
}
