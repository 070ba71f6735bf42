import type { KindRegistry } from "../bindings/registry.js";
import type { LoweredSkill, LoweredTool } from "../core/lowered-skill.js";
import { sha256 } from "../core/hash.js";
import type { DraftFile, OutputFile } from "../core/output.js";
import { withoutPlaces } from "../core/places.js";
import type { ProjectConfig } from "../core/project.js";
import type { Style } from "../core/style.js";
import type { Sessions } from "./analyze/sessions.js";
import { emitTool } from "./emit/emitters.js";
import type { ScheduledRunner } from "./runner.js";
import { printDrafts } from "./print-drafts.js";
import type { SharedModules } from "./print-shared.js";
import type { SkillCache } from "./compile-cache.js";
import { checkedCode, keyOfTypeCheck } from "./verify/checked-code.js";
import type { Stopwatch } from "./stopwatch.js";
import type { PrintedModule } from "./unit.js";
import type { TypeCheckSettings } from "./verify/check-types.js";

/** Everything that determines the printed tools. */
export interface ToolPrinting {
  readonly config: Pick<ProjectConfig, "out">;
  readonly kinds: KindRegistry;
  readonly sessions: Sessions;
  readonly runner: ScheduledRunner;
  readonly stopwatch: Stopwatch;
  readonly style: Style;
  readonly typeCheck: TypeCheckSettings;
  /** Modules of the schemas that the tools share. */
  readonly schemas: Pick<SharedModules, "typesOf">;
}

export interface PrintedTools {
  readonly files: readonly OutputFile[];
  /** Modules made in this run. */
  readonly modules: readonly PrintedModule[];
  /** Hash of all their code that affects type checks of other modules. */
  readonly types: string;
  /** Cache keys for modules without type problems. */
  readonly checks: readonly string[];
}

interface PrintedTool {
  readonly files: readonly OutputFile[];
  readonly types: string;
  readonly checks: readonly string[];
}

/** Cache key of a tool, and its cached text. */
interface KnownTool {
  readonly key: string;
  readonly kept: string | undefined;
}

/** Looks up the cached tools of a skill once. Reports the number of new ones to the runner. */
export async function lookUpTools(
  lowered: LoweredSkill,
  input: Omit<ToolPrinting, "schemas">,
  cache: SkillCache,
): Promise<readonly KnownTool[]> {
  const keys = await Promise.all(lowered.tools.map((tool) => keyOf(tool, lowered, input)));
  const known = keys.map((key) => ({ key, kept: cache.get(key) }));
  input.runner.expect(known.filter(({ kept }) => kept === undefined).length);
  return known;
}

/**
 * Prints the modules of a skill's tools. The returned function waits for them. A tool with the same
 * content and analysis as in an earlier run isn't printed again.
 *
 * @param known cache results, in the order of the lowered skill
 */
export async function printTools(
  lowered: LoweredSkill,
  known: readonly KnownTool[],
  input: ToolPrinting,
  cache: SkillCache,
): Promise<() => Promise<PrintedTools>> {
  const begun: ((() => Promise<NewTool>) | undefined)[] = [];
  for (const [index, tool] of lowered.tools.entries())
    begun.push(
      known[index]?.kept === undefined ? await beginTool(tool, lowered, input) : undefined,
    );
  return async () => {
    const tools: PrintedTool[] = [];
    const modules: PrintedModule[] = [];
    for (const [index, { key, kept = "" }] of known.entries()) {
      const made = await begun[index]?.();
      // The cache returns only what is stored here.
      tools.push(made?.tool ?? (JSON.parse(kept) as PrintedTool));
      if (made === undefined) continue;
      modules.push(...made.modules);
      cache.put({ key, value: JSON.stringify(made.tool) });
    }
    const types = sha256(JSON.stringify(tools.map((each) => each.types)));
    const checks = tools.flatMap((each) => each.checks);
    return { files: tools.flatMap(({ files }) => files), modules, types, checks };
  };
}

/** A tool that no earlier run has printed. */
interface NewTool {
  readonly tool: PrintedTool;
  readonly modules: readonly PrintedModule[];
}

/**
 * Emits a tool's modules. Prints them at once, or in another thread while other modules are
 * emitted.
 */
async function beginTool(
  tool: LoweredTool,
  lowered: LoweredSkill,
  input: ToolPrinting,
): Promise<() => Promise<NewTool>> {
  const { config, kinds, runner, sessions, stopwatch } = input;
  const { type } = tool.tool.binding;
  const kind = kinds.find(type);
  if (kind === undefined) throw new Error(`no binding kind ${type}`);
  const drafts = await stopwatch.time("emit", () =>
    emitTool({ lowered: tool, skill: lowered, kind, out: config.out }),
  );
  const { usesOfTool } = await import("./emit/tool-module.js");
  const session = (await sessions.fingerprint(type)) ?? "";
  const dependencies = tool.dependencies === undefined ? "" : JSON.stringify(tool.dependencies);
  const environment = session + input.schemas.typesOf(usesOfTool(tool, kind)) + dependencies;
  return runner.begin(() => printTool(drafts, environment, input));
}

/** @param environment other facts that affect type checks of the modules */
async function printTool(
  drafts: readonly DraftFile[],
  environment: string,
  { runner, stopwatch, style, typeCheck }: ToolPrinting,
): Promise<NewTool> {
  const printed = await printDrafts(drafts, { style, stopwatch, runner });
  const modules = printed.modules.map((each) => ({ ...each, environment }));
  const types = sha256(modules.map(({ draft }) => checkedCode(draft)).join("\n"));
  const checks = modules.map((each) => keyOfTypeCheck(each, typeCheck));
  return { tool: { files: printed.files, types, checks }, modules };
}

/** Key of everything that determines the output for a tool, except the build of skillc. */
async function keyOf(
  tool: LoweredTool,
  { folder, skill }: LoweredSkill,
  { config, sessions, style, typeCheck }: Omit<ToolPrinting, "schemas">,
): Promise<string> {
  const { name, prerequisites } = skill;
  const { file } = tool.tool.span;
  const session = await sessions.fingerprint(tool.tool.binding.type);
  // Another module contains the version of the skill.
  const { skill: _, ...version } = tool.version;
  const around = [folder, name, prerequisites, file, config.out, style, typeCheck.compilerOptions];
  return sha256(
    JSON.stringify(["tool", session ?? null, around, withoutPlaces({ ...tool, version })]),
  );
}
