import { expect, test } from "vitest";
import { CommandFailure } from "../../../src/cli/exit.js";
import { orMissingPackage } from "../../../src/cli/mcp/missing-package.js";

/** Returns what Node.js throws for an import of a package that is not installed. */
function errorOf(name: string): Error {
  const message = `Cannot find package '${name}' imported from /project/mcp.js`;
  return Object.assign(new Error(message), { code: "ERR_MODULE_NOT_FOUND" });
}

test("a package of the MCP SDK that is missing is named, with the command that installs it", () => {
  const failure = orMissingPackage(errorOf("@modelcontextprotocol/server"), "skillc mcp");
  expect(failure).toBeInstanceOf(CommandFailure);
  expect(failure).toMatchObject({
    message: "`skillc mcp` needs the package `@modelcontextprotocol/server`",
    help: "run `npm install @modelcontextprotocol/server`",
  });
});

test("any other missing package is an error of its own", () => {
  const error = errorOf("other");
  expect(orMissingPackage(error, "skillc mcp")).toBe(error);
});
