/**
 * Reads and writes the text of skillc.lock: one line per tool, sorted by id. So a merge of two
 * branches only conflicts if they lock the same tools. The text is YAML, whose lines need no
 * commas.
 */
import { manifestRules } from "../../compiler/resolve/manifest.js";
import { mergeMarker } from "../../core/merge-markers.js";
import { compareText } from "../../core/report.js";
import type { TextRange } from "../../core/span.js";

export const lockFileName = "skillc.lock";

/** A tool when it was locked. */
export interface LockedTool {
  /** Id of the tool: `skill/tool`. */
  readonly id: string;
  /** Declared version; null if there is none. */
  readonly version: string | null;
  /** Hash of the manifest: `manifest_hash` of the catalog. */
  readonly manifest: string;
}

/** Version of the rules for hashes. Hashes by other rules are not comparable. */
const format = manifestRules;
const beginning = "# skillc.lock ";
const head = `${beginning}${format}: written by \`skillc lock\`, read by \`skillc generate --check\`; do not edit.\n`;

/**
 * Checks if `skillc lock` may replace a text: a lock of skillc in any format, a merge conflict of
 * one, or nothing.
 */
export function isReplaceable(text: string): boolean {
  return text === "" || text.startsWith(beginning) || mergeMarker(text, false) !== undefined;
}

export function renderLock(tools: readonly LockedTool[]): string {
  const lines = tools.toSorted((a, b) => compareText(a.id, b.id)).map(lineOf);
  return `${head}${lines.join("")}`;
}

function lineOf({ id, manifest, version }: LockedTool): string {
  const [name, declared, hash] = [id, version, manifest].map((each) => JSON.stringify(each));
  return `${name}: { "version": ${declared}, "manifest": ${hash} }\n`;
}

export type ReadLock =
  | { readonly kind: "lock"; readonly tools: readonly PlacedTool[] }
  | { readonly kind: "unreadable"; readonly problem: LockProblem };

export interface PlacedTool extends LockedTool {
  /** Range of the line. */
  readonly at: TextRange;
}

export interface LockProblem {
  readonly at: TextRange;
  readonly message: string;
}

const text = `"(?:[^"\\\\]|\\\\.)*"`;
const line = new RegExp(
  `^(${text}): \\{ "version": (${text}|null), "manifest": "([0-9a-f]{64}(?:-[0-9a-f]{64})?)" \\}$`,
);

/**
 * Parses a lock. A line that `skillc lock` would not write comes from a merge or a person, and is
 * an error.
 */
export function readLock(written: string): ReadLock {
  const conflict = mergeMarker(written, false);
  if (conflict !== undefined)
    return unreadable(conflict, "a merge left an unresolved conflict here");
  const [first, ...lines] = [...written.matchAll(/[^\r\n]+/g)].map(({ 0: found, index }) => ({
    found,
    at: { start: index, end: index + found.length },
  }));
  if (first?.found !== head.trimEnd())
    return unreadable(
      first?.at ?? { start: 0, end: 0 },
      first?.found.startsWith(beginning) === true
        ? `another version of skillc wrote this lock; this version writes format ${format}`
        : "`skillc lock` did not write this file",
    );
  const tools: PlacedTool[] = [];
  const ids = new Set<string>();
  for (const { at, found } of lines) {
    const tool = toolIn(found);
    if (tool === undefined) return unreadable(at, "`skillc lock` did not write this line");
    if (ids.has(tool.id)) return unreadable(at, "this tool is in the lock twice");
    ids.add(tool.id);
    tools.push({ ...tool, at });
  }
  return { kind: "lock", tools };
}

function toolIn(found: string): LockedTool | undefined {
  const [, name = "", declared = "", manifest = ""] = line.exec(found) ?? [];
  const [id, version] = [textIn(name), declared === "null" ? null : textIn(declared)];
  return id === undefined || version === undefined ? undefined : { id, version, manifest };
}

/** Parses quoted text; undefined if it is not JSON. */
function textIn(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(at: TextRange, message: string): ReadLock {
  return { kind: "unreadable", problem: { at, message } };
}
