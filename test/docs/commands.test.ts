import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { expect, test } from "vitest";
import { renderCommands } from "../../src/cli/commands/docs-commands.js";
import { nowhere } from "../../src/cli/io.js";
import { createProgram } from "../../src/cli/program.js";
import { readPage } from "../support/page-blocks.js";

const program = createProgram(nowhere(), () => undefined);

test("docs/commands.md is what `npm run docs` writes of the command line's own declarations", async () => {
  const path = fileURLToPath(new URL("../../docs/commands.md", import.meta.url));
  const page = await format(renderCommands(program), {
    ...(await resolveConfig(path)),
    filepath: path,
  });
  expect(readPage("docs/commands.md")).toBe(page);
});

test("the commands that it proposes are there, with those options", () => {
  const proposed = [...readPage("docs/commands.md").matchAll(/^\|[^|\n]*\| `skillc ([^`]*)`/gm)];
  expect(proposed.length).toBeGreaterThan(8);
  for (const [, line = ""] of proposed) {
    const words = line.split(" && ")[0]?.split(" ") ?? [];
    const parent = program.commands.find((each) => each.name() === words[0]);
    const command = parent?.commands.find((each) => each.name() === words[1]) ?? parent;
    const options = command?.options.map(({ long }) => long) ?? [];
    expect(command).toBeDefined();
    expect(options).toEqual(expect.arrayContaining(words.filter((word) => word.startsWith("--"))));
  }
});
