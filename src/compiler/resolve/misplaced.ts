import type { DiagnosticCode, UnratedDiagnostic } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  textOf,
} from "../../core/syntax-node.js";
import { didYouMean } from "../../schema/suggestion.js";
import { block } from "../../core/skill-syntax.js";
import { settingKeys } from "./skill-settings.js";

/**
 * Tools in a place that skillc does not read. Without a report, the skill would silently have no
 * tools.
 */
interface MisplacedTools {
  readonly diagnostics: readonly UnratedDiagnostic[];
  /** Keys of the front matter that contain the tools. */
  readonly entries: ReadonlySet<MapEntry>;
}

/** Keys for tools. */
export const toolsKeys: readonly string[] = ["tools", "tools_schema"];

/**
 * Finds keys of the front matter, of its `metadata`, and of the metadata file that look like tools,
 * or like one tool, in wrong places.
 */
export function misplacedTools({ frontMatter, metadata }: SkillSyntax): MisplacedTools {
  const top = foreignKeys(frontMatter);
  const below = foreignKeys(entryOf(frontMatter, "metadata")?.value);
  const misnamed = [...top, ...below].filter(holdsTools);
  const beside = foreignKeys(metadata?.root);
  const loose = top.filter(({ value }) => isBound(value));
  return {
    diagnostics: [
      ...misnamed.map(misnamedKey),
      ...loose.slice(0, 1).map(looseTool),
      ...beside.filter(clearlyHoldsTools).map(misnamedKey),
      ...beside
        .filter(({ value }) => isBound(value))
        .slice(0, 1)
        .map(looseTool),
    ],
    entries: new Set([...misnamed, ...loose]),
  };
}

/** Keys with a meaning; their own rules report problems below them. */
const known: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
  ...toolsKeys,
  ...settingKeys,
  block,
]);

function foreignKeys(node: SyntaxNode | undefined): readonly MapEntry[] {
  return node?.kind === "map" ? node.entries.filter(({ key }) => !known.has(key.value)) : [];
}

/**
 * Checks for a mapping of mappings with keys of a tool. If the name isn't close to `tools`,
 * descriptions alone are not enough.
 */
function holdsTools({ key, value }: MapEntry): boolean {
  if (value.kind !== "map") return false;
  const parts = ["binding", "parameters", "params", "returns", "description"];
  const readsLikeTool = (node: SyntaxNode) =>
    isToolsName(key.value)
      ? parts.some((part) => entryOf(node, part) !== undefined)
      : isBound(node);
  return value.entries.some((each) => readsLikeTool(each.value));
}

/**
 * Checks more strictly in the metadata file, because other programs keep data in a file with this
 * name. Neither descriptions alone nor schemas under any key count as tools there.
 */
function clearlyHoldsTools({ key, value }: MapEntry): boolean {
  if (value.kind !== "map") return false;
  const isTool = (node: SyntaxNode) =>
    ["binding", "parameters", "params"].some((part) => entryOf(node, part)?.value.kind === "map");
  return value.entries.some((each) =>
    isToolsName(key.value) ? isTool(each.value) : isBound(each.value),
  );
}

function isBound(node: SyntaxNode): boolean {
  return textOf(entryOf(entryOf(node, "binding")?.value, "type")?.value) !== undefined;
}

/** Checks for a name such as `tool`, `toolsSchema` or `Tools-Schema`. */
function isToolsName(name: string): boolean {
  return (
    /^tools?([-_ ]?(schemas?|list|map|definitions?))?$/i.test(name) || nearly(name) !== undefined
  );
}

function nearly(name: string): string | undefined {
  return didYouMean(name, toolsKeys);
}

function misnamedKey({ key }: MapEntry): UnratedDiagnostic {
  return {
    code: "skill/misplaced-tools",
    span: key.span,
    message: `${quote(key.value)} has tools, but skillc looks for no tools there`,
    help: nearly(key.value) ?? "name the key `tools_schema`",
  };
}

function looseTool({ key }: MapEntry): UnratedDiagnostic {
  return {
    code: "skill/misplaced-tools",
    span: key.span,
    message: `${quote(key.value)} looks like a tool, but is not under \`tools_schema\``,
    help: "put it below the key `tools_schema`, indented deeper",
  };
}

/** Rules that detect content written beside an empty key instead of below it. */
interface SpillRules {
  readonly code: DiagnosticCode;
  /** Checks if the empty key expects a mapping, and the next entry looks like its content. */
  readonly isOwner: (owner: MapEntry, follower: MapEntry) => boolean;
  readonly belongsToOwner: (entry: MapEntry) => boolean;
}

/**
 * Moves such entries below their key, so that a missing indentation is reported once instead of
 * once per entry.
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

/** Rules for a tool's own mappings, whose content starts with a type or with properties. */
export function toolSpills(toolKeys: readonly string[]): SpillRules {
  const mappings = new Set(["parameters", "params", "returns", "binding"]);
  const firstKeys = new Set(["type", "properties", "required", "method", "url"]);
  return {
    code: "tool/wrong-type",
    isOwner: (owner, { key }) => mappings.has(owner.key.value) && firstKeys.has(key.value),
    belongsToOwner: ({ key }) => !toolKeys.includes(key.value),
  };
}

/**
 * Rules for the mapping of tools. Keys and parameters of a tool follow its name. The next mapping
 * with keys of a tool is the next tool.
 */
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
