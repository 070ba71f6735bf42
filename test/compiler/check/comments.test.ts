import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../src/bindings/registry.js";
import { checkDiagnosticEntries } from "../../../src/compiler/check/diagnostics.js";
import { checkComments } from "../../../src/compiler/check/check-comments.js";
import { parseDiagnosticEntries } from "../../../src/compiler/parse/diagnostics.js";
import { parseSkill } from "../../../src/compiler/parse/parse-skill.js";
import { createReport } from "../../../src/core/report.js";
import { desk } from "../resolve/skill-project.js";

/** What a SQL binding with these lines is told of its comments, with the text that each place shows. */
async function found(...query: readonly string[]) {
  const files = desk(
    "tools:",
    "  clear-stock:",
    "    description: Clears the empty places.",
    "    binding:",
    "      type: sql",
    "      connection: ${STOCK_URL}",
    ...query.map((line) => `      ${line}`),
  );
  const [path = "", text = ""] = Object.entries(files)[0] ?? [];
  const source = { path, text };
  const report = createReport({ ...checkDiagnosticEntries, ...parseDiagnosticEntries });
  const syntax = parseSkill("skills/desk", source, undefined, report);
  if (syntax === undefined) throw new Error("the skill is no skill");
  await checkComments({ kinds: createRegistry(), syntax, sources: [source], report });
  const shown = ({ end, file, start }: { file: string; start: number; end: number }) =>
    files[file]?.slice(start, end);
  return report
    .diagnostics()
    .filter(({ code }) => code === "binding/folded-comment")
    .map(({ help, message, related = [], span, tool }) => ({
      at: shown(span),
      message,
      help,
      tool,
      related: related.map((each) => `${each.message}: ${shown(each.span)}`),
    }));
}

const statement = ["DELETE FROM stock -- the empty places", "WHERE quantity = 0"];
const below = statement.map((line) => `  ${line}`);

describe("a comment that ends with its line", () => {
  const taken = {
    at: "-- the empty places",
    message: "the comment continues on the next line: YAML replaces the line break by a space here",
    tool: "clear-stock",
    related: ["so this is part of the comment: WHERE quantity = 0"],
  };

  test("causes an error if `>` folds the line break after it", async () => {
    const help = "write `query: |` instead of `>`: it keeps line breaks";
    expect(await found("query: >", ...below)).toEqual([{ ...taken, help }]);
  });

  test.each([">-", ">2+", "> # the statement"])("causes an error in `%s` too", async (header) => {
    const [first, ...others] = await found(`query: ${header}`, ...below);
    expect(first).toMatchObject(taken);
    expect(others).toEqual([]);
  });

  test.each([
    ["plain text", ["query: DELETE FROM stock -- the empty places", "  WHERE quantity = 0"]],
    ["plain text below its key", ["query:", ...below]],
    ["single quotes", ["query: 'DELETE FROM stock -- the empty places", "  WHERE quantity = 0'"]],
    ["double quotes", ['query: "DELETE FROM stock -- the empty places', '  WHERE quantity = 0"']],
    [
      "double quotes with a line break that is escaped",
      ['query: "DELETE FROM stock -- the empty places\\', '  WHERE quantity = 0"'],
    ],
    ["a file with CRLF", ["query: >\r", ...below.map((line) => `${line}\r`)]],
  ])("causes an error in %s", async (_, lines) => {
    const help = "write `query: |` with the text below it: it keeps line breaks";
    const inPlace = "write `query: |` instead of `>`: it keeps line breaks";
    const [first, ...others] = await found(...lines);
    expect(first).toEqual({ ...taken, help: lines[0]?.includes(">") ? inPlace : help });
    expect(others).toEqual([]);
  });

  test("causes an error even if the statement no longer parses", async () => {
    const lines = [
      "query: >",
      "  SELECT id FROM stock WHERE -- the empty places",
      "  quantity = 0",
    ];
    expect(await found(...lines)).toHaveLength(1);
  });

  test("causes one error that names each of several comments", async () => {
    const lines = ["query: >", "  SELECT 1 -- one", "", "  + 2 -- two", "  + 3", "", "  AS n"];
    expect((await found(...lines)).map(({ at }) => at)).toEqual(["-- two"]);
  });
});

describe("a comment that keeps its line break", () => {
  test.each([
    ["`|`", ["query: |", ...below]],
    ["`|` with CRLF", ["query: |\r", ...below.map((line) => `${line}\r`)]],
    [
      "a line break that stays behind the comment",
      ["query: >", below[0] ?? "", "", below[1] ?? ""],
    ],
    [
      "an escaped line feed",
      ['query: "DELETE FROM stock -- the empty places\\nWHERE quantity = 0"'],
    ],
    ["a comment on the last line", ["query: >", "  SELECT id", "  FROM stock -- all"]],
    ["a block comment", ["query: >", "  SELECT id /* -- all", "  of them */", "  FROM stock"]],
    ["a string", ["query: >", "  SELECT id FROM stock WHERE name = ' -- ", "  x'"]],
    ["a quoted identifier", ["query: >", '  SELECT id AS "-- a', '  b" FROM stock']],
    ["a dollar quote", ["query: >", "  SELECT $x$ -- ", "  a $x$ AS a FROM stock"]],
    ["a line that is indented further", ["query: >", "  SELECT id -- all", "    FROM stock"]],
  ])("causes no error in %s", async (_, lines) => {
    expect(await found(...lines)).toEqual([]);
  });
});
