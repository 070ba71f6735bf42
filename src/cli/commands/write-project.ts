import type { OutputComparison } from "../../compiler/verify/compare-output.js";
import type { CommandContext } from "../command-context.js";
import { CommandFailure } from "../exit.js";
import { withLock } from "../output/lock.js";
import { WriteFailure, writeOutput } from "../output/write-output.js";
import { projectRoot } from "../project/project-root.js";

/** Time limit of waiting for another process that writes the same output, in milliseconds. */
const lockTimeoutMs = 60_000;

/**
 * Runs `action` while no other process writes the project's output. Read nothing before, because
 * files may change during the wait.
 */
export async function withProjectLock<T>(
  { directory, io }: CommandContext,
  action: (root: string) => Promise<T>,
): Promise<T> {
  const root = await projectRoot(directory);
  const lock = ".skillc/generate.lock";
  const onWait = (holder: number | undefined): void => {
    const who = holder === undefined ? `\`${lock}\`` : `process ${holder}`;
    io.stderr.write(`waiting for another skillc generate (${who})\n`);
  };
  return withLock(root, lock, { timeoutMs: lockTimeoutMs, onWait }, () => action(root));
}

/** Location of a project's output. */
export interface OutputPlace {
  /** Absolute path of the project. */
  readonly root: string;
  readonly config: { readonly out: string };
}

/**
 * Updates the output folder with the compiled files.
 *
 * @throws CommandFailure if the output can't be written
 */
export function writeProject(
  open: OutputPlace,
  output: Pick<OutputComparison, "changed" | "stale">,
  previous: ReadonlyMap<string, string>,
): void {
  try {
    if (output.changed.length + output.stale.length > 0)
      writeOutput(open.root, open.config.out, output, previous);
  } catch (error) {
    if (!(error instanceof WriteFailure)) throw error;
    const path = error.path.replace(`${open.root}/`, "");
    throw CommandFailure.input(
      `\`${path}\` can't be written: ${error.message.replaceAll(`${open.root}/`, "")}`,
      `\`${open.config.out}/\` is unchanged`,
    );
  }
}
