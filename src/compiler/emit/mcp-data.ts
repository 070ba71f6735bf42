import type { McpData, McpToolData } from "@skillc/runtime/mcp";
import { capabilitiesOf } from "../../bindings/capabilities.js";
import type { KindRegistry } from "../../bindings/registry.js";
import { setOwn } from "../../core/json.js";
import type { LoweredSkill, LoweredTool } from "../../core/lowered-skill.js";
import type { BindingKind } from "../../kit/binding.js";
import { toolHints, type ToolHints } from "../../kit/tool-hints.js";
import { derivedSkill } from "./derived-skill.js";
import { outputSchema } from "./output-schema.js";
import type { LinkedFile } from "../../core/project.js";

/** A skill, and the files that its body links to. */
export interface PublishedSkill {
  readonly lowered: LoweredSkill;
  /** Files to publish with the skill. */
  readonly files: readonly LinkedFile[];
}

/** Makes the data of the project's MCP server. */
export function mcpData(skills: readonly PublishedSkill[], kinds: KindRegistry): McpData {
  const all = new Map(
    skills.flatMap(({ lowered }) => lowered.tools.map((each) => [each.id, each] as const)),
  );
  const hints = new Map<string, ToolHints>();
  const hintsOf = (id: string): ToolHints | undefined => {
    const lowered = all.get(id);
    if (lowered === undefined || hints.has(id)) return hints.get(id);
    const own = toolHints(lowered.tool, kindOf(lowered, kinds), hintsOf);
    hints.set(id, own);
    return own;
  };
  const tools: Record<string, McpToolData> = {};
  const known = {
    tool: (id: string) => all.get(id),
    kindOf: (tool: LoweredTool) => kindOf(tool, kinds),
  };
  for (const [id, lowered] of all) {
    const schema = outputSchema(lowered, kindOf(lowered, kinds), known);
    setOwn(tools, id, toolData(lowered, kinds, hintsOf(id), schema));
  }
  return {
    version: 1,
    tools,
    skills: skills.map(derivedSkill),
  };
}

function kindOf({ tool }: LoweredTool, kinds: KindRegistry): BindingKind {
  const kind = kinds.find(tool.binding.type);
  if (kind === undefined) throw new Error(`no binding kind \`${tool.binding.type}\``);
  return kind;
}

function toolData(
  lowered: LoweredTool,
  kinds: KindRegistry,
  hints: ToolHints | undefined,
  schema: McpToolData["output_schema"],
): McpToolData {
  const { id, tool, version } = lowered;
  const capabilities = capabilitiesOf(tool, id, kinds);
  return {
    manifest_hash: version.manifest,
    annotations: {
      readOnlyHint: hints?.readOnly === true,
      destructiveHint: hints?.destructive !== false,
      idempotentHint: hints?.idempotent === true,
      openWorldHint: !capabilities.every(({ capability }) => isClosed.test(capability)),
    },
    output_schema: schema,
  };
}

/** Matches capabilities of databases, brokers and files, whose targets the compiler knows. */
const isClosed = /^(?:sql:|queue:|fs\.)/;
