import type { AnalyzedBinding, ToolForm } from "../../kit/kind-engine.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { sha256 } from "../../core/hash.js";
import { moved, movesBetween, withoutPlaces } from "../../core/places.js";
import type { ToolModel } from "../../core/skill-model.js";
import type { InferredParameters } from "../../schema/silent.js";
import type { SkillCache } from "../compile-cache.js";

/** Result of an engine for one tool, with its diagnostics. */
export interface Analysis {
  readonly binding: AnalyzedBinding<object> | undefined;
  readonly inferred: InferredParameters;
  readonly diagnostics: readonly UnratedDiagnostic[];
}

/** The parts of a tool that an engine sees. */
type AnalysisInput = Pick<ToolModel, "name" | "parameters" | "returns" | "binding">;

function analysisInput({ name, parameters, returns, binding }: ToolModel): AnalysisInput {
  return { name, parameters, ...(returns && { returns }), binding };
}

/**
 * Cache key of a tool's analysis. Spans and texts for models are not part of the key, so editing
 * them needs no engine.
 *
 * @param fingerprint fingerprint of the session that analyzes the tool
 */
export function keyOfAnalysis(tool: ToolModel, form: ToolForm, fingerprint: string): string {
  return sha256(
    JSON.stringify(["analysis", form, fingerprint, withoutPlaces(analysisInput(tool))]),
  );
}

/**
 * Returns a cached analysis, with its spans moved to the tool's current place. Undefined if there
 * is none, or if a span can't be moved.
 */
export function cachedAnalysis(
  cache: SkillCache,
  key: string,
  tool: ToolModel,
): Analysis | undefined {
  const text = cache.get(key);
  if (text === undefined) return undefined;
  // The cache returns only results of `serializeAnalysis`.
  const { asked, analysis } = JSON.parse(text) as { asked: AnalysisInput; analysis: Analysis };
  return moved(analysis, movesBetween(asked, analysisInput(tool)));
}

/**
 * Serializes an analysis for `cachedAnalysis`. Undefined if it has a span outside the tool, which
 * could not be moved with the tool.
 */
export function serializeAnalysis(tool: ToolModel, analysis: Analysis): string | undefined {
  const asked = analysisInput(tool);
  if (analysis.binding === undefined || moved(analysis, movesBetween(asked, asked)) === undefined)
    return undefined;
  return JSON.stringify({ asked, analysis });
}
