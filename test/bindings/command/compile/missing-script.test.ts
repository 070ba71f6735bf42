import { expect, test } from "vitest";
import { compileFiles } from "../../../support/compile.js";

async function messagesFor(...commands: readonly string[]): Promise<readonly string[]> {
  const tools = commands.map(
    (command, at) => `  count-${at}:
    description: Counts lines.
    parameters: { type: object, required: [day], properties: { day: { type: integer } } }
    binding: { type: command, command: ${command} }
`,
  );
  const { diagnostics } = await compileFiles({
    "skills/repository/SKILL.md": "---\nname: repository\ndescription: Counts lines.\n---\n",
    "skills/repository/metadata.yaml": `tools_schema:\n${tools.join("")}`,
  });
  return diagnostics.map(({ message }) => message);
}

test("a program that is a missing script is one error, which names the script", async () => {
  expect(await messagesFor('[./count.py, "{day}"]')).toEqual(["there is no file `./count.py`"]);
});

test("each missing script is an error, also in one command", async () => {
  expect(
    await messagesFor('[./count.py, ./other.py, "{day}"]', '[python3, ./third.py, "{day}"]'),
  ).toEqual([
    "there is no file `./count.py`",
    "there is no file `./other.py`",
    "there is no file `./third.py`",
  ]);
});

test("a wrong program is reported beside a missing script", async () => {
  expect(await messagesFor('["git log", ./count.py, "{day}"]', '["{day}", ./count.py]')).toEqual([
    "`git log` is a command line, but each entry is one argument",
    "there is no file `./count.py`",
    "the program is a parameter, so a caller could start any program",
    "there is no file `./count.py`",
  ]);
});

test("a program with a lone brace is one error", async () => {
  expect(await messagesFor('["git{", "{day}"]')).toEqual([
    "this `{` opens a placeholder that nothing closes",
  ]);
});
