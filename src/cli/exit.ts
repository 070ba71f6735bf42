import { PlaceTaken, systemCode } from "@skillc/runtime/internal";

/** What the process tells its caller. */
export const exitCode = {
  fine: 0,
  /** The input has errors: nothing was written. */
  inputErrors: 1,
  /** The command line itself was wrong. */
  usage: 2,
  /** A bug in skillc. */
  bug: 3,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Stops a command with a message for the user; anything else that is thrown is our bug. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exit: ExitCode;
  readonly help: string | undefined;

  private constructor(exit: ExitCode, message: string, help: string | undefined) {
    super(message);
    this.exit = exit;
    this.help = help;
  }

  /**
   * Something outside the command line is not as it must be: a missing folder, a file that can't be
   * written.
   */
  static input(message: string, help?: string): CommandFailure {
    return new CommandFailure(exitCode.inputErrors, message, help);
  }

  /** The command was called wrongly; `help` is what to write instead. */
  static usage(message: string, help?: string): CommandFailure {
    return new CommandFailure(exitCode.usage, message, help);
  }
}

/**
 * Runs what writes below the project's folder: what stands in the way there is the user's to move.
 * @throws CommandFailure
 */
export function orSayWhatIsInTheWay<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof PlaceTaken)) throw error;
    throw CommandFailure.input(error.message, `move \`${error.obstacle.path}\` elsewhere`);
  }
}

/** What the machine refuses (a full disk, a file without permission) is nobody's bug. */
export function isSystemError(error: unknown): error is Error {
  const code = systemCode(error);
  return code !== undefined && systemErrors.has(code);
}

const systemErrors: ReadonlySet<string> = new Set(
  "EACCES EEXIST EPERM EROFS ENOSPC EDQUOT EMFILE ENFILE EIO EBUSY ENOTDIR EISDIR ELOOP ENAMETOOLONG".split(
    " ",
  ),
);
