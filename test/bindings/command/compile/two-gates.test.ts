/** Nine mistakes in a command: skillc reports each at its place, and TypeScript rejects some by itself. */
import { describe, expect, test } from "vitest";
import { commandBinding } from "../../../../src/bindings/command/compile/index.js";
import type {
  CommandConfig,
  CommandSettings,
} from "../../../../src/bindings/command/compile/model.js";
import { collectDiagnostics } from "../../../../src/core/report.js";
import type { BindingKind } from "../../../../src/kit/binding.js";
import { compileFiles } from "../../../support/compile.js";
import { placeOf, placeOfMark } from "../../plan/compile/place-of.js";

/** The kind of commands without its checks, so that TypeScript has to find the mistake. */
const unchecked = {
  ...commandBinding,
  resolve(input) {
    const resolved = commandBinding.resolve({ ...input, report: collectDiagnostics().report });
    // References are checked outside of the kind.
    const known = new Set(["author", "count", "files", "repository"]);
    return (
      resolved && {
        ...resolved,
        references: resolved.references.filter(({ path: [name = ""] }) => known.has(name)),
      }
    );
  },
  check: () => undefined,
} satisfies BindingKind<CommandConfig, CommandSettings>;

interface Mistake {
  readonly what: string;
  /** Binding of the tool; `‹ ›` around the text that is reported. */
  readonly binding: readonly string[];
  readonly code: string;
  /** True if TypeScript finds the mistake too. */
  readonly byTypes: boolean;
}

const mistakes: readonly Mistake[] = [
  {
    what: "an unknown parameter",
    binding: ['command: [git, log, "--author=‹{autor}›"]'],
    code: "command/unknown-parameter",
    byTypes: true,
  },
  {
    what: "an optional parameter in an argument that is always sent",
    binding: ['command: [git, log, "--author=‹{author}›"]'],
    code: "command/optional-argument",
    byTypes: true,
  },
  {
    what: "a list as one argument",
    binding: ['command: [git, add, --, "‹{files}›"]'],
    code: "command/not-a-scalar",
    byTypes: true,
  },
  {
    what: "the items of a text",
    binding: ['command: [git, add, --, "‹{repository...}›"]'],
    code: "command/bad-spread",
    byTypes: true,
  },
  {
    what: "a number as a path",
    binding: ['command: [git, -C, "‹{count}›", log]', "paths: [count]", "allowed_paths: [.]"],
    code: "command/bad-path-parameter",
    byTypes: false,
  },
  {
    what: "a shell",
    binding: ["command: [sh, ‹-c›, ls]"],
    code: "command/shell",
    byTypes: false,
  },
  {
    what: "a path without an allowed folder",
    binding: ['‹command›: [git, -C, "{repository}", log]', "paths: [repository]"],
    code: "command/no-allowed-paths",
    byTypes: false,
  },
  {
    what: "an exit code that no process has",
    binding: ["command: [git, log]", "exit_codes: { ‹256›: not_found }"],
    code: "command/bad-exit-code",
    byTypes: false,
  },
  {
    what: "JSON of an unknown type",
    binding: ["command: [git, log]", "output: ‹json›"],
    code: "command/json-without-returns",
    byTypes: false,
  },
];

const parameters = [
  "required: [repository, count, files]",
  "properties:",
  "  repository: { type: string }",
  "  count: { type: integer }",
  "  author: { type: string }",
  "  files: { type: array, items: { type: string } }",
];

function filesOf(binding: readonly string[]) {
  const used = (name: string) => binding.some((line) => line.includes(`{${name}`));
  const unused = ["author", "count", "files", "repository"].filter(
    (name) =>
      !used(name) &&
      !binding.some((line) => line.includes(`‹${name}›`) || line.includes(`[${name}]`)),
  );
  return {
    "skills/repository/SKILL.md": [
      "---",
      "name: repository",
      "description: Reads the history of a repository.",
      "tools_schema:",
      "  show-log:",
      "    description: Shows the latest commits.",
      "    parameters:",
      "      type: object",
      ...parameters.map((line) => `      ${line}`),
      `    unused: [${unused.join(", ")}]`,
      "    binding:",
      "      type: command",
      ...binding.map((line) => `      ${line}`),
      "---",
      "",
    ].join("\n"),
  };
}

describe.each(mistakes)("$what", ({ binding, byTypes, code }) => {
  const marked = filesOf(binding);
  const files = {
    "skills/repository/SKILL.md": marked["skills/repository/SKILL.md"].replaceAll(/[‹›]/g, ""),
  };

  test("skillc reports it at its place", async () => {
    const { diagnostics, files: made } = await compileFiles(files);
    expect(diagnostics.map((each) => [each.code, placeOf(each.span, files)])).toContainEqual([
      code,
      placeOfMark(marked),
    ]);
    expect(made).toEqual([]);
  });

  test(`TypeScript alone ${byTypes ? "finds it" : "does not find it"}`, async () => {
    const { diagnostics } = await compileFiles(files, { kinds: [unchecked] });
    expect(diagnostics.some((each) => each.code === "generate/type-error")).toBe(byTypes);
  });
});

test("TypeScript finds four of the nine mistakes", () => {
  expect(mistakes).toHaveLength(9);
  expect(mistakes.filter(({ byTypes }) => byTypes)).toHaveLength(4);
});
