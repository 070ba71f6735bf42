import type { DiagnosticCode } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import { entryOf, type MapEntry, type MapNode } from "../../core/syntax-node.js";

/** How to tell what an author meant to stand below an empty key, and wrote beside it. */
export interface SpillRules {
  readonly code: DiagnosticCode;
  /** Whether an empty key wants a mapping, and what follows it reads like that mapping's content. */
  readonly isOwner: (owner: MapEntry, follower: MapEntry) => boolean;
  readonly belongsToOwner: (entry: MapEntry) => boolean;
}

/**
 * The mapping with such entries where they belong: a missing indentation is reported once, rather than each entry for standing where it
 * means nothing.
 */
export function gatherSpilled(node: MapNode, rules: SpillRules, report: Report): MapNode {
  const entries: MapEntry[] = [];
  for (let at = 0; at < node.entries.length; at += 1) {
    const owner = node.entries[at];
    if (owner === undefined) break;
    const spilled = spilledAfter(node.entries, at, rules);
    at += spilled.length;
    entries.push(spilled.length === 0 ? owner : withContent(owner, spilled));
    if (spilled.length > 0) reportSpilled(owner, spilled, rules.code, report);
  }
  return { ...node, entries };
}

function spilledAfter(
  entries: readonly MapEntry[],
  at: number,
  { isOwner, belongsToOwner }: SpillRules,
): readonly MapEntry[] {
  const owner = entries[at];
  const follower = entries[at + 1];
  if (owner === undefined || follower === undefined) return [];
  const isEmpty = owner.value.kind === "scalar" && owner.value.value === null;
  if (!isEmpty || !isOwner(owner, follower)) return [];
  const end = entries.findIndex((each, index) => index > at && !belongsToOwner(each));
  return entries.slice(at + 1, end === -1 ? entries.length : end);
}

function withContent(owner: MapEntry, spilled: readonly MapEntry[]): MapEntry {
  const [first, last] = [spilled[0], spilled.at(-1)];
  if (first === undefined || last === undefined) return owner;
  const span = { ...first.key.span, end: last.value.span.end };
  return { key: owner.key, value: { kind: "map", span, entries: spilled } };
}

function reportSpilled(
  { key }: MapEntry,
  spilled: readonly MapEntry[],
  code: DiagnosticCode,
  report: Report,
): void {
  const names = spilled.slice(0, 3).map((each) => quote(each.key.value));
  const more = spilled.length > names.length ? " and more" : "";
  const stand = spilled.length === 1 ? "stands" : "stand";
  report.add({
    code,
    span: key.span,
    message: `${quote(key.value)} is empty: ${names.join(", ")}${more} ${stand} beside it, not in it`,
    help: `indent ${spilled.length === 1 ? "it" : "them"} deeper than ${quote(key.value)}`,
  });
}

/** What a tool's own mappings hold begins with a type, or holds properties. */
export function toolSpills(toolKeys: readonly string[]): SpillRules {
  const mappings = new Set(["parameters", "params", "returns", "binding"]);
  const firstKeys = new Set(["type", "properties", "required", "method", "url"]);
  return {
    code: "tool/wrong-type",
    isOwner: (owner, { key }) => mappings.has(owner.key.value) && firstKeys.has(key.value),
    belongsToOwner: ({ key }) => !toolKeys.includes(key.value),
  };
}

/** Below a tool's name stand keys of a tool, and its parameters; the next mapping with what a tool has is the next tool. */
export function toolsSpills(toolKeys: readonly string[]): SpillRules {
  const isTool = ({ value }: MapEntry) =>
    ["binding", "parameters", "params"].some((key) => entryOf(value, key) !== undefined);
  const isEmpty = ({ value }: MapEntry) => value.kind === "scalar" && value.value === null;
  return {
    code: "tool/not-a-mapping",
    isOwner: (owner, { key }) =>
      !toolKeys.includes(owner.key.value) && toolKeys.includes(key.value),
    belongsToOwner: (entry) =>
      toolKeys.includes(entry.key.value) || (!isTool(entry) && !isEmpty(entry)),
  };
}
