import { CommandFailure } from "../exit.js";

/**
 * Says which package to install if an import lacks a package of the MCP SDK, which projects install
 * themselves.
 *
 * @param error error of the import
 * @param needing what needs the package, for example `skillc mcp`
 * @returns the failure for the user; any other error unchanged
 */
export function orMissingPackage(error: unknown, needing: string): unknown {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"))
    return error;
  const name = /'(@modelcontextprotocol\/[a-z-]+)/.exec(error.message)?.[1];
  if (name === undefined) return error;
  return CommandFailure.input(
    `\`${needing}\` needs the package \`${name}\``,
    `run \`npm install ${name}\``,
  );
}
