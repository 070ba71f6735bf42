import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { RunsFlags, RunsPart } from "./commands/runs.js";
import { wholeNumber } from "./program-help.js";

/** `skillc runs …`: list, show, resume, cancel, prune, migrate. */
export function addRuns(program: Command, act: Act): void {
  const runs = program
    .command("runs")
    .summary("list, resume, cancel and remove runs of plans")
    .description(
      "Shows, resumes and ends runs of plans: in .skillc/runs/, or where `runs:` of skillc.yaml says. `key:` of skillc.yaml names the key that they are encrypted with.",
    );
  addPart(list(runs.command("list")), "list", act);
  addPart(show(runs.command("show")), "show", act);
  addPart(resume(runs.command("resume")), "resume", act);
  addPart(cancel(runs.command("cancel")), "cancel", act);
  addPart(prune(runs.command("prune")), "prune", act);
  addPart(migrate(runs.command("migrate")), "migrate", act);
}

function addPart(command: Command, part: RunsPart, act: Act): void {
  command
    .option("--schema <name>", "the schema of the tables in PostgreSQL (by default skillc_runs)")
    .option("--json", "print as JSON");
  command.action(async (...given: readonly unknown[]) => {
    // Commander passes the arguments, then the options, then the command.
    const flags = given.at(-2) as RunsFlags;
    const id = given.length > 2 ? (given[0] as string) : undefined;
    await act(command, async (context) => {
      const { runs } = await import("./commands/runs.js");
      return runs(context, part, id, flags);
    });
  });
}

const tenant = "the tenant of the run; without it, a run of a caller without a tenant";

function list(command: Command): Command {
  return command
    .summary("list the newest runs")
    .description("Lists runs, the newest first.")
    .option("--tenant <tenant>", "only runs for this tenant")
    .option("--tool <skill/tool>", "only runs of this plan")
    .addOption(
      new Option("--state <state>", "only runs in this state").choices([
        "unfinished",
        "suspended",
        "ended",
      ]),
    )
    .option("--limit <count>", "maximum number of runs", wholeNumber, 20);
}

function show(command: Command): Command {
  return command
    .summary("show the steps of a run")
    .description("Shows the steps of a run, with the ids of their calls in the ledger.")
    .argument("<id>", "the run's id")
    .option("--tenant <tenant>", tenant)
    .option("--values", "also print parameters and answers, which may be confidential");
}

function resume(command: Command): Command {
  return command
    .summary("go on with a run that waits or has crashed")
    .description(
      "Goes on with a run, as `resumeRun` of an application does, and prints the plan's answer. Answered steps are not repeated. The caller must have the run's tenant and subject. If tools have changed since the run began, the run goes on only with `--was` or `--force`.",
    )
    .argument("<id>", "the run's id")
    .option("--tenant <tenant>", tenant)
    .option("--caller <json>", 'the caller: {"tenant": "acme", "subject": "ada"}')
    .option("--approval <id>", "the id of the approval for the step that suspended the run")
    .option("--handlers <file>", "module that exports `handlers`, for tools without a binding")
    .option(
      "--was <side>",
      "folder or git revision with the tools that the run began with; patch and minor changes since then are accepted",
    )
    .option(
      "--force <reason>",
      "go on in spite of major changes, or without a comparison; the run keeps the reason",
    );
}

function cancel(command: Command): Command {
  return command
    .summary("end a run that waits or has crashed")
    .description(
      "Ends a run, so that nobody resumes it. Steps that were carried out stay as they are. A run that a process holds can't be cancelled: stop the process, or abort the call's `signal`.",
    )
    .argument("<id>", "the run's id")
    .option("--tenant <tenant>", tenant);
}

function prune(command: Command): Command {
  return command
    .summary("remove runs that have ended")
    .description("Removes runs that ended before a time. Other runs stay, whatever their age.")
    .requiredOption("--before <time>", "2025-01-31T12:00:00Z, or how long ago: 90s, 15m, 2h, 7d")
    .option("--dry-run", "only report how many would be removed");
}

function migrate(command: Command): Command {
  return command
    .summary("create or migrate the tables of runs in PostgreSQL")
    .description(
      "Creates the tables of runs in PostgreSQL, or migrates them to the version of the runtime. Run it as their owner with every deployment; repeats are harmless.",
    );
}
