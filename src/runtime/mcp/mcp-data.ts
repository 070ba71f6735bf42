/** The content of generated/mcp.json: what the compiler knows about the tools for MCP clients. */
import type { JsonValue } from "../json/json.js";

/** Everything that an MCP server needs beside the catalog. */
export interface McpData {
  /** Version of the format. */
  readonly version: 1;
  /** Tools by their id `skill/tool`. */
  readonly tools: { readonly [id: string]: McpToolData };
  /** Derived skills, without bindings and metadata of their authors. */
  readonly skills: readonly McpSkill[];
}

/** Hints and result schema of one tool. */
export interface McpToolData {
  /** Hash of the tool's manifest, as in the catalog. */
  readonly manifest_hash: string;
  /** Hints of MCP about the effect of a call. */
  readonly annotations: McpAnnotations;
  /** JSON Schema of the whole union of results. */
  readonly output_schema: { readonly [keyword: string]: JsonValue };
}

/** Hints of MCP about the effect of a call. */
export interface McpAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A skill in the form of the Agent Skills specification. */
export interface McpSkill {
  readonly name: string;
  readonly description: string;
  /** Hash over the manifests of the skill's tools. */
  readonly manifest: string;
  /** Names of the skill's tools for models. */
  readonly tools: readonly string[];
  readonly files: readonly McpSkillFile[];
}

/** One file of a derived skill: text, or bytes in base64. */
export interface McpSkillFile {
  /** Path in the skill's folder, with `/`. */
  readonly path: string;
  readonly text?: string;
  readonly base64?: string;
  readonly media_type: string;
}
