import type { JsonObject } from "../../core/json.js";
import type { Span } from "../../core/span.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import type { SourceTool } from "../tools/entry.js";

/** A tool as its definition describes it. Absent fields are absent in the definition, or null. */
export interface AgentTool extends SourceTool {
  readonly description?: string;
  readonly category?: string;
  /** JSON Schema of the parameters. */
  readonly parameters: JsonObject;
  /** JSON Schema of the result. */
  readonly returns?: JsonObject;
  /** Other names of parameters, by parameter: a text, or a list of texts. */
  readonly aliases: JsonObject;
}

/** A definition, as it was found. */
export interface FoundDefinition {
  /** Position among all definitions, from 1. */
  readonly position: number;
  readonly node: SyntaxNode;
  readonly span: Span;
}
