import type { Argument, Command, Option } from "commander";
import { commandPath } from "../program-help.js";

/**
 * docs/commands.md: every command with its arguments and options, as the command line itself
 * declares them.
 *
 * @param program what `createProgram` gives
 */
export function renderCommands(program: Command): string {
  return [
    "# Commands",
    "",
    "| to | run |",
    "| --- | --- |",
    ...wishes.map(([wish, command]) => `| ${wish} | \`${command}\` |`),
    "",
    "In a project `npx skillc …` runs the skillc that it has installed. `skillc COMMAND --help` prints what stands here.",
    "",
    "## What it exits with",
    "",
    "| code | |",
    "| --- | --- |",
    ...exits.map(([code, meaning]) => `| ${code} | ${meaning} |`),
    "",
    "## What it prints",
    "",
    "Results go to stdout, everything else to stderr. With `--json` all of the result is one JSON document on stdout:",
    "",
    "| command | document |",
    "| --- | --- |",
    ...documents.map(([command, document]) => `| ${command} | ${document} |`),
    "",
    "A finding has `code`, `severity`, `message`, `help`, `file`, `line`, `column`, `endLine`, `endColumn`, `skill` and `tool`. What is not known is null. Lines and columns count " +
      "from 1, columns in UTF-16 units, and the end is exclusive.",
    "",
    "Colours are for terminals: `NO_COLOR=1` and `--no-color` turn them off, `FORCE_COLOR=1` on. `SKILLC_DEBUG=1` adds the stack to what is our own bug.",
    "",
    "<!-- What follows is written by `npm run docs` from the command line's own declarations. -->",
    "",
    "## skillc",
    "",
    program.description(),
    "",
    ...table("option", optionRows(program)),
    ...program.commands.flatMap(sectionsOf),
  ].join("\n");
}

const wishes = [
  ["begin a project", "skillc init"],
  ["compile the skills", "skillc generate"],
  ["compile them again after every edit", "skillc generate --watch"],
  ["let CI fail when generated files are not up to date", "skillc generate --check"],
  ["see every finding, warnings as errors", "skillc check --strict"],
  ["see which credentials are missing on this machine", "skillc check --env"],
  ["see which tools there are", "skillc catalog"],
  ["see what a branch changes for those who call the tools", "skillc compare main"],
  ["hold tools to their versions", "skillc lock"],
  ["test who may call what", "skillc policy test"],
  ["understand a finding, or an error that a call threw", "skillc explain sql/refused"],
  ["call a tool without writing code", `skillc call orders/get-order --args '{"order_id": "7"}'`],
  [
    "see what a write would send",
    `skillc call orders/put-note --args '{"order_id": "7", "note": "hi"}' --mode shadow`,
  ],
  ["work without a database's server", "skillc db pull"],
  ["let `tsc` find the tools that a migration breaks", "skillc db types && npx tsc"],
  ["find writes of which nobody knows the outcome", "skillc ledger list --status unknown"],
] as const;

const exits = [
  [0, "fine. Of `call`: the tool answered, whatever its `status`; `not_found` is an answer too"],
  [
    1,
    "the input has errors, and nothing was written; `--check` found a difference; `compare` found a version that is too low; `call` got no answer (a `ToolError`); `ledger verify` found a problem",
  ],
  [2, "the command line itself is wrong"],
  [3, "a bug in skillc: please report it with what is printed"],
] as const;

const documents = [
  [
    "`generate`, `check`, `db types`",
    "`{ diagnostics: [finding…], accepted: [finding with its reason…] }`. `generate` adds `missingPackages` (what package.json lacks) when the code is sound, and with `--timings` `timings`; `check` `tools` (what `tsc` checks of each), `check --env` `environment`, `db types` `changed` (paths)",
  ],
  [
    "`db pull`",
    "`{ diagnostics, accepted, changed, databases: [{ name, path, server, holds, notes, changes, setting }] }`: `changed` are paths that were written, or with `--check` would be; `changes` is null where there is no file yet",
  ],
  [
    "`catalog`",
    "`{ skills: [{ name, description, body, file, prerequisites, $defs, tools }] }`, as `catalog` of the output folder's catalog.ts has it",
  ],
  [
    "`compare`",
    "`{ old, new, verdict, skills, tooLow }` ([compare](governance/compare.md)); where a side doesn't compile `{ diagnostics, accepted, side }`",
  ],
  [
    "`lock`",
    "`{ diagnostics, accepted, changed, tools: [{ id, version, manifest }], changes: [{ id, change, locked, version }] }`: `changes` is null where there was no lock that could be read",
  ],
  [
    "`call`",
    "the result, `{ status, data, … }`, or `{ error: { code, message, tool, attempts, outcome, … } }` ([errors of calls](runtime/errors.md))",
  ],
  [
    "`policy test`",
    "`{ diagnostics, accepted, cases: [{ file, name, tool, passed, expected, decision, decidedBy }], coverage: { percent, policies: [{ id, cases }] } }`",
  ],
  ["`explain`", "the entry, or a list of entries"],
  [
    "`ledger …`",
    "the calls, the call, what was verified, the report ([the ledger](ledger/index.md))",
  ],
  ["any, when it can't be done", "`{ error: { message, help } }`"],
] as const;

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
  // `--no-…` has a default that says no more than its name.
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

/** A bar would end the cell; `<…>` outside a code span would be taken for a tag. */
function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/<[^>]*>/g, code);
}
