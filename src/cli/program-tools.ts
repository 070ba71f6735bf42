import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { ToolsFlags, ToolsPart } from "./commands/tools.js";

/** `skillc tools …`: list, pause, enable, deprecate, reset, migrate. */
export function addTools(program: Command, act: Act): void {
  const tools = program
    .command("tools")
    .summary("pause tools, and say which are")
    .description(
      "Shows and sets the states of governed tools, in the store that `store:` of skillc.yaml names. Every process that shares it sees a change within a second.",
    );
  runs(
    tools
      .command("list")
      .summary("which state each tool has")
      .description("Lists the tools with their states, and those of tenants that have their own.")
      .option("--tenant <tenant>", "the states that count for this tenant"),
    "list",
    act,
  );
  runs(
    change(tools.command("pause"))
      .addOption(
        new Option("--except-tenant <tenants...>", "pause it for every tenant but these").conflicts(
          "tenant",
        ),
      )
      .summary("refuse a tool's calls")
      .description(
        "Pauses a tool: its calls are refused, and models are not offered it. Without `--tenant` that holds for every tenant, whatever state a tenant has of its own.",
      ),
    "pause",
    act,
  );
  runs(
    change(tools.command("enable"))
      .summary("let a tool be called again")
      .description(
        "Enables a tool. With `--tenant`, this tenant is offered the tool even if it is deprecated for every tenant. A pause for every tenant still refuses its calls.",
      ),
    "enable",
    act,
  );
  runs(
    change(tools.command("deprecate"))
      .summary("offer a tool to models no longer")
      .description("Deprecates a tool: it can be called, and models are not offered it."),
    "deprecate",
    act,
  );
  addUpkeep(tools, act);
}

/** The commands that set no state. */
function addUpkeep(tools: Command, act: Act): void {
  runs(
    tools
      .command("reset")
      .argument("<skill/tool>", "which tool: order-desk/refund")
      .requiredOption("--tenant <tenant>", "whose state is removed")
      .summary("remove a tenant's own state")
      .description(
        "Removes the state that a tenant has of its own: the one for every tenant counts for it again.",
      ),
    "reset",
    act,
  );
  runs(
    tools
      .command("migrate")
      .summary("make the tables of a store in PostgreSQL")
      .description(
        "Brings the tables of a store in PostgreSQL to the version that the runtime knows; it may be run any number of times, when you deploy, as their owner. Redis has none.",
      ),
    "migrate",
    act,
  );
}

function change(command: Command): Command {
  return command
    .argument("<skill/tool>", "which tool: order-desk/refund")
    .option("--tenant <tenant>", "only for this tenant")
    .option("--because <reason>", "why: callers of a paused tool are told it")
    .option("--by <name>", "who changes it; the user who is logged in when not given");
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
