import type { Command } from "commander";
import { check } from "prettier";
import { expect, test } from "vitest";
import { nowhere } from "../../src/cli/io.js";
import { createProgram } from "../../src/cli/program.js";
import { commandPath } from "../../src/cli/program-help.js";
import { referencePages } from "../../src/cli/reference-pages.js";
import { readPage } from "../support/page-blocks.js";

const program = createProgram(nowhere(), () => undefined);

test("the generated page lists every command and option of the command line", async () => {
  const page = (await referencePages()).find(({ path }) => path === "reference/commands.md");
  const sections = new Map(
    (page?.text ?? "").split(/^## /m).map((section) => [section.split("\n")[0], section]),
  );
  const leaves = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  const commands = leaves(program).filter((each) => each.name() !== "help");
  expect(commands.length).toBeGreaterThan(20);
  for (const command of commands) {
    const section = sections.get(commandPath(command));
    expect(section).toContain(command.description());
    for (const { flags } of command.options) expect(section).toContain(`\`${flags}\``);
  }
  expect(await check(page?.text ?? "", { parser: "markdown", printWidth: 100 })).toBe(true);
});

test("docs/commands.md proposes only commands and options that exist", () => {
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
