import type { Argument, Command, Option } from "commander";
import { commandPath } from "../program-help.js";

/**
 * Lists every command with its arguments and options, as the command line itself declares them.
 *
 * @param program what `createProgram` returns
 * @returns Markdown
 */
export function renderCommands(program: Command): string {
  return [
    "# Commands and options",
    "",
    "Every command of skillc, with its arguments and options. `skillc COMMAND --help` prints the same. [Use the command line](../commands.md) lists commands by task, exit codes and JSON documents.",
    "",
    "## skillc",
    "",
    program.description(),
    "",
    ...table("option", optionRows(program)),
    ...program.commands.flatMap(sectionsOf),
  ].join("\n");
}

function sectionsOf(command: Command): readonly string[] {
  const { commands } = command;
  const shown = commands.filter((each) => each.name() !== "help");
  if (shown.length > 0) return shown.flatMap(sectionsOf);
  return [
    `## ${commandPath(command)}`,
    "",
    command.description(),
    "",
    `\`${commandPath(command)} ${command.usage()}\``,
    "",
    ...table("argument", command.registeredArguments.map(argumentRow)),
    ...table("option", optionRows(command)),
  ];
}

type Row = readonly [name: string, description: string];

function argumentRow(argument: Argument): Row {
  return [argument.name(), withDefault(argument.description, argument.defaultValue)];
}

function optionRows(command: Command): readonly Row[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== "--help" || command.parent === null)
    .map(optionRow);
}

function optionRow({ flags, description, argChoices, defaultValue }: Option): Row {
  const choices = argChoices === undefined ? "" : `; one of ${argChoices.map(code).join(", ")}`;
  // The default of `--no-…` only repeats its name.
  const shown = flags.startsWith("--no-") ? undefined : defaultValue;
  return [flags, withDefault(`${description}${choices}`, shown)];
}

function withDefault(description: string, value: unknown): string {
  return value === undefined ? description : `${description}; ${code(String(value))} by default`;
}

function table(head: string, rows: readonly Row[]): readonly string[] {
  if (rows.length === 0) return [];
  return [
    `| ${head} | |`,
    "| --- | --- |",
    ...rows.map(([name, description]) => `| ${code(name)} | ${inCell(description)} |`),
    "",
  ];
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Escapes a bar, which would end the cell, and `<…>` outside of code, which would be a tag. */
function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/<[^>]*>/g, code);
}
