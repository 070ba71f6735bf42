import type { CommandContext } from "../command-context.js";
import { printFailure } from "../console/print-failure.js";

/** Returns a function that prints errors of a server that goes on. */
export function errorPrinter({ err, io }: CommandContext): (error: unknown) => void {
  return (error) =>
    printFailure(io.stderr, err, error instanceof Error ? error.message : String(error));
}
