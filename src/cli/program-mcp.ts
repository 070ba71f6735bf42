import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { McpFlags } from "./commands/mcp.js";
import { configTargets } from "./mcp/client-config.js";
import { orMissingPackage } from "./mcp/missing-package.js";

/** `skillc mcp`, `skillc mcp --http PORT`. */
export function addMcp(program: Command, act: Act): void {
  const command = program.command("mcp");
  command
    .summary("serve the tools and skills to MCP clients")
    .description(
      "Serves the generated tools and the skills to clients of the Model Context Protocol (MCP). Without --http it serves one client over standard input and output: the client starts the command, with the settings that --print-config prints. A client sees only the tools that its caller may call. A call runs as with `skillc call`, or with the `runtime` of the module `mcp: { app }` of skillc.yaml.",
    )
    .addOption(
      new Option(
        "--http <address>",
        "serve many clients over HTTP, on a port (8080) or an address (0.0.0.0:8080, [::1]:8080). On a port alone, only this machine can connect. Needs `mcp: { auth }` of skillc.yaml, or --auth none",
      ),
    )
    .addOption(
      new Option(
        "--auth <how>",
        "`none`: with --http, don't ask for access tokens. Everybody on this machine then calls as --caller, and no other machine can connect",
      ).choices(["none"]),
    )
    .option(
      "--caller <json>",
      'who calls, such as {"tenant": "acme", "subject": "ada"}. By default `mcp: { caller }` of skillc.yaml, otherwise the logged-in user. With an access token, the token says who calls',
    )
    .option(
      "--handlers <file>",
      "module that exports `handlers`: the functions of tools without a binding. A tool without its function is not listed",
    )
    .addOption(
      new Option(
        "--output-schemas <how>",
        "`none`: list tools without the schemas of their results, for clients that reject such schemas",
      ).choices(["none"]),
    )
    .addOption(
      new Option(
        "--print-config <client>",
        "print the settings with which a client starts this command with the same flags, and serve nothing",
      ).choices(configTargets),
    )
    .action(async (flags: McpFlags) => {
      await act(command, async (context) => {
        const { mcp } = await loadCommand();
        return mcp(context, flags);
      });
    });
}

async function loadCommand() {
  try {
    return await import("./commands/mcp.js");
  } catch (error) {
    throw orMissingPackage(error, "skillc mcp");
  }
}
