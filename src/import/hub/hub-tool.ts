import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { JsonObject } from "../../core/json.js";
import type { Span } from "../../core/span.js";
import type { SyntaxNode } from "../../core/syntax-node.js";

/** A tool as the hub manifest describes it. Absent fields are absent in the hub manifest, or null. */
export interface HubTool {
  readonly id: string;
  /** Place of the tool in the hub manifest. */
  readonly span: Span;
  /** Name for people. */
  readonly name?: string;
  readonly description?: string;
  readonly risk?: string;
  readonly executor?: string;
  /** JSON Schema of the parameters. */
  readonly schema?: JsonObject;
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly timeoutSeconds?: number;
  readonly allowedPaths: readonly string[];
  readonly isEnabled: boolean;
}

/** An entry of a hub manifest, as it was found. */
export interface FoundEntry {
  /** Id, if the key of the entry decides it. */
  readonly key?: string;
  /** Position in the list, from 1. */
  readonly position: number;
  readonly node: SyntaxNode;
  readonly span: Span;
}

/** An entry of a hub manifest, read. */
export interface ReadEntry {
  /** Name of the entry for people: its id, or its position in the list. */
  readonly label: string;
  /** Absent if the entry can't become a tool. */
  readonly tool?: HubTool;
  /** Parts that get lost; or the reasons why there is no tool. */
  readonly notes: readonly ToolNote[];
}

/** A note about a tool, with its place in the hub manifest. */
export type ToolNote = Pick<UnratedDiagnostic, "code" | "help" | "message" | "span">;

/** Makes the note that a tool is left out. */
export function leftOut(span: Span, message: string, help?: string): ToolNote {
  return {
    code: "import/operation-left-out",
    span,
    message,
    ...(help !== undefined && { help }),
  };
}
