/** Mistakes in a file tool: skillc reports each at its place, and TypeScript rejects some by itself. */
import { describe, expect, test } from "vitest";
import { fileDiagnosticEntries } from "../../../../src/bindings/file/compile/diagnostics.js";
import { fileBinding } from "../../../../src/bindings/file/compile/index.js";
import type { FileConfig } from "../../../../src/bindings/file/compile/model.js";
import { collectDiagnostics } from "../../../../src/core/report.js";
import type { BindingKind } from "../../../../src/kit/binding.js";
import {
  callerDiagnosticEntries,
  referenceDiagnosticEntries,
} from "../../../../src/kit/reference-diagnostics.js";
import { compileFiles } from "../../../support/compile.js";
import { placeOf, placeOfMark } from "../../plan/compile/place-of.js";

const known = new Set(["count", "flag", "missing", "name", "text"]);

/** The kind of files without its checks, so that TypeScript has to find the mistake. */
const unchecked = {
  ...fileBinding,
  resolve(input) {
    const resolved = fileBinding.resolve({ ...input, report: collectDiagnostics().report });
    // References are checked outside of the kind.
    return (
      resolved && {
        ...resolved,
        references: resolved.references.filter(({ path: [name = ""] }) => known.has(name)),
      }
    );
  },
  check: () => undefined,
} satisfies BindingKind<FileConfig>;

interface Mistake {
  readonly what: string;
  /** Binding of the tool; `‹ ›` around the text that is reported. */
  readonly binding: readonly string[];
  /** Keys of the tool beside its binding. */
  readonly tool?: readonly string[];
  readonly folder?: string;
  readonly code: string;
  /** True if TypeScript finds the mistake too. */
  readonly byTypes: boolean;
}

const read = ["operation: read", "path: ./notes/a.md"];
const write = ["operation: write", 'path: "./notes/{name}"'];

const mistakes: readonly Mistake[] = [
  {
    what: "an unknown parameter",
    binding: ["operation: read", 'path: "./notes/‹{nme}›"'],
    code: "file/unknown-parameter",
    byTypes: true,
  },
  {
    what: "a parameter without a field",
    binding: ["operation: read", 'path: "./notes/‹{name.first}›"'],
    code: "file/unknown-parameter",
    byTypes: true,
  },
  {
    what: "a path that may be absent",
    binding: ["operation: read", 'path: "./notes/‹{missing}›"'],
    code: "file/absent-value",
    byTypes: true,
  },
  {
    what: "a number as a whole path",
    binding: ["operation: read", 'path: "‹{count}›"'],
    code: "file/bad-value",
    byTypes: true,
  },
  {
    what: "a text as an offset",
    binding: [...read, 'offset: "‹{text}›"'],
    code: "file/bad-value",
    byTypes: true,
  },
  {
    what: "a flag as a content",
    binding: [...write, 'content: "‹{flag}›"'],
    code: "file/bad-value",
    byTypes: true,
  },
  {
    what: "text around the value of a number",
    binding: [...read, 'offset: ‹"{count}0"›'],
    code: "file/bad-option",
    byTypes: true,
  },
  {
    what: "a write without content",
    binding: ["operation: ‹write›", 'path: "./notes/{name}"'],
    code: "file/missing-key",
    byTypes: true,
  },
  {
    what: "a move without a new path",
    binding: ["operation: ‹move›", "path: ./notes/a.md"],
    code: "file/missing-key",
    byTypes: true,
  },
  {
    what: "a key of another operation",
    binding: [...read, "‹overwrite›: true"],
    code: "file/extra-key",
    byTypes: false,
  },
  {
    what: "a content in two forms",
    binding: [...write, '‹content›: "{text}"', 'content_b64: "{text}"'],
    code: "file/extra-key",
    byTypes: false,
  },
  {
    what: "an empty path",
    binding: ["operation: read", 'path: ‹""›'],
    code: "file/bad-path",
    byTypes: false,
  },
  {
    what: "a folder that a parameter chooses",
    binding: read,
    folder: "./‹{name}›",
    code: "file/bad-folder",
    byTypes: true,
  },
  {
    what: "an unknown field of the caller in a path",
    binding: ["operation: read", 'path: "./notes/‹{caller.team}›/a.md"'],
    code: "file/unknown-root-field",
    byTypes: false,
  },
  {
    what: "a credential in a content",
    binding: [...write, 'content: "token ‹${TOKEN}›"'],
    code: "file/credential-place",
    byTypes: true,
  },
  {
    what: "`returns` of another type",
    binding: read,
    tool: ["returns: { type: ‹string› }"],
    code: "file/returns-mismatch",
    byTypes: false,
  },
  {
    what: "a limit without a unit",
    binding: [...read, "max_bytes: ‹1 mega›"],
    code: "binding/wrong-value",
    byTypes: false,
  },
];

const parameters = [
  "required: [name, text, count, flag]",
  "properties:",
  "  name: { type: string }",
  "  text: { type: string }",
  "  count: { type: integer }",
  "  flag: { type: boolean }",
  "  missing: { type: string }",
];

function filesOf({
  binding,
  folder = "./notes",
  tool = [],
}: Pick<Mistake, "binding" | "folder" | "tool">) {
  const all = [...binding, folder].join("\n").replaceAll(/[‹›]/g, "");
  const unused = [...known].filter((name) => !all.includes(`{${name}`));
  return {
    "skills/notes/SKILL.md": [
      "---",
      "name: notes",
      "description: Keeps notes.",
      "tools_schema:",
      "  keep-note:",
      "    description: Works with a note.",
      "    parameters:",
      "      type: object",
      ...parameters.map((line) => `      ${line}`),
      `    unused: [${unused.join(", ")}]`,
      ...tool.map((line) => `    ${line}`),
      "    binding:",
      "      type: file",
      ...binding.map((line) => `      ${line}`),
      "      allowed_paths:",
      `        - ${folder}`,
      "---",
      "",
    ].join("\n"),
  };
}

function withoutMarks(marked: ReturnType<typeof filesOf>) {
  return { "skills/notes/SKILL.md": marked["skills/notes/SKILL.md"].replaceAll(/[‹›]/g, "") };
}

describe.each(mistakes)("$what", ({ byTypes, code, ...mistake }) => {
  const marked = filesOf(mistake);
  const files = withoutMarks(marked);

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

test("each diagnostic that only file tools have is in the list", () => {
  // Other kinds share the rest, whose examples run in the tests of all kinds.
  const shared = Object.keys({
    ...referenceDiagnosticEntries("file", () => ({})),
    ...callerDiagnosticEntries("file", () => ({})),
  });
  const listed = new Set([...shared, ...mistakes.map(({ code }) => code)]);
  const left = Object.keys(fileDiagnosticEntries).filter((each) => !listed.has(each));
  expect(left).toEqual([]);
});

describe("max_bytes", () => {
  const limitOf = async (written: string) => {
    const { diagnostics, files } = await compileFiles(
      withoutMarks(filesOf({ binding: [...read, `max_bytes: ${written}`] })),
    );
    const text = files.map((each) => each.text).join("\n");
    const found = /maxBytes: (\d+)/.exec(text)?.[1];
    return [
      found,
      ...diagnostics.flatMap((each) => (each.severity === "error" ? each.message : [])),
    ];
  };

  test.each([
    ["2097152", "2097152"],
    ["2MiB", "2097152"],
    ["64kB", "64000"],
    ["1GiB", "1073741824"],
  ])("accepts %s", async (written, bytes) => {
    expect(await limitOf(written)).toEqual([bytes]);
  });

  test.each([
    ["0", "must be at least 1"],
    ["0MiB", "must be a size greater than 0"],
    ["1025MiB", "is larger than a limit can be"],
    ["2000000000", "must be at most 1073741824"],
    ["1mb", "must be a size greater than 0"],
    ["1.5MiB", "must be a size greater than 0"],
    ["9007199254740993GiB", "is larger than a size can be"],
  ])("rejects %s", async (written, message) => {
    expect(await limitOf(written)).toEqual([undefined, expect.stringContaining(message)]);
  });
});
