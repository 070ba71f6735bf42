import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { JsonObject } from "../../core/json.js";
import type { Span } from "../../core/span.js";

/** A tool as a source describes it. */
export interface SourceTool {
  /** Identity in the source. */
  readonly id: string;
  /** Place of the tool in the source. */
  readonly span: Span;
}

/** A note about a tool, with its place in the source. */
export type ToolNote = Pick<UnratedDiagnostic, "code" | "help" | "message" | "span">;

/** An entry of a source, read. */
export interface ReadEntry<Tool extends SourceTool> {
  /** Name of the entry for people: its id, or its position in the list. */
  readonly label: string;
  /** Absent if the entry can't become a tool. */
  readonly tool?: Tool;
  /** Notes about lost parts, or the reasons why there is no tool. */
  readonly notes: readonly ToolNote[];
}

/** The tool of a skill that a tool of a source becomes. */
export interface DraftTool {
  readonly tool: JsonObject;
  readonly notes: readonly ToolNote[];
}

/** A drafted tool with its name in the skill. */
export interface NamedTool<Tool extends SourceTool> {
  readonly name: string;
  readonly source: Tool;
  readonly tool: JsonObject;
}

/** Makes the note that a tool is left out. */
export function leftOut(span: Span, message: string, help?: string): ToolNote {
  return {
    code: "import/operation-left-out",
    span,
    message,
    ...(help !== undefined && { help }),
  };
}

/** Place of an entry, to point at its start alone. */
export function startOf(span: Span): Span {
  return { ...span, end: Math.min(span.end, span.start + 1) };
}
