import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { PlanGraphOptions } from "./commands/plan-graph.js";

/** `skillc plan …`: graph. */
export function addPlan(program: Command, act: Act): void {
  const plan = program
    .command("plan")
    .summary("look at plans")
    .description("Shows the plans of the project: tools whose steps call other tools.");
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
