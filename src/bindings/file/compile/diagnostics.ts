import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../../core/diagnostic-entry.js";
import { exampleSkill } from "../../../core/example-skill.js";
import {
  callerDiagnosticEntries,
  referenceDiagnosticEntries,
} from "../../../kit/reference-diagnostics.js";

/** The parts of an example tool, as YAML lines. */
interface ExampleTool {
  readonly parameters?: readonly string[];
  /** Keys of the tool beside `binding`. */
  readonly tool?: readonly string[];
  /** Keys of the binding beside `type` and `allowed_paths`. */
  readonly binding: readonly string[];
  /** Folder below which paths must be. */
  readonly folder?: string;
}

function project({
  binding,
  folder = "./notes",
  parameters = [],
  tool = [],
}: ExampleTool): ProjectFiles {
  const declared = parameters.length === 0 ? ["parameters: { type: object }"] : parameters;
  return {
    ...exampleSkill("notes", "Keeps notes.", [
      "tools_schema:",
      "  keep-note:",
      "    description: Works with a note.",
      ...[...declared, ...tool].map((line) => `    ${line}`),
      "    binding:",
      "      type: file",
      `      allowed_paths: ["${folder}"]`,
      ...binding.map((line) => `      ${line}`),
    ]),
  };
}

function entry(
  title: string,
  explanation: string,
  example: ExampleTool,
  fixed: ExampleTool,
): DiagnosticEntry {
  return {
    severity: "error",
    title,
    explanation,
    example: project(example),
    fixed: project(fixed),
  };
}

const list: ExampleTool = { binding: ["operation: list", "path: ./notes"] };
const write = ["operation: write", "path: ./notes/today.md"];
const anyOffset = "parameters: { type: object, properties: { offset: { type: integer } } }";
const read = ["operation: read", "path: ./notes/today.md"];

/** Every diagnostic code of file tools, with an example that a test runs. */
export const fileDiagnosticEntries: DiagnosticEntries = {
  ...referenceDiagnosticEntries("file", (text, unused = []) =>
    project({
      parameters: ["order_id: string", "note: string"],
      tool: unused.length === 0 ? [] : [`unused: [${unused.join(", ")}]`],
      binding: ["operation: stat", `path: "./notes/${text}"`],
    }),
  ),
  ...callerDiagnosticEntries("file", (field, parameter) =>
    project({
      parameters: [`${parameter}: string`],
      binding: ["operation: stat", `path: "./notes/{caller.${field}}/{${parameter}}"`],
    }),
  ),
  "file/missing-key": entry(
    "an operation without a key that it needs",
    "Every operation except `temporary` needs `path` and `allowed_paths`. `write` and `append` need `content` or `content_b64`, `move` needs `to`, and `patch` needs `patch`.",
    { binding: write },
    { parameters: ["text: string"], binding: [...write, 'content: "{text}"'] },
  ),
  "file/extra-key": entry(
    "a key that the operation does not use",
    "Each operation has keys of its own. A key of another operation would have no effect. `content_b64` stands in place of `content` and `encoding`.",
    { binding: [...list.binding, "overwrite: true"] },
    list,
  ),
  "file/bad-path": entry(
    "an empty path",
    "A path names a file or folder. It is relative to the project's folder, and must be below a folder of `allowed_paths`.",
    { binding: ["operation: list", 'path: ""'] },
    list,
  ),
  "file/bad-folder": entry(
    "a folder that depends on a parameter",
    "`allowed_paths` bounds what the parameters of a call can reach, so no parameter may choose a folder. Folders are fixed text, with settings (`${NAME}`) and fields of the caller (`{caller.tenant}`). `{temporary}`, as a whole entry, stands for temporary folders.",
    { ...list, parameters: ["folder: string"], folder: "{folder}" },
    { ...list, folder: "./spaces/{caller.tenant}" },
  ),
  "file/bad-value": entry(
    "a parameter of a type that does not fit its place",
    "Paths, contents and patches are text. `offset`, `length`, `max_depth`, `max_files` and `size_bytes` are whole numbers; `overwrite` and `create_directories` are booleans.",
    { parameters: ["offset: string"], binding: [...read, 'offset: "{offset}"'] },
    { parameters: ["offset: integer"], binding: [...read, 'offset: "{offset}"'] },
  ),
  "file/bad-option": entry(
    "an option that is neither a value nor one parameter",
    "The value of a number or a flag is written as it is, or comes from one parameter. Text around a placeholder would make a text of it. `size_bytes` may also be a size such as `16MiB`, up to 1 GiB.",
    { parameters: ["offset: integer"], binding: [...read, 'offset: "{offset}0"'] },
    { parameters: ["offset: integer"], binding: [...read, 'offset: "{offset}"'] },
  ),
  "file/absent-value": entry(
    "a place that needs a value, with a parameter that may be absent",
    "Paths and contents always need a value, so their parameters are required or have a `default`. An option may be left out: write `{offset?}`.",
    { parameters: [anyOffset], binding: [...read, 'offset: "{offset}"'] },
    { parameters: [anyOffset], binding: [...read, 'offset: "{offset?}"'] },
  ),
  "file/credential-place": entry(
    "a credential in a content",
    "Files outlive calls, and others read them, so no call writes a credential or setting into one. Paths and folders may contain settings.",
    { binding: [...write, 'content: "${API_TOKEN}"'] },
    { parameters: ["text: string"], binding: [...write, 'content: "{text}"'] },
  ),
  "file/returns-mismatch": entry(
    "`returns` rejects the data of the operation",
    "The operation decides about the data: a read returns text with its size and digest, a list returns entries. `returns` requires another type, so every call would fail.",
    { ...list, tool: ["returns: { type: string }"] },
    list,
  ),
};
