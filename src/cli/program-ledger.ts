import { type Command, InvalidArgumentError, Option } from "commander";
import type { Act } from "./command-context.js";
import type { LedgerFlags, LedgerPart } from "./commands/ledger.js";

/** Declares `skillc ledger …`: list, show, settle, verify, prune, report, migrate. */
export function addLedger(program: Command, act: Act): void {
  const ledger = program
    .command("ledger")
    .summary("read the record of calls")
    .description(
      "Reads the record of calls that generated tools keep: in .skillc/ledger/, or in the PostgreSQL database of `--url` or of `ledger:` in skillc.yaml.",
    );
  runs(list(ledger.command("list")), "list", act);
  runs(show(ledger.command("show")), "show", act);
  runs(settle(ledger.command("settle")), "settle", act);
  runs(verify(ledger.command("verify")), "verify", act);
  runs(prune(ledger.command("prune")), "prune", act);
  runs(report(ledger.command("report")), "report", act);
  runs(migrate(ledger.command("migrate")), "migrate", act);
}

function runs(command: Command, part: LedgerPart, act: Act): void {
  command
    .option("--url <name>", "the setting with the URL of a PostgreSQL ledger: '${LEDGER_URL}'")
    .option("--schema <name>", "the schema of its tables (by default skillc)");
  command.action(async (...given: readonly unknown[]) => {
    // Commander passes the arguments, then the options, then the command.
    const flags = given.at(-2) as LedgerFlags;
    const argument = given.length > 2 ? (given[0] as string | undefined) : undefined;
    await act(command, async (context) => {
      const { ledger } = await import("./commands/ledger.js");
      return ledger(context, part, argument, flags);
    });
  });
}

const since = "only calls since this time: 2025-01-31T12:00:00Z, or how long ago: 90s, 15m, 2h, 7d";
const until = "only calls before this time";
const tenant = "only governed calls for this tenant";
const trace = "only calls that belong to this trace";
const parent = "only calls that the call with this id made";
const subject = "only governed calls of this person or service";

function list(command: Command): Command {
  return command
    .summary("list the newest calls")
    .description("Lists calls, the newest first.")
    .option("--tool <tool>", "only calls of this tool, or skill/tool")
    .option("--skill <skill>", "only calls of this skill's tools")
    .addOption(new Option("--mode <mode>", "only calls in this mode").choices(["active", "shadow"]))
    .option("--status <status>", "only calls with this status: success, failed, denied, unknown …")
    .option("--tenant <tenant>", tenant)
    .option("--subject <subject>", subject)
    .option("--trace <trace>", trace)
    .option("--parent <id>", parent)
    .option("--since <time>", since)
    .option("--until <time>", until)
    .option("--limit <count>", "maximum number of calls", wholeNumber, 20)
    .option("--cursor <cursor>", "continue where an earlier list ended")
    .option("--json", "print as JSON");
}

function show(command: Command): Command {
  return command
    .summary("show everything about one call")
    .description("Shows everything about one call.")
    .argument("<id>", "the call's id, or how it begins")
    .option("--json", "print as JSON");
}

function settle(command: Command): Command {
  return command
    .summary("record the outcome of a write whose outcome is unknown")
    .description(
      "Records what a person found out about a write of unknown outcome. It adds a record to the ledger, and does not change existing records. If a kept run of a plan waits for the outcome, the command settles its step too, and the run can be resumed.",
    )
    .argument("<id>", "the call's id, or how it begins")
    .addOption(
      new Option("--as <outcome>", "whether the write was carried out")
        .choices(["done", "not-done"])
        .makeOptionMandatory(),
    )
    .requiredOption("--because <reason>", "how you know: 500 characters at most")
    .option(
      "--answer <json>",
      "data of the answer, if the call is a step of a kept run: JSON, or @ and a file's path",
    )
    .option("--correct", "replace an earlier finding")
    .option("--json", "print as JSON");
}

function verify(command: Command): Command {
  return command
    .summary("look for changed or missing records")
    .description("Looks for changed, missing and torn records, and for writes of unknown outcome.")
    .option("--json", "print as JSON");
}

function prune(command: Command): Command {
  return command
    .summary("remove old records, and keep the others verifiable")
    .description(
      "Removes files whose records are all older than a time; from a PostgreSQL ledger, it removes the records. The ledger records the removal, so that `verify` does not report the records as missing.",
    )
    .requiredOption("--before <time>", "2025-01-31T12:00:00Z, or how long ago: 90s, 15m, 2h, 7d")
    .option("--include-unknown", "also remove writes of unknown outcome that nobody has settled")
    .option("--dry-run", "only report what would be removed")
    .option("--json", "print as JSON");
}

function migrate(command: Command): Command {
  return command
    .summary("create or migrate the tables of a PostgreSQL ledger")
    .description(
      "Creates the tables of a PostgreSQL ledger, migrates older tables to the version of this runtime, and creates the partitions of the coming year. Existing records stay. Run it with every deployment.",
    )
    .option("--json", "print the result as JSON");
}

function report(command: Command): Command {
  return command
    .summary("compare shadow calls with active ones")
    .description("Compares shadow calls with active ones: counts, latency, statuses, parameters.")
    .argument("[tool]", "only this tool, or skill/tool")
    .option("--skill <skill>", "only this skill's tools")
    .option("--tenant <tenant>", tenant)
    .option("--subject <subject>", subject)
    .option("--since <time>", since)
    .option("--until <time>", until)
    .addOption(new Option("--json", "print as JSON").conflicts("html"))
    .option("--html <file>", "write one self-contained page with plots");
}

function wholeNumber(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number above 0.");
}
