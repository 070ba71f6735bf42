/** The process as the command line sees it; tests pass their own. */
export interface Io {
  /** Results that the user asked for, and the output of `--json`. */
  readonly stdout: Output;
  /** All other output: diagnostics, progress, failures. */
  readonly stderr: Output;
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Current folder, absolute. */
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

/** Checks if the output is a terminal in which lines can be redrawn. */
export function isInteractive(output: Output, env: Io["env"]): boolean {
  return output.isTTY === true && env["TERM"] !== "dumb" && !isSet(env["CI"]);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

/**
 * Number of characters in a line. A pipe has a fixed width, so text for a file is the same on every
 * machine.
 */
export function widthOf(output: Output): number {
  // Some CI systems report a width of 0.
  const columns = output.isTTY === true ? output.columns || 80 : 100;
  return Math.min(Math.max(columns, 40), 160);
}

/** Streams for a command line that is inspected but never run. */
export function nowhere(): Io {
  const output: Output = { write: () => undefined };
  return { stdout: output, stderr: output, stdin: (async function* () {})(), env: {}, cwd: "/" };
}
