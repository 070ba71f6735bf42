import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from "yaml";
import type { DiagnosticCode } from "../../core/diagnostic.js";
import { quote, shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import type { MapEntry, ScalarNode, SyntaxNode } from "../../core/syntax-node.js";
import { handWritten, tooDeep, type YamlLimits } from "./compose-yaml.js";
import { reportCutStart, reportCutValue } from "./cut-value.js";
import { type RepeatedKey, reportRepeats } from "./repeated-keys.js";
import { isTooLarge, keyNode, scalarNode, type YamlScalar } from "./scalar-spelling.js";

/**
 * Converts the yaml library's nodes to a `SyntaxNode`. An alias becomes the same node as its
 * anchor, with the anchor's spans, because problems are fixed there. Undefined if a problem leaves
 * no complete tree; smaller problems are reported and their parts left out.
 */
export function syntaxTree(
  { path, text }: SourceFile,
  root: ParsedNode,
  report: Report,
  limits = handWritten,
): SyntaxNode | undefined {
  const builder: Builder = {
    file: path,
    text,
    report,
    limits,
    anchors: new Map(),
    merged: 0,
    broken: false,
  };
  const built = build(root, 1, builder);
  if (built.size > limits.nodes && !builder.broken) {
    tell(
      builder,
      "parse/too-large",
      built.node.span,
      `more than ${limits.nodes} values, aliases included`,
    );
    return undefined;
  }
  return builder.broken ? undefined : built.node;
}

interface Builder {
  readonly file: string;
  readonly text: string;
  readonly report: Report;
  readonly limits: YamlLimits;
  /** Nodes by anchor; `open` while the anchor's node isn't finished. */
  readonly anchors: Map<string, Built | "open">;
  /** Number of entries examined for merging. */
  merged: number;
  broken: boolean;
}

interface Built {
  readonly node: SyntaxNode;
  /** Number of nodes in the value, with aliases expanded. */
  readonly size: number;
  /** Depth of the value, including its own level. */
  readonly levels: number;
  /** Text of a scalar, for use as a key. */
  readonly key?: ScalarNode & { readonly value: string };
}

function build(node: ParsedNode, level: number, builder: Builder): Built {
  if (isAlias(node)) return follow(node.source, spanOf(node, builder), level, builder);
  if (level > builder.limits.levels)
    return refuse(builder, "parse/too-deep", spanOf(node, builder), tooDeep(builder.limits));
  const name = node.anchor;
  if (name !== undefined) builder.anchors.set(name, "open");
  const built = isMap(node)
    ? buildMap(node, level, builder)
    : isSeq(node)
      ? buildList(node, level, builder)
      : buildScalar(node, builder);
  if (name !== undefined) builder.anchors.set(name, built);
  return built;
}

/** Returns the node of an anchor. */
function follow(name: string, span: Span, level: number, builder: Builder): Built {
  const target = builder.anchors.get(name);
  if (target === undefined) {
    return refuse(builder, "parse/unknown-alias", span, `no \`&${name}\` comes before this alias`);
  }
  if (target === "open") {
    return refuse(builder, "parse/recursive-alias", span, `\`*${name}\` is inside its own value`);
  }
  if (level + target.levels - 1 > builder.limits.levels)
    return refuse(builder, "parse/too-deep", span, tooDeep(builder.limits));
  return target;
}

function buildScalar(scalar: YamlScalar, builder: Builder): Built {
  const node = scalarNode(builder.file, scalar);
  checkNumber(scalar, node, builder);
  if (builder.limits.allowsCutValues !== true) reportCutValue(scalar, builder);
  return { node, size: 1, levels: 1, key: keyNode(builder.file, scalar) };
}

/** Reads `{{q}}` as the intended placeholder, so that nothing else reports the mistake again. */
function unquoted(name: string, span: Span, builder: Builder): Built {
  const message = `without quotes, ${quote(`{{${name}}}`)} is a mapping as a key of another mapping`;
  const help = `for the value of a parameter, write \`"{${shown(name)}}"\``;
  builder.report.add({ code: "parse/key-not-text", span, message, help });
  return { node: { kind: "scalar", span, value: `{${name}}` }, size: 1, levels: 1 };
}

function buildList(list: YAMLSeq.Parsed, level: number, builder: Builder): Built {
  const items = list.items.map((item) => build(item, level + 1, builder));
  const node: SyntaxNode = {
    kind: "list",
    span: spanOf(list, builder),
    items: items.map((item) => item.node),
  };
  return { node, ...measure(items) };
}

function buildMap(map: YAMLMap.Parsed, level: number, builder: Builder): Built {
  const placeholder = nameInDoubledBraces(map);
  if (placeholder !== undefined) return unquoted(placeholder, spanOf(map, builder), builder);
  const seen = new Map<string, Span>();
  const entries: MapEntry[] = [];
  const repeats: RepeatedKey[] = [];
  const values: Built[] = [];
  const merges: { readonly at: number; readonly from: Built }[] = [];
  for (const pair of map.items) {
    if (builder.limits.mergesKeys && isMergeKey(pair.key) && pair.value) {
      merges.push({ at: entries.length, from: build(pair.value, level + 1, builder) });
      continue;
    }
    const key = buildKey(pair.key, level, builder);
    if (builder.limits.allowsCutValues !== true) reportCutStart(pair.key, pair.value, builder);
    const value = pair.value
      ? build(pair.value, level + 1, builder)
      : nothingAt(pair.key.range[1], builder);
    if (key === undefined) continue;
    const first = seen.get(key.value);
    if (first !== undefined) {
      repeats.push({ key, first, before: entries.at(-1) });
      continue;
    }
    seen.set(key.value, key.span);
    entries.push({ key, value: value.node });
    values.push(value);
  }
  reportRepeats(repeats, builder.report);
  const inherited = merges.map(({ at, from }) => ({ at, entries: merge(from, seen, builder) }));
  for (const each of inherited.toReversed()) entries.splice(each.at, 0, ...each.entries);
  const node: SyntaxNode = { kind: "map", span: spanOf(map, builder), entries };
  return { node, ...measure([...values, ...merges.map(({ from }) => from)]) };
}

/**
 * Returns the entries that a mapping merges from another, or from several. Its own entries come
 * first.
 */
function merge({ node }: Built, seen: Map<string, Span>, builder: Builder): readonly MapEntry[] {
  const sources = node.kind === "list" ? node.items : [node];
  const taken: MapEntry[] = [];
  for (const source of sources) {
    // The problem of the anchor was reported already.
    if (builder.broken) return [];
    if (source.kind !== "map") {
      const help = "it takes a mapping, or a list of mappings";
      const message = "`<<` has a value that can't be merged";
      builder.report.add({ code: "parse/merge-key", span: source.span, message, help });
      continue;
    }
    builder.merged += source.entries.length;
    if (builder.merged > builder.limits.nodes) {
      refuse(builder, "parse/too-large", source.span, "too many entries are merged by `<<`");
      return [];
    }
    for (const entry of source.entries) {
      if (seen.has(entry.key.value)) continue;
      seen.set(entry.key.value, entry.key.span);
      taken.push(entry);
    }
  }
  return taken;
}

function isMergeKey(node: ParsedNode): boolean {
  return isScalar(node) && node.type === "PLAIN" && node.source === "<<";
}

function buildKey(node: ParsedNode, level: number, builder: Builder): MapEntry["key"] | undefined {
  const span = spanOf(node, builder);
  if (isMergeKey(node)) {
    const help = "write the keys out: YAML 1.2 has no merging";
    builder.report.add({ code: "parse/merge-key", span, message: "`<<` merges nothing", help });
    return undefined;
  }
  const { key } = build(node, level + 1, builder);
  if (key === undefined && !builder.broken) {
    builder.report.add({ code: "parse/key-not-text", span, message: "a key must be text" });
  }
  return key;
}

/** Value of a key without a value. */
function nothingAt(offset: number, builder: Builder): Built {
  const span = { file: builder.file, start: offset, end: offset };
  return { node: { kind: "scalar", span, value: null }, size: 1, levels: 1 };
}

function measure(children: readonly Built[]): { readonly size: number; readonly levels: number } {
  let size = 1;
  let levels = 0;
  for (const child of children) {
    size += child.size;
    levels = Math.max(levels, child.levels);
  }
  return { size, levels: levels + 1 };
}

/**
 * Reports numbers that JSON lacks (NaN, infinity), and integers beyond 2^53, which JavaScript can't
 * distinguish.
 */
function checkNumber(scalar: YamlScalar, { digits, span }: ScalarNode, builder: Builder): void {
  if (typeof scalar.value !== "number") return;
  if (isTooLarge(scalar)) {
    const message = "this number is too large for a double";
    const help = `the largest is ${Number.MAX_VALUE}; in quotes it is text`;
    builder.report.add({ code: "parse/number-not-json", span, message, help });
  } else if (!Number.isFinite(scalar.value)) {
    tell(builder, "parse/number-not-json", span, "JSON has no such number");
  } else if (digits !== undefined && builder.limits.keepsDigits !== true) {
    const message = `this integer is read as ${scalar.value}`;
    const help = "put it in quotes if every digit counts";
    builder.report.add({ code: "parse/unsafe-integer", span, message, help });
  }
}

/** Reports a problem that leaves no complete tree. */
function refuse(builder: Builder, code: DiagnosticCode, span: Span, message: string): Built {
  if (!builder.broken) tell(builder, code, span, message);
  builder.broken = true;
  return nothingAt(span.start, builder);
}

function tell(builder: Builder, code: DiagnosticCode, span: Span, message: string): void {
  builder.report.add({ code, span, message });
}

function spanOf(node: ParsedNode, builder: Builder): Span {
  return { file: builder.file, start: node.range[0], end: node.range[1] };
}

/**
 * Name of a placeholder in the form of other template languages, without quotes: `{{q}}`, which
 * YAML reads as a mapping as a key.
 */
function nameInDoubledBraces(node: ParsedNode): string | undefined {
  const inner = onlyKey(node);
  const name = inner === undefined ? undefined : onlyKey(inner);
  return isScalar(name) && typeof name.value === "string" ? name.value : undefined;
}

/** Returns the only key of a mapping in braces without a value. */
function onlyKey(node: ParsedNode): ParsedNode | undefined {
  if (!isMap(node) || node.flow !== true) return undefined;
  const [only, ...others] = node.items;
  if (only === undefined || others.length > 0) return undefined;
  const isEmpty = only.value === null || (isScalar(only.value) && only.value.source === "");
  return isEmpty ? only.key : undefined;
}
