import { describe, expect, test } from "vitest";
import { makeProject, skillc } from "../cli/support/command-line.js";
import { diagnose } from "../compiler/whole/compile-untyped.js";

const skill = `---
name: notes
description: Keeps notes.
tools_schema:
  read-note:
    description: Reads a note.
    parameters:
      type: object
      required: [path]
      properties:
        path: { type: string, enum: [a.md, b.md] }
    binding: { type: file, operation: read, path: "{path}", allowed_paths: [.] }
  print-notes:
    description: Prints notes.
    parameters:
      type: object
      properties:
        files: { type: array, items: { type: string, format: path } }
        title: { type: string }
    binding:
      type: command
      effect: read
      command: [cat, "{files...}", "--title={title?}"]
      cwd: ./notes
      allowed_paths: { read: [./notes] }
  ping:
    description: Answers.
    parameters: { type: object }
---
Read and print notes.
`;

function policies(tool: string, condition: string) {
  return `forbid(principal, action == Action::"notes/${tool}", resource) when { ${condition} };\n`;
}

async function found(tool: string, condition: string): Promise<readonly (readonly string[])[]> {
  const { diagnostics } = await diagnose({
    "skills/notes/SKILL.md": skill,
    "policies/notes.cedar": policies(tool, condition),
  });
  return diagnostics
    .filter(({ code }) => code.startsWith("policy/"))
    .map(({ code, help = "" }) => [code, help]);
}

describe("the compiler", () => {
  test.each([
    ["read-note", 'context.paths.contains("notes/private")'],
    ["read-note", 'context.within.contains("/srv/notes")'],
    ["read-note", 'context.args.path like "*/private/*"'],
    ["read-note", 'context.args.path == "/srv/notes/a.md"'],
    ["print-notes", 'context.paths.containsAny(["notes/private", "notes/old"])'],
    ["print-notes", 'context.args has files && context.args.files.contains("/srv/a.md")'],
    ["print-notes", 'context.args has title && context.args.title == "any text"'],
  ])("accepts a condition of %s about a path: %s", async (tool, condition) => {
    expect(await found(tool, condition)).toEqual([]);
  });

  test.each([
    ["read-note", 'context.paths.contains("./notes")', "write `notes`"],
    ["read-note", 'context.paths.contains("notes/")', "write `notes`"],
    ["read-note", 'context.within.contains("notes/../other")', "write `other`"],
    ["read-note", 'context.args.path == "a.md"', "absolute and without links"],
    ["read-note", 'context.args.path like "private/*"', "absolute and without links"],
    [
      "print-notes",
      'context.args has files && context.args.files.contains("a.md")',
      "absolute and without links",
    ],
  ])("reports a condition of %s that no path can meet: %s", async (tool, condition, help) => {
    expect(await found(tool, condition)).toEqual([
      ["policy/unknown-value", expect.stringContaining(help)],
    ]);
  });

  test("reports `context.paths` of a tool that uses no files of callers", async () => {
    const [[code = ""] = []] = await found("ping", 'context.paths.contains("notes")');
    expect(code).toBe("policy/types");
  });
});

describe("`skillc policy test`", () => {
  const run = (cases: string) =>
    skillc(
      makeProject({
        "skills/notes/SKILL.md": skill,
        "policies/notes.cedar": policies("read-note", 'context.paths.contains("notes/private")'),
        "policies/notes.test.yaml": `cases:\n${cases}`,
      }),
      ["policy", "test"],
    );
  const caseOf = (name: string, paths: string, decision: string) =>
    `  - { name: ${name}, tool: notes/read-note, arguments: { path: a.md }, paths: ${paths}, decision: ${decision} }\n`;

  test("decides by the paths of a case", async () => {
    const cases = [
      caseOf("one", "[notes/private/a.md]", "deny"),
      caseOf("two", "[notes/open/a.md]", "allow"),
    ];
    expect(await run(cases.join(""))).toMatchObject({ code: 0 });
  });

  test("rejects paths of a tool that uses no files of callers", async () => {
    const { code, stderr, stdout } = await run(
      "  - { name: one, tool: notes/ping, paths: [a], decision: allow }\n",
    );
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("`notes/ping` names no files");
  });
});
