import { type Command, InvalidArgumentError } from "commander";
import type { Act } from "./command-context.js";
import type { PolicyTestOptions } from "./commands/policy-test.js";

/** `skillc policy …`: test. */
export function addPolicy(program: Command, act: Act): void {
  const policy = program
    .command("policy")
    .summary("test who may call what")
    .description("What the project's policies decide.");
  policy
    .command("test")
    .summary("decide the cases beside the policies")
    .description(
      "Decides about the calls of `policies/*.test.yaml` as the runtime would, and sends nothing. Exits with 1 when one is decided otherwise than its case says. The table tells how many cases each policy decided.",
    )
    .option(
      "--min-coverage <percent>",
      "exit with 1 when fewer of the policies decided a case",
      percent,
    )
    .option("--json", "print findings, cases and coverage as JSON")
    .action(async (options: PolicyTestOptions, command: Command) =>
      act(command, async (context) => {
        const { policyTest } = await import("./commands/policy-test.js");
        return policyTest(context, options);
      }),
    );
}

function percent(text: string): number {
  if (/^(?:100|[1-9]?[0-9])$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 0 to 100.");
}
