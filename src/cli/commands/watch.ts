import { dirname, join } from "node:path";
import { watch as watchFiles } from "chokidar";
import type { CommandContext } from "../command-context.js";
import { printFailure } from "../console/print-failure.js";
import { CommandFailure, type ExitCode, exitCode, isMachineFault } from "../exit.js";
import { type OpenProject, openProject } from "../project/open-project.js";
import { createSession, generateOnce, type GenerateOptions } from "./generate.js";

/** Milliseconds without a further event before an edit counts as finished: editors write a file in several steps. */
const settle = 60;

/** Generates, then again after every edit, until the user ends it. Errors are shown and waited out. */
export async function watch(context: CommandContext, options: GenerateOptions): Promise<ExitCode> {
  const { io, out } = context;
  const session = createSession();
  const edits = createSignal();
  const watcher = watchFiles([], { ignoreInitial: true });
  watcher.on("all", edits.raise);
  io.signal?.addEventListener("abort", edits.raise, { once: true });
  try {
    while (io.signal?.aborted !== true) {
      edits.lower();
      const open = await generateCalmly(
        { ...context, startedAt: performance.now() },
        options,
        session,
      );
      watcher.add(watchedPaths(open?.root ?? context.directory, open));
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
): Promise<OpenProject | undefined> {
  let open: OpenProject | undefined;
  try {
    open = await openProject(context.directory);
    await generateOnce(context, open, session, options);
  } catch (error) {
    // What the user can mend is waited for; our own bugs end the watch.
    if (!(error instanceof CommandFailure) && !isMachineFault(error)) throw error;
    const help = error instanceof CommandFailure ? error.help : undefined;
    printFailure(context.io.stderr, context.err, error.message, help);
  }
  return open;
}

/** Settings decide the output as much as skills do. Files that don't exist yet may come into being. */
function watchedPaths(root: string, open: OpenProject | undefined): string[] {
  const settings = [
    "skillc.yaml",
    "tsconfig.json",
    ".editorconfig",
    "package.json",
    ".prettierrc",
    ".prettierrc.json",
  ];
  const kinds = open?.config.bindings.filter(({ module }) => module.startsWith("./")) ?? [];
  return [
    ...settings.map((name) => join(root, name)),
    join(root, open?.config.skills ?? "skills"),
    ...kinds.map(({ module }) => dirname(join(root, module))),
  ];
}

interface EditSignal {
  readonly raise: () => void;
  readonly lower: () => void;
  /** Resolves when the signal was raised and then quiet for so many milliseconds. */
  settled(quiet: number): Promise<void>;
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
    settled: (quiet) =>
      new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        onRaise = () => {
          clearTimeout(timer);
          timer = setTimeout(resolve, quiet);
        };
        if (raised) onRaise();
      }),
  };
}
