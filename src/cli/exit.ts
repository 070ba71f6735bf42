import { PlaceTaken, systemCode } from "@skillc/runtime/internal";

/** Exit codes of the process. */
export const exitCode = {
  fine: 0,
  /** The input has errors, so nothing was written. */
  inputErrors: 1,
  /** Wrong usage of the command line. */
  usage: 2,
  /** A bug in skillc. */
  bug: 3,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Stops a command with a message for the user. Any other thrown error is a bug of skillc. */
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
   * Failure of something outside the command line, such as a missing folder or a file that can't be
   * written.
   */
  static input(message: string, help?: string): CommandFailure {
    return new CommandFailure(exitCode.inputErrors, message, help);
  }

  /** Failure by wrong usage of a command. `help` is the right usage. */
  static usage(message: string, help?: string): CommandFailure {
    return new CommandFailure(exitCode.usage, message, help);
  }
}

/**
 * Runs a write below the project's folder. Fails with a message if something blocks a path, because
 * only the user can move it.
 *
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
