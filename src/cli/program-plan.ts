import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { PlanFreezeOptions } from "./commands/plan-freeze.js";
import type { PlanGraphOptions } from "./commands/plan-graph.js";

/** `skillc plan …`: graph and freeze. */
export function addPlan(program: Command, act: Act): void {
  const plan = program
    .command("plan")
    .summary("draw plans, and turn plans of a model into tools")
    .description(
      "Shows the plans of the project: tools whose steps call other tools. Turns a plan that was made at run time into such a tool.",
    );
  addFreeze(plan, act);
  plan
    .command("graph")
    .argument("<plan>", "the plan: `api-builder/create-api`, or only its tool's name")
    .summary("draw the steps of a plan")
    .description(
      "Draws the steps of a plan as a tree: which tool each calls, what must end before, and where each value comes from. Plans among the steps are drawn below them.",
    )
    .option("--mermaid", "print a flowchart for Mermaid, which Markdown on GitHub shows")
    .addOption(new Option("--json", "print the graph as JSON").conflicts("mermaid"))
    .action(async (name: string, options: PlanGraphOptions, command: Command) =>
      act(command, async (context) => {
        const { planGraph } = await import("./commands/plan-graph.js");
        return planGraph(context, name, options);
      }),
    );
}

function addFreeze(plan: Command, act: Act): void {
  plan
    .command("freeze")
    .argument(
      "<file>",
      "JSON with `plan`, `bindings`, `inputs` and `goal`: the data of the events of `runPlan`",
    )
    .summary("turn a plan that a model made into a tool")
    .description(
      "Turns a plan that was made at run time into a tool of a skill: its bindings become sources, its inputs become parameters. Prints the tool, or adds it to the metadata.yaml of a skill.",
    )
    .option("--skill <name>", "add the tool to this skill, together with `--tool`")
    .option("--tool <name>", "name of the tool")
    .option("--force", "replace a tool of this name")
    .option("--json", "print the tool as JSON")
    .action(async (file: string, options: PlanFreezeOptions, command: Command) =>
      act(command, async (context) => {
        const { planFreeze } = await import("./commands/plan-freeze.js");
        return planFreeze(context, file, options);
      }),
    );
}
