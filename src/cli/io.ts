/** The process as the command line sees it; tests pass their own. */
export interface Io {
  /** Results: what the user asked for, and all of `--json`. */
  readonly stdout: Output;
  /** Everything else: diagnostics, progress, what went wrong. */
  readonly stderr: Output;
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** Ends a `--watch`. */
  readonly signal?: AbortSignal;
}

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** Width of the terminal in characters. */
  readonly columns?: number;
}

/** Checks if an output supports colour: only a terminal, unless the environment overrides it. */
export function wantsColour(output: Output, env: Io["env"]): boolean {
  if (isSet(env["NO_COLOR"])) return false;
  const force = env["FORCE_COLOR"];
  if (force !== undefined) return force !== "0" && force !== "false";
  return output.isTTY === true && env["TERM"] !== "dumb";
}

/** Checks if lines may be drawn and cleared again. */
export function isInteractive(output: Output, env: Io["env"]): boolean {
  return output.isTTY === true && env["TERM"] !== "dumb" && !isSet(env["CI"]);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

/**
 * Characters that fit on a line. A pipe has no width: text meant for a file stays the same on every
 * machine.
 */
export function widthOf(output: Output): number {
  // Terminals of some CI systems say that they are 0 wide.
  const columns = output.isTTY === true ? output.columns || 80 : 100;
  return Math.min(Math.max(columns, 40), 160);
}

/** For a command line that is inspected but never run. */
export function nowhere(): Io {
  const output: Output = { write: () => undefined };
  return { stdout: output, stderr: output, stdin: (async function* () {})(), env: {}, cwd: "/" };
}
