import { type Command, InvalidArgumentError } from "commander";
import type { Act } from "./command-context.js";
import type { PolicyTestOptions } from "./commands/policy-test.js";

/** Declares `skillc policy …`: test. */
export function addPolicy(program: Command, act: Act): void {
  const policy = program
    .command("policy")
    .summary("test who may call what")
    .description("Tests the project's policies.");
  policy
    .command("test")
    .summary("run the test cases of the policies")
    .description(
      "Decides the calls in `policies/*.test.yaml` as the runtime would, and sends nothing. Exits with 1 if a decision differs from its case. The table shows how many cases each policy decided.",
    )
    .option(
      "--min-coverage <percent>",
      "exit with 1 if fewer of the policies decided a case",
      percent,
    )
    .option("--json", "print diagnostics, cases and coverage as JSON")
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
