import type { KindSession, ToolForm } from "../../kit/kind-engine.js";
import { collectDiagnostics, type Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import { uncompilableDiagnostic } from "../../schema/ajv-instance.js";
import { checkInferred } from "../../schema/check-inferred.js";
import { type InferredParameters, silentParameters, withInferred } from "../../schema/silent.js";
import type { SkillCache } from "../compile-cache.js";
import {
  type Analysis,
  serializeAnalysis,
  cachedAnalysis,
  keyOfAnalysis,
} from "./cached-analysis.js";
import type { Sessions } from "./sessions.js";

/** Context of an analysis. */
export interface Analyzing {
  readonly sessions: Sessions;
  readonly report: Report;
  /** Names of the tools to compile in their plain form. */
  readonly plain?: ReadonlySet<string>;
  /** Stores results of engines. */
  readonly cache: SkillCache;
}

/**
 * Adds types from engines to a skill's tools. A tool that can't be analyzed is reported and left
 * out.
 */
export async function analyzeSkill(skill: SkillModel, how: Analyzing): Promise<SkillModel> {
  const analyzed = new Map<ToolModel, ToolModel>();
  const waiting: Waiting[] = [];
  const take = (tool: ToolModel, { binding, diagnostics, inferred }: Analysis): void => {
    const report = how.report.within({ tool: tool.name });
    for (const each of diagnostics) report.add(each);
    if (binding === undefined) return;
    const known = withParameters(tool, inferred);
    analyzed.set(tool, { ...known, binding: { ...tool.binding, ...binding } });
  };
  for (const tool of skill.tools) {
    const found = await lookUp(tool, how);
    if (found === undefined) analyzed.set(tool, tool);
    else if ("key" in found) waiting.push(found);
    else take(tool, found);
  }
  for (const { key, session, tool } of inGroups(waiting)) {
    const analysis = await analyzeTool(tool, session, formOf(tool, how));
    take(tool, analysis);
    const value = serializeAnalysis(tool, analysis);
    if (value !== undefined) how.cache.put({ key, value });
  }
  const tools = skill.tools.flatMap((tool) => analyzed.get(tool) ?? []);
  return { ...skill, tools };
}

/** A tool that an engine must analyze. */
interface Waiting {
  readonly tool: ToolModel;
  readonly session: KindSession;
  readonly key: string;
}

/** Result for a tool that needs no engine or is cached; undefined if its kind has no engine. */
async function lookUp(tool: ToolModel, how: Analyzing): Promise<Waiting | Analysis | undefined> {
  const { type } = tool.binding;
  const session = how.sessions.of(type);
  if (session === undefined) return undefined;
  const fingerprint = (await how.sessions.fingerprint(type)) ?? "";
  const key = keyOfAnalysis(tool, formOf(tool, how), fingerprint);
  return cachedAnalysis(how.cache, key, tool) ?? { tool, session, key };
}

function formOf({ name }: ToolModel, { plain }: Analyzing): ToolForm {
  return plain?.has(name) === true ? "plain" : "usual";
}

/**
 * Groups the tools of each group at the place of the first one. The order is otherwise unchanged.
 */
function inGroups(waiting: readonly Waiting[]): readonly Waiting[] {
  const groups = new Map<string, Waiting[]>();
  for (const each of waiting) {
    const { config, type } = each.tool.binding;
    const group = `${type} ${each.session.group?.(config) ?? ""}`;
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  return [...groups.values()].flat();
}

async function analyzeTool(
  tool: ToolModel,
  session: KindSession,
  form: ToolForm,
): Promise<Analysis> {
  const { diagnostics, report } = collectDiagnostics();
  let inferred: InferredParameters = {};
  try {
    inferred = await inferParameters(tool, session, report);
    const known = withParameters(tool, inferred);
    const binding = await session.analyze(known, tool.binding.config, report, form);
    return { binding, inferred, diagnostics };
  } catch (error) {
    const found = [...diagnostics, uncompilableDiagnostic(error, tool.span)];
    return { binding: undefined, inferred, diagnostics: found };
  }
}

/** Types that the engine infers for parameters without a declared type. */
async function inferParameters(
  tool: ToolModel,
  session: KindSession,
  report: Report,
): Promise<InferredParameters> {
  const silent = silentParameters(tool.parameters);
  if (silent.size === 0 || session.inferParameters === undefined) return {};
  const { config } = tool.binding;
  const inferred = await session.inferParameters(tool, config, silent, report);
  checkInferred(tool.parameters, withInferred(tool.parameters, inferred), report);
  return inferred;
}

function withParameters(tool: ToolModel, inferred: InferredParameters): ToolModel {
  const names = Object.keys(inferred);
  if (names.length === 0) return tool;
  return { ...tool, parameters: withInferred(tool.parameters, inferred), inferred: names };
}
