import { type JsonValue, setOwn } from "./json.js";
import type { Span } from "./span.js";

/** YAML or JSON as written: every node has a span, and nothing is interpreted. */
export type SyntaxNode = MapNode | ListNode | ScalarNode;

export interface MapNode {
  readonly kind: "map";
  readonly span: Span;
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  /** Keys are text: `404: not_found` has the key `"404"`. */
  readonly key: ScalarNode & { readonly value: string };
  readonly value: SyntaxNode;
}

export interface ListNode {
  readonly kind: "list";
  readonly span: Span;
  readonly items: readonly SyntaxNode[];
}

export interface ScalarNode {
  readonly kind: "scalar";
  /** The whole scalar, quotes or block header included. */
  readonly span: Span;
  readonly value: string | number | boolean | null;
  /** The digits of an integer that `value` holds rounded. */
  readonly digits?: string;
  /**
   * Positions of a string value in the file: pairs of (offset in `value`, offset in the file),
   * ascending. Inside a range both advance together; escapes, folded lines and block indentation
   * start a new range. If two pairs have the same value offset, the first is the end of the range
   * before, the second the start of the next.
   */
  readonly origin?: readonly (readonly [value: number, file: number])[];
}

/** The entry of that key, if the node is a map that has it. */
export function entryOf(node: SyntaxNode | undefined, key: string): MapEntry | undefined {
  return node?.kind === "map" ? node.entries.find((each) => each.key.value === key) : undefined;
}

/** The value under that key, if the node is a map that has it. */
export function valueOf(node: SyntaxNode | undefined, key: string): SyntaxNode | undefined {
  return entryOf(node, key)?.value;
}

/** The text of a string scalar; undefined for any other node. */
export function textOf(node: SyntaxNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** The node at a path of keys and indices. */
export function nodeAt(
  node: SyntaxNode | undefined,
  path: readonly (string | number)[],
): SyntaxNode | undefined {
  return path.reduce<SyntaxNode | undefined>(
    (at, step) => (at?.kind === "list" ? at.items[Number(step)] : valueOf(at, String(step))),
    node,
  );
}

/** Scalars of a node whose digits their values have lost. */
export function roundedScalars(node: SyntaxNode): readonly ScalarNode[] {
  if (node.kind === "scalar") return node.digits === undefined ? [] : [node];
  const parts = node.kind === "list" ? node.items : node.entries.map(({ value }) => value);
  return parts.flatMap(roundedScalars);
}

/** The value that the node spells; `__proto__` is a key like any other. */
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

/** The same with the digits of each integer that a number would hold rounded, as text. */
export function toExactJson(node: SyntaxNode): JsonValue {
  return toJson(node, ({ digits, value }) => digits ?? value);
}

/**
 * The span of `value.slice(start, end)` in the file, inside quotes, escapes and block scalars too.
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

/** Index of the first pair whose value offset is at least `offset`. */
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
