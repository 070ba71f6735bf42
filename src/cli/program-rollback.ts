import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { RollbackFlags } from "./commands/rollback.js";

/** `skillc rollback CALL`, `skillc rollback --trace TRACE`. */
export function addRollback(program: Command, act: Act): void {
  const command = program.command("rollback");
  command
    .summary("undo a call, or all calls of a trace")
    .description(
      "Undoes a call of the ledger in the way that its skill declares: it restores files, or calls another tool. Governance checks the scopes and policies of the call's tool again. The ledger records the rollback as a call of its own. A trace is undone from its last call to its first; the command stops at the first call that can't be undone.",
    )
    .argument("[call]", "the call's id, or how it begins")
    .option("--trace <trace>", "undo all calls of this trace")
    .option("--dry-run", "only show what would be undone")
    .addOption(
      new Option("--path <path...>", "restore only these files and folders of the call").conflicts(
        "trace",
      ),
    )
    .option(
      "--force <reason>",
      "undo although files, the tool or the ledger have changed since; the ledger keeps the reason",
    )
    .option(
      "--caller <json>",
      'who undoes it: {"tenant": "acme", "subject": "ada"}; by default the logged-in user',
    )
    .option("--approval <id>", "the id of an approval for the call of the other tool")
    .option("--handlers <file>", "module that exports `handlers`, for tools without a binding")
    .option("--url <name>", "the setting with the URL of a PostgreSQL ledger: '${LEDGER_URL}'")
    .option("--schema <name>", "the schema of its tables (by default skillc)")
    .option("--json", "print as JSON")
    .action(async (call: string | undefined, flags: RollbackFlags) => {
      await act(command, async (context) => {
        const { rollback } = await import("./commands/rollback.js");
        return rollback(context, call, flags);
      });
    });
}
