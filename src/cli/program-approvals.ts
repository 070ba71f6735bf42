import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { ApprovalsFlags, ApprovalsPart } from "./commands/approvals.js";
import { wholeNumber } from "./program-help.js";

/** `skillc approvals …`: list, show, approve, deny, withdraw. */
export function addApprovals(program: Command, act: Act): void {
  const approvals = program
    .command("approvals")
    .summary("list and decide calls that wait for an approval")
    .description(
      "Shows and decides requests for approval: in the store that `store:` of skillc.yaml names, or in .skillc/approvals/. Whoever can open the store can approve: the command believes `--as`, and records the approver as claimed.",
    );
  addPart(list(approvals.command("list")), "list", act);
  addPart(show(approvals.command("show")), "show", act);
  addPart(approve(approvals.command("approve")), "approve", act);
  addPart(deny(approvals.command("deny")), "deny", act);
  addPart(withdraw(approvals.command("withdraw")), "withdraw", act);
}

function addPart(command: Command, part: ApprovalsPart, act: Act): void {
  command.option("--json", "print as JSON");
  command.action(async (...given: readonly unknown[]) => {
    // Commander passes the arguments, then the options, then the command.
    const flags = given.at(-2) as ApprovalsFlags;
    const id = given.length > 2 ? (given[0] as string) : undefined;
    await act(command, async (context) => {
      const { approvals } = await import("./commands/approvals.js");
      return approvals(context, part, id, flags);
    });
  });
}

function list(command: Command): Command {
  return command
    .summary("list the newest requests")
    .description("Lists requests for approval that have not expired, the newest first.")
    .option("--tenant <tenant>", "only requests of this tenant")
    .option("--tool <skill/tool>", "only calls of this tool")
    .option("--subject <subject>", "only calls of this caller")
    .addOption(
      new Option("--state <state>", "only requests in this state")
        .choices(["pending", "approved", "denied"])
        .default("pending"),
    )
    .option("--limit <count>", "maximum number of requests", wholeNumber, 20);
}

function show(command: Command): Command {
  return withId(command)
    .summary("show a request and what the call would send")
    .description(
      "Shows a request: the tool, the caller, the decision, and the prepared request with names in place of credentials. Masked values stay masked.",
    )
    .option(
      "--full",
      "print the whole request, with masked values; needs `key:` of skillc.yaml and the ledger of the call",
    );
}

function approve(command: Command): Command {
  return withId(command)
    .summary("approve one call")
    .description(
      "Approves one call. The caller repeats the call, which finds the approval. Callers can't approve their own calls, unless the tool has `approval: { by: person }` and `approval_channels` of skillc.yaml allows `terminal`.",
    )
    .requiredOption("--as <subject>", "your name, as the application knows you")
    .option(
      "--digest <digest>",
      "for a request with effects: the digest of the effects that `show` printed",
    );
}

function deny(command: Command): Command {
  return withId(command)
    .summary("deny a call and its repetitions")
    .description("Denies a call. Equal calls are refused too, until the request expires.")
    .option("--note <text>", "the reason, which the caller gets")
    .option("--as <subject>", "your name; by default the logged-in user");
}

function withdraw(command: Command): Command {
  return withId(command)
    .summary("withdraw an approval that no call has used")
    .description("Withdraws the unused approval of a request. The next call leaves a new request.")
    .option("--as <subject>", "your name; by default the logged-in user");
}

function withId(command: Command): Command {
  return command.argument("<id>", "the request's id, or at least its first 6 characters");
}
