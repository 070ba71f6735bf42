import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { ToolsFlags, ToolsPart } from "./commands/tools.js";

/** Declares `skillc tools …`: list, pause, enable, deprecate, reset, migrate. */
export function addTools(program: Command, act: Act): void {
  const tools = program
    .command("tools")
    .summary("pause tools, and list their states")
    .description(
      "Shows and sets the states of governed tools, in the store that `store:` of skillc.yaml names. Every process that shares it sees a change within a second.",
    );
  runs(
    tools
      .command("list")
      .summary("list the state of each tool")
      .description(
        "Lists the tools with their states, and the tenants that have states of their own.",
      )
      .option("--tenant <tenant>", "the states for this tenant"),
    "list",
    act,
  );
  runs(
    change(tools.command("pause"))
      .addOption(
        new Option(
          "--except-tenant <tenants...>",
          "pause the tool for every tenant except these",
        ).conflicts("tenant"),
      )
      .summary("deny the calls of a tool")
      .description(
        "Pauses a tool: its calls are denied, and models are not offered the tool. Without `--tenant` this holds for every tenant, even for a tenant with a state of its own.",
      ),
    "pause",
    act,
  );
  runs(
    change(tools.command("enable"))
      .summary("let a tool be called again")
      .description(
        "Enables a tool. With `--tenant`, this tenant is offered the tool even if it is deprecated for every tenant. If the tool is paused for every tenant, its calls are still denied.",
      ),
    "enable",
    act,
  );
  runs(
    change(tools.command("deprecate"))
      .summary("no longer offer a tool to models")
      .description(
        "Deprecates a tool: it can still be called, but models are not offered the tool.",
      ),
    "deprecate",
    act,
  );
  addUpkeep(tools, act);
}

/** Declares the commands that set no state. */
function addUpkeep(tools: Command, act: Act): void {
  runs(
    tools
      .command("reset")
      .argument("<skill/tool>", "the tool: order-desk/refund")
      .requiredOption("--tenant <tenant>", "the tenant whose state is removed")
      .summary("remove a tenant's own state")
      .description(
        "Removes a tenant's own state. The state for every tenant then applies to this tenant again.",
      ),
    "reset",
    act,
  );
  runs(
    tools
      .command("migrate")
      .summary("create or migrate the tables of a store in PostgreSQL")
      .description(
        "Creates the tables of a store in PostgreSQL, or migrates them to the version of the runtime. Run it as their owner with every deployment; repeats are harmless. Redis has no tables.",
      ),
    "migrate",
    act,
  );
}

function change(command: Command): Command {
  return command
    .argument("<skill/tool>", "the tool: order-desk/refund")
    .option("--tenant <tenant>", "only for this tenant")
    .option("--because <reason>", "the reason, which callers of a paused tool get")
    .option("--by <name>", "the person who changes it; by default the logged-in user");
}

function runs(command: Command, part: ToolsPart, act: Act): void {
  command.option("--json", "print as JSON");
  command.action(async (...given: readonly unknown[]) => {
    // Commander passes the arguments, then the options, then the command.
    const flags = given.at(-2) as ToolsFlags;
    const tool = given.length > 2 ? (given[0] as string) : undefined;
    await act(command, async (context) => {
      const { tools } = await import("./commands/tools.js");
      return tools(context, part, tool, flags);
    });
  });
}
