import { PlaceTaken, systemCode } from "@skillc/runtime/internal";

/** Exit codes of the process. */
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

  /** Wrong usage of a command; `help` is the right usage. */
  static usage(message: string, help?: string): CommandFailure {
    return new CommandFailure(exitCode.usage, message, help);
  }
}

/**
 * Runs a write below the project's folder. If something blocks a path, the user must move it.
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

/** Errors of the machine, such as a full disk or a missing permission, are not bugs. */
export function isSystemError(error: unknown): error is Error {
  const code = systemCode(error);
  return code !== undefined && systemErrors.has(code);
}

const systemErrors: ReadonlySet<string> = new Set(
  "EACCES EEXIST EPERM EROFS ENOSPC EDQUOT EMFILE ENFILE EIO EBUSY ENOTDIR EISDIR ELOOP ENAMETOOLONG".split(
    " ",
  ),
);
