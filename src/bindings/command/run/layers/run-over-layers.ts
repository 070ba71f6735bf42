/**
 * Runs a process over layers of its folders, and applies its effects if it succeeds. Until then
 * nothing outside of the layers changes.
 */
import { isToolError, ToolError, withOutcome } from "../../../../runtime/errors.js";
import { isLargerThan, watchSize } from "../../../../runtime/files/folder-size.js";
import { PathChanged } from "../../../../runtime/files/open-judged.js";
import { PlaceTaken } from "../../../../runtime/files/own-place.js";
import { systemCode } from "../../../../runtime/files/system-code.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { applyChanges, openJournal } from "../../../../runtime/rollback/backups/apply-changes.js";
import { BackupFault } from "../../../../runtime/rollback/backups/backup-fault.js";
import { backupsOf } from "../../../../runtime/rollback/backups/backup-folder.js";
import { readJournal } from "../../../../runtime/rollback/backups/journal-file.js";
import type { TreeChange } from "../../../../runtime/rollback/backups/tree-change.js";
import type { Attempt, AttemptOutcome } from "../../../../runtime/call/attempt.js";
import { projectSecretTest } from "../../../../runtime/files/project-secrets.js";
import type { PlacedCommand } from "../executors/executor.js";
import type { Sandbox } from "../executors/sandbox.js";
import { unplaced } from "../place-command.js";
import { type Contract, runCommand, sandboxPlan } from "../run-command.js";
import { listEffects } from "./effects.js";
import { createLayers, type LayerFolder, maxLayerBytes } from "./place.js";
import { UnusableEffects } from "./unusable-effects.js";
import { type LayerView, openView } from "./view.js";

/** A process that ran over layers. */
export interface LayeredRun {
  readonly outcome: AttemptOutcome<AnyResult>;
  /** Changes that the process made; empty unless the process succeeded. */
  readonly effects: readonly TreeChange[];
}

/** How a command runs over layers. */
export interface Running {
  readonly attempt: Attempt;
  readonly contract: Contract;
  readonly sandbox: Sandbox;
}

/**
 * Runs a command over layers.
 *
 * @param use gets the effects while the view is open
 * @returns undefined if this machine has no overlays for these folders; nothing was started then
 * @throws ToolError with the outcome `not-done`, unless `use` throws another
 */
export async function runOverLayers<Used>(
  command: PlacedCommand,
  running: Running,
  use: (run: LayeredRun, folder: LayerFolder) => Promise<Used>,
): Promise<Used | undefined> {
  const { attempt } = running;
  const folder = await folderFor(command, attempt);
  try {
    const view = await openView(folder);
    if ("problem" in view) return undefined;
    try {
      return await use(await runIn(view, folder, command, running), folder);
    } finally {
      await view.close();
    }
  } finally {
    await folder.close();
  }
}

async function folderFor(command: PlacedCommand, attempt: Attempt): Promise<LayerFolder> {
  try {
    return await createLayers(command);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined && !(error instanceof PlaceTaken)) throw error;
    throw unplaced(attempt, `its layers can't be created (${code ?? (error as Error).message})`);
  }
}

async function runIn(
  view: LayerView,
  folder: LayerFolder,
  command: PlacedCommand,
  { attempt, contract, sandbox }: Running,
): Promise<LayeredRun> {
  let isTooLarge = false;
  const uppers = folder.layers.map(({ upper }) => upper);
  const isOver = () => isLargerThan(uppers, maxLayerBytes);
  const plan = {
    ...sandboxPlan(command, sandbox, attempt, view),
    watch: (stop: () => void) =>
      watchSize(isOver, () => {
        isTooLarge = true;
        stop();
      }),
  };
  try {
    // Whatever the process does, it changes nothing.
    const outcome = await runCommand(plan, command, {
      attempt,
      contract: { ...contract, effect: "read" },
    });
    isTooLarge ||= await isOver();
    if (isTooLarge) throw tooLarge(attempt);
    const isSuccess = outcome.result.status === "success";
    return { outcome, effects: isSuccess ? await effectsIn(folder, view, command, attempt) : [] };
  } catch (error) {
    throw isTooLarge ? tooLarge(attempt) : error;
  }
}

async function effectsIn(
  folder: LayerFolder,
  view: LayerView,
  command: PlacedCommand,
  attempt: Attempt,
): Promise<readonly TreeChange[]> {
  try {
    const effects = await listEffects(folder, view);
    const isSecret = projectSecretTest(command.directory);
    const own = effects.find(({ path }) => isSecret(path));
    if (own !== undefined)
      throw new UnusableEffects(`\`${own.path}\` belongs to the project itself`);
    return effects;
  } catch (error) {
    throw effectsError(attempt, error);
  }
}

/**
 * Returns the error of a call whose effects can't be applied. Nothing was applied.
 *
 * @param error a reason, or any other error, which is returned unchanged
 */
export function effectsError(attempt: Attempt, error: unknown): unknown {
  const code = systemCode(error);
  if (error instanceof UnusableEffects) return notApplied(attempt, error.message);
  if (error instanceof PathChanged) return notApplied(attempt, "an allowed folder leads elsewhere");
  return code === undefined ? error : notApplied(attempt, `the system reports ${code}`);
}

function tooLarge(attempt: Attempt): ToolError {
  return notApplied(attempt, `it changed more than ${maxLayerBytes / 1024 ** 2} MiB`);
}

function notApplied({ number, tool }: Attempt, reason: string): ToolError {
  return new ToolError(
    tool,
    { code: "PROVIDER.PROTOCOL", reason },
    `the effects of \`${tool}\` were not applied: ${reason}`,
    { attempts: number, outcome: "not-done" },
  );
}

/**
 * Applies effects: all or none. What they replace is kept as the way back.
 *
 * @param begins called before the first change
 * @throws UnusableEffects if somebody changed what they replace; ToolError with the outcome
 *   `not-done`, unless changes can't be undone
 */
export async function applyEffects(
  effects: readonly TreeChange[],
  placed: PlacedCommand,
  attempt: Attempt,
  begins: () => void,
): Promise<void> {
  if (effects.length === 0) return;
  await attempt.keeper?.keepEntries(effects.map(({ path }) => path));
  // An attempt that has ended must not change anything.
  if (attempt.signal.aborted) throw notApplied(attempt, "the call has ended");
  begins();
  const applying = applyJournaled(effects, placed, attempt);
  attempt.whenAborted?.(() => applying.then(ignore, ignore));
  await applying;
}

function ignore(): void {}

async function applyJournaled(
  effects: readonly TreeChange[],
  placed: PlacedCommand,
  attempt: Attempt,
): Promise<void> {
  const { callId, directory, write } = placed;
  try {
    const journal = await openJournal(backupsOf(directory), callId);
    try {
      await applyChanges(journal, effects, { roots: write, signal: attempt.signal });
    } finally {
      journal.release();
    }
  } catch (error) {
    const reason = error instanceof BackupFault ? faultError(error, placed, attempt) : error;
    if (!isToolError(reason) || reason.outcome === "not-done") attempt.keeper?.unchanged();
    throw reason;
  }
  await attempt.keeper?.leftAs(new Map(effects.map(({ path, to }) => [path, to])));
}

function faultError(
  { message, problem }: BackupFault,
  { callId, directory }: PlacedCommand,
  attempt: Attempt,
): Error {
  if (problem === "differs") return new UnusableEffects(message);
  const error = notApplied(attempt, message);
  // A journal that is still there has changes that could not be undone.
  const isStuck = readJournal(backupsOf(directory), callId) !== undefined;
  return isStuck ? withOutcome(error, "unknown") : error;
}
