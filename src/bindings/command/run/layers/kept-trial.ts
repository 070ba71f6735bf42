/** Trials of commands: the process runs over layers, which are kept until somebody approves. */
import { hash } from "node:crypto";
import { hostname } from "node:os";
import { PathChanged } from "../../../../runtime/files/open-judged.js";
import type { AnyResult } from "../../../../runtime/result.js";
import type { TreeChange } from "../../../../runtime/rollback/backups/tree-change.js";
import {
  StaleTrial,
  type TrialDetails,
  type TrialOptions,
} from "../../../../runtime/rollback/trial.js";
import type { Attempt, AttemptOutcome } from "../../../../runtime/call/attempt.js";
import type { PlacedCommand } from "../executors/executor.js";
import { listEffects } from "./effects.js";
import { openKept } from "./place.js";
import { showEffects } from "./show-effects.js";
import { applyEffects, effectsError, type Running, runOverLayers } from "./run-over-layers.js";
import { UnusableEffects } from "./unusable-effects.js";
import { openView } from "./view.js";

/** A command that is tried. */
export interface TriedCommand {
  readonly placed: PlacedCommand;
  /** The request, as JSON: part of what an approval is bound to. */
  readonly request: string;
}

/**
 * Tries a command.
 *
 * @returns undefined if this machine has no overlays for its folders
 * @throws as `runOverLayers` does
 */
export async function tryCommand(
  { placed, request }: TriedCommand,
  running: Running,
  options: TrialOptions,
): Promise<TrialDetails | undefined> {
  return runOverLayers(placed, running, async ({ effects, outcome: { result } }, folder) => {
    try {
      const shown = await showEffects(effects, placed.directory, options);
      folder.keep(JSON.stringify(result), Date.now() + options.keepMs);
      return {
        call: placed.callId,
        host: hostname(),
        sha256: digestOf(request, result, effects),
        status: result.status,
        ...shown,
      };
    } catch (error) {
      throw effectsError(running.attempt, error);
    }
  });
}

/**
 * Applies the effects of a trial.
 *
 * @param begins called before the first change
 * @throws StaleTrial if the effects, or what they would replace, are not those of the trial
 */
export async function applyTrial(
  { placed, request }: TriedCommand,
  kept: TrialDetails,
  attempt: Attempt,
  begins: () => void,
): Promise<AttemptOutcome<AnyResult>> {
  if (kept.host !== hostname())
    throw new StaleTrial(`its effects are kept on the machine \`${kept.host}\``, { isOver: false });
  const opened = openKept(placed, kept.call);
  if (opened === undefined) throw new StaleTrial("its effects are not kept any more");
  const { folder, text } = opened;
  try {
    const view = await openView(folder);
    if ("problem" in view) throw new StaleTrial(`its effects can't be read (${view.problem})`);
    try {
      // `tryCommand` has written it; the digest covers it.
      const result = JSON.parse(text) as AnyResult;
      const isSuccess = result.status === "success";
      const effects = isSuccess ? await listEffects(folder, view).catch(staleIfUnusable) : [];
      if (digestOf(request, result, effects) !== kept.sha256)
        throw new StaleTrial(
          "its effects, or the files that they change, were changed since the trial",
        );
      await applyEffects(effects, placed, attempt, begins).catch(staleIfUnusable);
      folder.discard();
      return { result };
    } finally {
      await view.close();
    }
  } catch (error) {
    if (error instanceof StaleTrial && error.isOver) folder.discard();
    throw error;
  } finally {
    await folder.close();
  }
}

function staleIfUnusable(error: unknown): never {
  if (error instanceof UnusableEffects) throw new StaleTrial(error.message);
  throw error instanceof PathChanged ? new StaleTrial("an allowed folder leads elsewhere") : error;
}

function digestOf(request: string, result: AnyResult, effects: readonly TreeChange[]): string {
  const changes = effects.map(({ from, path, to }) => [path, from, to]);
  return hash("sha256", JSON.stringify([request, result, changes]));
}
