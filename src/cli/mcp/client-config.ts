/** Prints what a person pastes into the settings of an MCP client. */

/** Names of the clients whose settings are known. */
export const configTargets = ["claude", "cursor", "vscode", "codex"] as const;
export type ConfigTarget = (typeof configTargets)[number];

/** How a client starts the server. */
export interface ServerStart {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Returns the settings, with a comment about the file that they belong into. */
export function clientConfig(target: ConfigTarget, start: ServerStart): ClientConfig {
  return writers[target](start);
}

/** Settings for a client. */
export interface ClientConfig {
  /** File or command that the settings are for. */
  readonly place: string;
  /** Text to paste. */
  readonly text: string;
}

const writers: { readonly [Target in ConfigTarget]: (start: ServerStart) => ClientConfig } = {
  claude: (start) => ({
    place: "`.mcp.json` of the project, or claude_desktop_config.json",
    text: json({ mcpServers: { [start.name]: entryOf(start) } }),
  }),
  cursor: (start) => ({
    place: "`.cursor/mcp.json`",
    text: json({ mcpServers: { [start.name]: entryOf(start) } }),
  }),
  vscode: (start) => ({
    place: "`.vscode/mcp.json`",
    text: json({ servers: { [start.name]: { type: "stdio", ...entryOf(start) } } }),
  }),
  codex: ({ args, command, name }) => ({
    place: "`~/.codex/config.toml`",
    // TOML takes the strings of JSON.
    text: `[mcp_servers.${JSON.stringify(name)}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
  }),
};

function entryOf({ args, command }: ServerStart) {
  return { command, args };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
