import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { McpFlags } from "./commands/mcp.js";
import { configTargets } from "./mcp/client-config.js";

/** `skillc mcp`, `skillc mcp --http PORT`. */
export function addMcp(program: Command, act: Act): void {
  const command = program.command("mcp");
  command
    .summary("serve the tools and skills to MCP clients")
    .description(
      "Serves the generated tools and the skills to a client of the Model Context Protocol: over standard input and output, or with --http to many clients. Each client sees only what its caller may call. Calls run as `skillc call` runs them, or with the runtime of `mcp: { app }` of skillc.yaml.",
    )
    .addOption(
      new Option(
        "--http <address>",
        "serve HTTP on a port: 8080, 127.0.0.1:8080, [::1]:8080; without a host on this machine alone",
      ),
    )
    .addOption(
      new Option(
        "--auth <how>",
        "`none`: every HTTP request is made for the caller of this command, and only this machine is served",
      ).choices(["none"]),
    )
    .option(
      "--caller <json>",
      'who calls: {"tenant": "acme", "subject": "ada"}; by default `mcp: { caller }` of skillc.yaml, or the logged-in user',
    )
    .option("--handlers <file>", "module that exports `handlers`, for tools without a binding")
    .addOption(
      new Option(
        "--output-schemas <how>",
        "`none`: list tools without the schema of their results",
      ).choices(["none"]),
    )
    .addOption(
      new Option(
        "--print-config <client>",
        "print what to paste into a client's settings, and serve nothing",
      ).choices(configTargets),
    )
    .action(async (flags: McpFlags) => {
      await act(command, async (context) => {
        const { mcp } = await import("./commands/mcp.js");
        return mcp(context, flags);
      });
    });
}
