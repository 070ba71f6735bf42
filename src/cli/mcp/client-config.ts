/** The settings that a person pastes into an MCP client, in the form that each client documents. */

/** Names of the clients whose settings are known. */
export const configTargets = ["claude", "cursor", "vscode", "codex"] as const;
export type ConfigTarget = (typeof configTargets)[number];

/** How a client starts the server. */
export interface ServerStart {
  /** Name of the server in the client: letters, digits and hyphens. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Settings for a client. */
export interface ClientConfig {
  /** Files that the settings are for. */
  readonly place: string;
  /** Text to paste: JSON or TOML. */
  readonly text: string;
}

/** Returns the settings with which a client starts the server. */
export function clientConfig(target: ConfigTarget, start: ServerStart): ClientConfig {
  return writers[target](start);
}

const writers: { readonly [Target in ConfigTarget]: (start: ServerStart) => ClientConfig } = {
  claude: (start) => ({
    place: "`.mcp.json` (Claude Code) or `claude_desktop_config.json` (Claude Desktop)",
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
    text: [
      `[mcp_servers.${tomlText(name)}]`,
      `command = ${tomlText(command)}`,
      `args = [${args.map(tomlText).join(", ")}]`,
      "",
    ].join("\n"),
  }),
};

function entryOf({ args, command }: ServerStart) {
  return { command, args };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** TOML takes the texts of JSON, except that it wants an escape for U+007F. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", String.raw`\u007f`);
}
