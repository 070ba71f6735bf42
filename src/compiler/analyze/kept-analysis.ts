import type { AnalyzedBinding, ToolForm } from "../../kit/kind-engine.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { sha256 } from "../../core/hash.js";
import { moved, movesBetween, withoutPlaces } from "../../core/places.js";
import type { ToolModel } from "../../core/skill-model.js";
import type { InferredParameters } from "../../schema/silent.js";
import type { SkillCache } from "../compile-cache.js";

/** What an engine made of a tool, and what it found. */
export interface Analysis {
  readonly binding: AnalyzedBinding<object> | undefined;
  readonly inferred: InferredParameters;
  readonly diagnostics: readonly UnratedDiagnostic[];
}

/** What of a tool an engine is asked about. */
type AnalysisInput = Pick<ToolModel, "name" | "parameters" | "returns" | "binding">;

function askedOf({ name, parameters, returns, binding }: ToolModel): AnalysisInput {
  return { name, parameters, ...(returns && { returns }), binding };
}

/**
 * The key of a tool's analysis. Where the tool stands, and what it says to a model, are no part of
 * it: an edit there needs no engine.
 *
 * @param fingerprint of what it is analyzed with
 */
export function keyOfAnalysis(tool: ToolModel, form: ToolForm, fingerprint: string): string {
  return sha256(JSON.stringify(["analysis", form, fingerprint, withoutPlaces(askedOf(tool))]));
}

/**
 * An analysis of an earlier run, its places moved to where the tool stands now; undefined when
 * there is none, or when a place can't be told.
 */
export function keptAnalysis(
  cache: SkillCache,
  key: string,
  tool: ToolModel,
): Analysis | undefined {
  const text = cache.get(key);
  if (text === undefined) return undefined;
  // The cache gives back only what `keepAnalysis` made.
  const { asked, analysis } = JSON.parse(text) as { asked: AnalysisInput; analysis: Analysis };
  return moved(analysis, movesBetween(asked, askedOf(tool)));
}

/**
 * An analysis as text, for `keptAnalysis`; undefined when a place in it is none of the tool's own:
 * it could not be moved along.
 */
export function keepAnalysis(tool: ToolModel, analysis: Analysis): string | undefined {
  const asked = askedOf(tool);
  if (analysis.binding === undefined || moved(analysis, movesBetween(asked, asked)) === undefined)
    return undefined;
  return JSON.stringify({ asked, analysis });
}
