import type { CommandContext } from "../command-context.js";
import { printFailure } from "../console/print-failure.js";
import { CommandFailure, type ExitCode, exitCode, isSystemError } from "../exit.js";
import type { GenerateOptions } from "./generate-options.js";
import { createSession, generateOnce } from "./generate-once.js";
import { createProjectWatcher } from "./project-watcher.js";

/**
 * Time without another event after which an edit is complete, in milliseconds. Editors write a file
 * in several steps.
 */
const settle = 60;

const blind =
  "skillc may miss some edits; if this continues, start `skillc generate --watch` again";

const ending = "skillc ends after this run; press Ctrl-C again to end at once";

/**
 * Generates once and again after every edit, until the user stops it. It reports errors and
 * continues.
 */
export async function watch(context: CommandContext, options: GenerateOptions): Promise<ExitCode> {
  const { io, out } = context;
  const session = createSession(io);
  const edits = createSignal();
  const watcher = createProjectWatcher({
    onEdit: edits.raise,
    onError: ({ message }) =>
      printFailure(io.stderr, context.err, `watching failed: ${message}`, blind),
  });
  let isRunning = false;
  const isEnded = (): boolean => io.signal?.aborted === true;
  const end = (): void => {
    // A run may take long, and always finishes what it began.
    if (isRunning) io.stderr.write(`${ending}\n`);
    edits.raise();
  };
  io.signal?.addEventListener("abort", end, { once: true });
  try {
    while (!isEnded()) {
      edits.lower();
      // Start the watcher before anything is read: an edit is then either read, or starts another
      // run.
      await watcher.follow(context.directory);
      isRunning = true;
      await generateCalmly({ ...context, startedAt: performance.now() }, options, session);
      isRunning = false;
      if (isEnded()) break;
      io.stdout.write(`${out.dim("watching for changes; Ctrl-C ends")}\n\n`);
      await edits.settled(settle);
    }
  } finally {
    await watcher.close();
  }
  return exitCode.fine;
}

async function generateCalmly(
  context: CommandContext,
  options: GenerateOptions,
  session: ReturnType<typeof createSession>,
): Promise<void> {
  try {
    await generateOnce(context, session, options);
  } catch (error) {
    // Wait for the user to fix their errors; skillc's own bugs end the watch.
    if (!(error instanceof CommandFailure) && !isSystemError(error)) throw error;
    const help = error instanceof CommandFailure ? error.help : undefined;
    printFailure(context.io.stderr, context.err, error.message, help);
  }
}

interface EditSignal {
  readonly raise: () => void;
  readonly lower: () => void;
  /** Resolves when the signal was raised and this time has passed without another signal. */
  settled(afterMs: number): Promise<void>;
}

function createSignal(): EditSignal {
  let raised = false;
  let onRaise: (() => void) | undefined;
  return {
    raise() {
      raised = true;
      onRaise?.();
    },
    lower() {
      raised = false;
    },
    settled: (afterMs) =>
      new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        onRaise = () => {
          clearTimeout(timer);
          timer = setTimeout(resolve, afterMs);
        };
        if (raised) onRaise();
      }),
  };
}
