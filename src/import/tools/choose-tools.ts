/** Chooses the tools of an import, with the choices of the last one. */
import { posix } from "node:path";
import type { Report } from "../../core/report.js";
import { readLastImport } from "../again/draft-import.js";
import type { Present } from "../again/draft-writes.js";
import { reportOtherSource } from "../again/other-source.js";
import type { ImportKind, ImportRequest, StoredImport } from "../again/stored-import.js";
import { slug } from "../skills/names.js";
import type { ReadEntry, SourceTool } from "./entry.js";

/** Options of every import of tools. */
export interface ToolsRequest {
  /** Path of the file, relative to the project. */
  readonly source: string;
  /** Ids of the tools to take; all by default. */
  readonly only?: readonly string[];
}

/** A source of tools and its chosen entries. */
export interface ReadTools<Tool extends SourceTool, Request extends ToolsRequest> {
  /** Name of the import. */
  readonly name: string;
  readonly request: Request;
  readonly stored: StoredImport | undefined;
  readonly chosen: readonly ReadEntry<Tool>[];
  /** Ids of the choice that the source does not have. */
  readonly unknown: readonly string[];
}

/** The tools of a source, and the options of their import. */
export interface ToolsInput<Tool extends SourceTool, Request extends ToolsRequest> {
  readonly kind: ImportKind;
  readonly entries: readonly ReadEntry<Tool>[];
  readonly request: Request;
  /** Name of the import, if the caller gives one. */
  readonly name: string | undefined;
  /** Name of the import by default. */
  readonly usualName: string;
  /** Path of the source for messages. */
  readonly file: string;
  /** Reads the choices of the last import. */
  readonly choicesOf: (request: ImportRequest) => Partial<Request>;
  readonly present: Present;
}

/** @returns undefined, with an error in `report`, if the last import can't be used */
export function chooseTools<Tool extends SourceTool, Request extends ToolsRequest>(
  input: ToolsInput<Tool, Request>,
  report: Report,
): ReadTools<Tool, Request> | undefined {
  const { choicesOf, entries, file, kind, present, request: asked } = input;
  const name = input.name === undefined ? input.usualName : slug(input.name, "tools");
  const stored = readLastImport(kind, name, present, report);
  if (stored === "unusable") return undefined;
  const keys = entries.map(({ label }) => label);
  const source = { name, source: asked.source, file, keys, things: "tools" };
  if (stored && input.name === undefined && reportOtherSource(source, stored, report))
    return undefined;
  const request = { ...(stored && choicesOf(stored.request)), ...asked };
  const { only } = request;
  const known = new Set(keys);
  return {
    name,
    request,
    stored,
    chosen: only === undefined ? entries : entries.filter(({ label }) => only.includes(label)),
    // A tool that the source no longer has is a change, and not an unknown word.
    unknown: (asked.only ?? []).filter((id) => !known.has(id) && !stored?.names.has(id)),
  };
}

/** Words of file names that say nothing about the tools in it. */
const noise: ReadonlySet<string> = new Set(["manifest", "tools", "tool", "index"]);

/** Default name of an import: `scripts` for `scripts/manifest.json`, `ops` for `ops.json`. */
export function nameOfSource(source: string): string {
  const base = posix.basename(source).replace(/\.[^.]*$/, "");
  const folder = posix.basename(posix.dirname(source));
  const isPlain = !noise.has(base.toLowerCase()) || /^\.*$/.test(folder);
  return slug(isPlain ? base : folder, "tools");
}
