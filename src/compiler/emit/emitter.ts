import type { BindingKind } from "../../kit/binding.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { Code } from "../../core/code.js";
import type { LoweredSkill, LoweredTool } from "../../core/lowered-skill.js";
import type { ProjectGovernance } from "../../core/governance-model.js";
import type { DraftFile, OutputFile } from "../../core/output.js";
import type { CedarPolicies } from "@skillc/runtime/governance";
import type { McpData } from "@skillc/runtime/mcp";
import type { CatalogedSkill } from "./catalog-data.js";
import { frameModule } from "./frame-module.js";

/**
 * Produces one output, such as the catalog: files for each tool, for each skill's folder, for the
 * whole project, or several of these. `emitters.ts` lists all emitters.
 */
export interface Emitter {
  /** Name of the output, in a word. */
  readonly name: string;
  /**
   * Files of a tool, below its skill's folder. They depend only on the tool, and are cached with
   * it.
   */
  ofTool?(tool: EmittedTool): Promise<readonly DraftFile[]>;
  /** Files of a skill with tools. They depend only on the skill. */
  ofSkill?(skill: EmittedSkill, kinds: KindRegistry): readonly DraftFile[];
  /**
   * Files that contain or name every skill. Their text changes only if a named thing is added or
   * removed.
   */
  ofProject?(project: EmittedProject): readonly DraftFile[];
  /** Files about a skill's other files, after those are printed. */
  ofPrintedSkill?(lowered: LoweredSkill, files: readonly OutputFile[]): readonly DraftFile[];
  /** Files about files that belong to no skill, after those are printed. */
  ofPrintedProject?(printed: PrintedProject): readonly DraftFile[];
}

export interface EmittedTool {
  readonly lowered: LoweredTool;
  readonly skill: LoweredSkill;
  readonly kind: BindingKind;
  /** Output folder, relative to the project root. */
  readonly out: string;
}

export interface EmittedSkill {
  readonly lowered: LoweredSkill;
  readonly catalog: CatalogedSkill;
}

export interface EmittedProject extends LoweredProject {
  readonly kinds: KindRegistry;
  /** Source for file headers: `skills/`. */
  readonly source: string;
  /** Absent in a project without governance. */
  readonly governance?: EmittedGovernance;
  /** Data of the MCP server; absent if skillc.yaml doesn't have the key `mcp`. */
  readonly mcp?: McpData;
}

/** The lowered skills of a project, without settings. */
export interface LoweredProject {
  /** All skills, including those without tools. */
  readonly skills: readonly Pick<EmittedSkill, "lowered">[];
}

/** Governance of a project. */
export interface EmittedGovernance {
  readonly says: ProjectGovernance;
  /** Compiled policies and conditions; absent if there are none. */
  readonly cedar?: CedarPolicies;
}

export interface PrintedProject {
  /** Source for file headers: `skills/`. */
  readonly source: string;
  /** Checksums of the files, by path. */
  readonly checksums: ReadonlyMap<string, string>;
}

/**
 * Makes a module of a skill's folder.
 *
 * @param declared names that its body declares at its top level
 */
export function skillModule(
  lowered: LoweredSkill,
  name: string,
  body: Code,
  declared: readonly string[],
): DraftFile {
  const code = frameModule(body, new Set(declared));
  const path = `${lowered.folder}/${name}.ts`;
  return { path, source: toolsFile(lowered), body: { kind: "typescript", code } };
}

/** Returns SKILL.md, or the metadata file beside it. Only one of them declares tools. */
export function toolsFile({ skill, tools }: LoweredSkill): string {
  return tools[0]?.tool.span.file ?? skill.file;
}

/**
 * Makes a module of the output folder itself.
 *
 * @param declared names that its body declares at its top level
 */
export function projectModule(
  { source }: EmittedProject,
  name: string,
  body: Code,
  declared: readonly string[],
): DraftFile {
  const code = frameModule(body, new Set(declared));
  return { path: `${name}.ts`, source, body: { kind: "typescript", code } };
}

/** Lists the skills with a folder of their own. */
export function skillsWithTools({ skills }: LoweredProject): readonly LoweredSkill[] {
  return skills.flatMap(({ lowered }) => (lowered.tools.length > 0 ? [lowered] : []));
}

/** All tools, in the order of their skills. */
export function toolsOf({ skills }: LoweredProject): readonly LoweredTool[] {
  return skills.flatMap(({ lowered }) => lowered.tools);
}
