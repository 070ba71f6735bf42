import { type JsonValue, setOwn } from "./json.js";
import type { Span } from "./span.js";

/** YAML or JSON as written: every node has a span, and nothing is interpreted. */
export type SyntaxNode = MapNode | ListNode | ScalarNode;

/** A mapping. */
export interface MapNode {
  readonly kind: "map";
  /** Span of the mapping. */
  readonly span: Span;
  /** Entries in the order of the file. */
  readonly entries: readonly MapEntry[];
}

/** One entry of a mapping. */
export interface MapEntry {
  /** Key as text: `404: not_found` has the key `"404"`. */
  readonly key: ScalarNode & { readonly value: string };
  /** Value of the entry. */
  readonly value: SyntaxNode;
}

/** A list. */
export interface ListNode {
  readonly kind: "list";
  /** Span of the list. */
  readonly span: Span;
  /** Items of the list, in order. */
  readonly items: readonly SyntaxNode[];
}

/** A scalar value. */
export interface ScalarNode {
  readonly kind: "scalar";
  /** Span of the whole scalar, including quotes or block header. */
  readonly span: Span;
  /** Value of the scalar. */
  readonly value: string | number | boolean | null;
  /** Digits of an integer that `value` rounds. */
  readonly digits?: string;
  /**
   * Positions of a string value in the file: pairs of (offset in `value`, offset in the file),
   * ascending. Inside a range both advance together; escapes, folded lines and block indentation
   * start a new range. If two pairs have the same value offset, the first is the end of the range
   * before, the second the start of the next.
   */
  readonly origin?: readonly (readonly [value: number, file: number])[];
}

/** Returns the entry with a key; undefined if the node is not a map or doesn't have the key. */
export function entryOf(node: SyntaxNode | undefined, key: string): MapEntry | undefined {
  return node?.kind === "map" ? node.entries.find((each) => each.key.value === key) : undefined;
}

/** Returns the value of a key; undefined if the node is not a map or doesn't have the key. */
export function valueOf(node: SyntaxNode | undefined, key: string): SyntaxNode | undefined {
  return entryOf(node, key)?.value;
}

/** Returns the text of a string scalar; undefined for any other node. */
export function textOf(node: SyntaxNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** Returns the node at a path of keys and indices; undefined if there is none. */
export function nodeAt(
  node: SyntaxNode | undefined,
  path: readonly (string | number)[],
): SyntaxNode | undefined {
  return path.reduce<SyntaxNode | undefined>(
    (at, step) => (at?.kind === "list" ? at.items[Number(step)] : valueOf(at, String(step))),
    node,
  );
}

/** Returns the scalars of a node whose values round their digits. */
export function roundedScalars(node: SyntaxNode): readonly ScalarNode[] {
  if (node.kind === "scalar") return node.digits === undefined ? [] : [node];
  const parts = node.kind === "list" ? node.items : node.entries.map(({ value }) => value);
  return parts.flatMap(roundedScalars);
}

/** Converts a node to JSON. `__proto__` is a key like any other. */
export function toJson(node: SyntaxNode, valueIn = plainValue): JsonValue {
  if (node.kind === "scalar") return valueIn(node);
  if (node.kind === "list") return node.items.map((each) => toJson(each, valueIn));
  const object: Record<string, JsonValue> = {};
  for (const { key, value } of node.entries) setOwn(object, key.value, toJson(value, valueIn));
  return object;
}

function plainValue({ value }: ScalarNode): JsonValue {
  return value;
}

/** Converts a node to JSON, with text in place of each integer that a number would round. */
export function toExactJson(node: SyntaxNode): JsonValue {
  return toJson(node, ({ digits, value }) => digits ?? value);
}

/**
 * Returns the span in the file of `value.slice(start, end)`, also inside quotes, escapes and block
 * scalars.
 */
export function spanWithin(node: ScalarNode, start: number, end: number): Span {
  if (node.origin === undefined || node.origin.length === 0) return node.span;
  const from = fileOffset(node.origin, start);
  const to = end > start ? fileEnd(node.origin, end) : from;
  return { file: node.span.file, start: from, end: Math.min(Math.max(to, from), node.span.end) };
}

type Origin = NonNullable<ScalarNode["origin"]>;

/** File offset at which the character at `offset` of the value begins. */
function fileOffset(origin: Origin, offset: number): number {
  const [value, file] = origin[firstPair(origin, offset + 1) - 1] ?? origin[0] ?? [0, 0];
  return file + (offset - value);
}

/**
 * File offset at which the character before `offset` of the value ends: after its whole escape, and
 * before the next line's indentation.
 */
function fileEnd(origin: Origin, offset: number): number {
  const border = origin[firstPair(origin, offset)];
  return border?.[0] === offset ? border[1] : fileOffset(origin, offset - 1) + 1;
}

/** Returns the index of the first pair with at least this value offset. */
function firstPair(origin: Origin, offset: number): number {
  let low = 0;
  let high = origin.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((origin[middle]?.[0] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
