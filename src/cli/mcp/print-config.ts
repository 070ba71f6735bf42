import { type CommandContext, resolveFrom } from "../command-context.js";
import { withCodeSpans } from "../console/palette.js";
import { clientConfig, type ConfigTarget } from "./client-config.js";
import { serverName } from "./server-name.js";

/** Flags of `skillc mcp` that a client passes on when it starts the server. */
export interface StartFlags {
  readonly caller?: string;
  readonly handlers?: string;
  readonly outputSchemas?: "none";
}

/** Prints the settings with which a client starts the server of a project over stdio. */
export function printConfig(
  { directory, err, io }: CommandContext,
  root: string,
  target: ConfigTarget,
  flags: StartFlags,
): void {
  const { place, text } = clientConfig(target, {
    name: serverName(root),
    command: "npx",
    // Clients start npx in any folder. These flags make it take the project's skillc, or none: it
    // must never download a package of this name.
    args: ["--no", "--prefix", root, "skillc", "mcp", "--cwd", root, ...argsOf(directory, flags)],
  });
  io.stderr.write(`${withCodeSpans(`add this to ${place}:`, err)}\n`);
  io.stdout.write(text);
}

function argsOf(directory: string, flags: StartFlags): readonly string[] {
  const { caller, handlers, outputSchemas } = flags;
  return [
    ...(caller === undefined ? [] : ["--caller", caller]),
    ...(handlers === undefined ? [] : ["--handlers", resolveFrom(directory, handlers)]),
    ...(outputSchemas === undefined ? [] : ["--output-schemas", outputSchemas]),
  ];
}
