/**
 * Compares the tools of a run's steps: as they were when the run began, and as they are now.
 * `skillc compare` judges the tools. A step that is new, is gone or calls another tool is a major
 * change, because the run knows the calls that it has made by their steps.
 */
import {
  compareCatalogs,
  type ToolComparison,
} from "../../compiler/compare-tools/compare-catalogs.js";
import { type Verdict, worst } from "../../compiler/compare-tools/rules.js";
import type { DependentTools } from "../../compiler/compile-catalog.js";
import type { Manifests } from "@skillc/runtime/internal";
import type { CommandContext } from "../command-context.js";
import { catalogOf, findSide, type Side, type SideCatalog, workingTree } from "../compare/sides.js";
import { visible } from "../console/visible.js";
import { hasErrors } from "../diagnostics/print-diagnostics.js";
import { getOwn } from "../../core/json.js";
import { CommandFailure } from "../exit.js";

/** A run whose tools have changed. */
export interface ChangedRun {
  /** Id of the plan: `skill/tool`. */
  readonly plan: string;
  /** Ids of the plan's steps whose fingerprints differ. */
  readonly steps: readonly string[];
  /** Fingerprints with which the run would go on. */
  readonly pinned: Manifests;
  /** Fingerprints of the generated plan. */
  readonly generated: Manifests;
}

/** Result of a comparison. */
export interface StepComparison {
  /** The old side: its name, and the commit of a revision. */
  readonly was: string;
  /** The worst change. */
  readonly verdict: Verdict;
  /** All changes: `desk/get-order minor`, `step notice is gone`. */
  readonly changes: readonly string[];
  /** The major changes, each with its reason. */
  readonly major: readonly string[];
}

/**
 * Compares the tools of the changed steps.
 *
 * @param written the user's name for the old side: a folder or a git revision
 * @throws CommandFailure if a side can't be compiled, if the old side is not the one that the run
 * is bound to, or if the generated modules are not those of the skills
 */
export async function compareSteps(
  context: CommandContext,
  run: ChangedRun,
  written: string,
): Promise<StepComparison> {
  const old = await compiled(context, await findSide(context, written));
  const { name } = old;
  if (!haveFingerprints(old.dependents, run, run.pinned))
    throw CommandFailure.input(
      `\`${visible(name)}\` isn't what the run began with: its tools of ${named(run.steps)} differ`,
      "name the folder or the git revision from which the application was generated when the run began, or last went on with changed tools",
    );
  const now = await compiled(context, await workingTree(context));
  if (!haveFingerprints(now.dependents, run, run.generated))
    throw CommandFailure.input(
      "the generated modules are not those of the skills, so the skills can't be compared in their place",
      "run `skillc generate`",
    );
  return judged(old, now, run);
}

interface CompiledSide extends Pick<SideCatalog, "catalog"> {
  readonly name: string;
  readonly commit: string | undefined;
  readonly dependents: DependentTools;
}

/** @throws CommandFailure if the skills have errors, or the side is only a catalog */
async function compiled(context: CommandContext, side: Side): Promise<CompiledSide> {
  const shown = visible(side.name);
  const found = await catalogOf(context, side);
  if (hasErrors(found.diagnostics))
    throw CommandFailure.input(
      side.kind === "project" ? "the project doesn't compile" : `\`${shown}\` doesn't compile`,
      side.kind === "project"
        ? "`skillc check` shows the errors"
        : `\`skillc compare ${shown}\` shows the errors`,
    );
  const { catalog, dependents } = found;
  if (dependents === undefined)
    throw CommandFailure.input(
      `\`${shown}\` has a catalog, and a catalog doesn't name the tools of steps`,
      "name the folder of a project, or a git revision; if the revision has custom kinds of bindings, check it out and name its folder",
    );
  const commit = side.kind === "revision" ? side.commit : undefined;
  return { name: side.name, commit, catalog, dependents };
}

/** Checks that the changed steps of a plan have these fingerprints. */
function haveFingerprints(
  tools: DependentTools,
  { plan, steps }: ChangedRun,
  expected: Manifests,
): boolean {
  const { calls, dependencies = {} } = tools.get(plan) ?? {};
  return steps.every((id) => {
    const tool = calls?.get(id);
    const found = tool === undefined ? undefined : getOwn(dependencies, tool);
    return found === getOwn(expected, id);
  });
}

function judged(old: CompiledSide, now: CompiledSide, run: ChangedRun): StepComparison {
  const ids = reached(run, old.dependents, now.dependents);
  const tools = compareCatalogs(old.catalog, now.catalog)
    .skills.flatMap((each) => each.tools)
    .filter(({ id }) => ids.has(id));
  const moved = changedCalls(run.plan, old.dependents, now.dependents, { only: run.steps });
  const verdicts = tools.map(({ verdict }) => verdict ?? undefined);
  return {
    was: old.commit === undefined ? old.name : `${old.name} (commit ${old.commit.slice(0, 10)})`,
    // A fingerprint also covers what no catalog shows.
    verdict: moved.length > 0 ? "major" : (worst(verdicts) ?? "patch"),
    changes: [
      ...tools.flatMap(({ id, verdict }) => (verdict === null ? [] : [`${id} ${verdict}`])),
      ...moved,
    ],
    major: [...tools.flatMap(majorChanges), ...moved],
  };
}

function majorChanges({ differences, id }: ToolComparison): readonly string[] {
  return differences
    .filter(({ verdict }) => verdict === "major")
    .map(({ at, field, what }) => `${id}: ${at === "" ? field : `${field} ${at}`} ${what}`);
}

/** Returns the ids of the tools of the changed steps, and of all tools that they depend on. */
function reached({ plan, steps }: ChangedRun, ...sides: readonly DependentTools[]): Set<string> {
  const found = new Set<string>();
  for (const side of sides)
    for (const step of steps) {
      const tool = side.get(plan)?.calls.get(step);
      if (tool !== undefined) found.add(tool);
    }
  // The set grows while it is read.
  for (const id of found)
    for (const side of sides)
      for (const next of Object.keys(side.get(id)?.dependencies ?? {})) found.add(next);
  return found;
}

/**
 * Lists the steps of a plan, and of plans inside the plan, that are new, are gone or call another
 * tool.
 *
 * @param only ids of the plan's steps to look at; all if absent
 * @param prefix ids of the steps that lead to the plan: `refund.`
 */
function changedCalls(
  plan: string,
  old: DependentTools,
  now: DependentTools,
  { only, prefix = "", seen = new Set() }: PlanPlace,
): readonly string[] {
  // A plan in several places has the same changes in each.
  if (seen.has(plan)) return [];
  seen.add(plan);
  const [before, after] = [old, now].map((side) => side.get(plan)?.calls ?? new Map());
  const ids = only ?? new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return [...ids].flatMap((id) => {
    const [was, is] = [before?.get(id), after?.get(id)];
    const step = `step ${prefix}${id}`;
    if (was === undefined) return [`${step} is new`];
    if (is === undefined) return [`${step} is gone`];
    if (was !== is) return [`${step} called ${was}, and now calls ${is}`];
    return changedCalls(is, old, now, { prefix: `${prefix}${id}.`, seen });
  });
}

interface PlanPlace {
  readonly only?: readonly string[];
  readonly prefix?: string;
  /** Plans that were looked at. */
  readonly seen?: Set<string>;
}

function named(steps: readonly string[]): string {
  return `${steps.length === 1 ? "the step" : "the steps"} ${steps.map((each) => `\`${visible(each)}\``).join(", ")}`;
}
