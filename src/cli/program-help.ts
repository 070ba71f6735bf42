import { type Command, InvalidArgumentError } from "commander";
import { type Palette, severityColour, withCodeSpans } from "./console/palette.js";
import { visibleLines } from "./console/visible.js";
import { type Io, widthOf } from "./io.js";

export function outputs(io: Io) {
  return {
    writeOut: (text: string) => void io.stdout.write(text),
    writeErr: (text: string) => void io.stderr.write(text),
    getOutHelpWidth: () => widthOf(io.stdout),
    getErrHelpWidth: () => widthOf(io.stderr),
    getOutHasColors: () => true,
    getErrHasColors: () => true,
  };
}

/** Commander's codes for too few and too many arguments. */
const argumentCodes = new Set(["commander.missingArgument", "commander.excessArguments"]);

/**
 * Prints the mistake, then the right usage. Commander has a code for each kind of mistake. Its
 * suggestions are only in its text, so test/cli/usage.test.ts checks that text.
 */
export function wrongUsage(
  { code = "", text }: { readonly text: string; readonly code: string | undefined },
  command: Command,
  err: Palette,
): string {
  const [head = "", ...rest] = visibleLines(text.trimEnd()).split("\n");
  const sign = err.bold(err.blue("="));
  const path = commandPath(command);
  const guess = rest
    .map((line) => /Did you mean (.*)\?/.exec(line)?.[1])
    .find((each) => each !== undefined);
  const hint =
    guess !== undefined
      ? `did you mean \`${guess}\`?`
      : argumentCodes.has(code)
        ? `write \`${path} ${command.usage()}\`; ${furtherHelp(path, head)}`
        : `\`${path} --help\` lists all options`;
  return [
    `${severityColour(err, "error")("error")}${err.bold(`: ${head.replace(/^error: /, "")}`)}`,
    `  ${sign} ${err.bold("help:")} ${withCodeSpans(hint, err)}`,
    "",
  ].join("\n");
}

/** Names the command that shows values for a missing argument. */
function furtherHelp(path: string, head: string): string {
  const group = /^skillc (ledger|runs|approvals) /.exec(path)?.[1];
  if (group === undefined || !head.includes("'id'")) return `\`${path} --help\` says more`;
  const what = group === "runs" ? "runs" : group === "ledger" ? "calls" : "requests";
  return `\`skillc ${group} list\` shows the ${what} and their ids`;
}

/** Returns the command as people type it: `skillc import openapi`. */
export function commandPath(command: Command): string {
  return command.parent === null
    ? command.name()
    : `${commandPath(command.parent)} ${command.name()}`;
}

export function styles({ bold, cyan, green }: Palette, helpWidth: number) {
  return {
    helpWidth,
    styleTitle: (text: string) => bold(text),
    styleCommandText: (text: string) => bold(text),
    styleSubcommandText: (text: string) => cyan(text),
    styleOptionText: (text: string) => green(text),
    styleArgumentText: (text: string) => cyan(text),
  };
}

export function examples(
  { bold, dim }: Palette,
  lines: readonly (readonly [command: string, what: string])[],
): string {
  const width = Math.max(...lines.map(([command, what]) => (what === "" ? 0 : command.length)));
  const rows = lines.map(([command, what]) =>
    what === "" ? `  ${command}` : `  ${command.padEnd(width)}  ${dim(`# ${what}`)}`,
  );
  return `\n${bold("Examples:")}\n${rows.join("\n")}`;
}

/**
 * Reads a whole number of the command line.
 *
 * @throws InvalidArgumentError for another text
 */
export function wholeNumber(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number above 0.");
}
