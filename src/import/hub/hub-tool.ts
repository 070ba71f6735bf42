import type { JsonObject } from "../../core/json.js";
import type { Span } from "../../core/span.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import type { SourceTool } from "../tools/entry.js";

/** A tool as the hub manifest describes it. Absent fields are absent in the hub manifest, or null. */
export interface HubTool extends SourceTool {
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
