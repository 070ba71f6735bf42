import type { Severity } from "../../../core/diagnostic.js";
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
  /** Keys of the binding beside `type`. */
  readonly binding: readonly string[];
  /** Files of the project. */
  readonly files?: ProjectFiles;
}

function project({ binding, files = {}, parameters = [], tool = [] }: ExampleTool): ProjectFiles {
  const declared = parameters.length === 0 ? ["parameters: { type: object }"] : parameters;
  return {
    ...files,
    ...exampleSkill("repository", "Reads the history of a repository.", [
      "tools_schema:",
      "  show-log:",
      "    description: Shows the latest commits.",
      ...[...declared, ...tool].map((line) => `    ${line}`),
      "    binding:",
      "      type: command",
      ...binding.map((line) => `      ${line}`),
    ]),
  };
}

const status: ExampleTool = { binding: ["command: [git, status]"] };

function entry(
  title: string,
  explanation: string,
  example: ExampleTool,
  {
    fixed = status,
    ...others
  }: Partial<Omit<DiagnosticEntry, "fixed">> & { readonly fixed?: ExampleTool } = {},
): DiagnosticEntry {
  const severity: Severity = "error";
  return {
    severity,
    title,
    explanation,
    ...others,
    example: project(example),
    fixed: project(fixed),
  };
}

/** A tool with one parameter, which is in its command. */
function using(parameter: string, ...binding: readonly string[]): ExampleTool {
  return { parameters: [parameter], binding };
}

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

const programEntries: DiagnosticEntries = {
  "command/program": entry(
    "the first entry of `command` is not a program",
    "The first entry is the program: a name that PATH finds, an absolute path, or a script beside SKILL.md. It is fixed text, because a caller who chooses the program can do anything. A relative path would depend on the working folder. Each entry is one argument: there is no shell that splits a text into several.",
    { binding: ["command: [git status]"] },
  ),
  "command/shell": entry(
    "a command that runs text as code",
    "`sh -c`, `python -c`, `node -e`, `xargs` and the like run text as code. A value in that text becomes code too, whatever quotes stand around it. A script beside SKILL.md does the same work: its text is reviewed, its hash is in the tool's manifest, and its arguments stay data.",
    using("pattern: string", 'command: [sh, -c, "git log | grep {pattern}"]'),
    {
      fixed: {
        ...using("pattern: string", 'command: [bash, ./scripts/search.sh, --, "{pattern}"]'),
        files: {
          "skills/repository/scripts/search.sh": '#!/bin/bash\nshift\ngit log | grep -e "$1"\n',
        },
      },
    },
  ),
  "command/bad-script": entry(
    "a script whose name can't be copied",
    "skillc copies scripts beside SKILL.md to the output folder, which has to work on every system. Their names consist of letters, digits, `.`, `_`, `+` and `-`.",
    {
      binding: ['command: [bash, "./scripts/count lines.sh"]'],
      files: { "skills/repository/scripts/count lines.sh": "wc -l\n" },
    },
    {
      fixed: {
        binding: ["command: [bash, ./scripts/count-lines.sh]"],
        files: { "skills/repository/scripts/count-lines.sh": "wc -l\n" },
      },
    },
  ),
  "command/read-writes": entry(
    "a read whose command is known to change files",
    "A read is repeated after a failure, and is made in shadow mode too. All of its folders are mounted read-only, so this command would fail in the sandbox, and change files outside of it. Declare the write; or accept the diagnostic if the files are temporary.",
    { binding: ["command: [git, commit, --all, --message=Backup]"] },
    {
      acceptable: true,
      fixed: {
        tool: ["rollback: { strategy: effects }"],
        binding: [
          "effect: write",
          "command: [git, commit, --all, --message=Backup]",
          "allowed_paths: { write: [./workspace] }",
        ],
      },
    },
  ),
  "command/bad-env": entry(
    "an invalid name of an environment variable",
    "Names of environment variables consist of letters, digits and `_`, and don't begin with a digit.",
    { binding: ["command: [git, status]", "env: { GIT-DIR: .git }"] },
    { fixed: { binding: ["command: [git, status]", "env: { GIT_DIR: .git }"] } },
  ),
  "command/code-in-env": entry(
    "a parameter in a variable that names code",
    "Programs run what `LD_PRELOAD`, `NODE_OPTIONS`, `GIT_SSH_COMMAND`, `PAGER` and similar variables name. A caller who chooses such a value can run anything. Write a fixed value or a setting.",
    using("pager: string", "command: [git, log]", 'env: { PAGER: "{pager}" }'),
    { fixed: { binding: ["command: [git, log]", "env: { PAGER: cat }"] } },
  ),
};

const argumentEntries: DiagnosticEntries = {
  "command/option-injection": entry(
    "a text that a program could take for an option",
    "A text that begins with `-` is an option to most programs: `--upload-pack=…` makes git start another program. The runtime rejects such a value, so the call fails. After a literal `--`, or joined to its option, every value is data. Numbers, and listed values that don't begin with `-`, need neither.",
    using("author: string", 'command: [git, log, --author, "{author}"]'),
    {
      severity: "warning",
      fixed: using("author: string", 'command: [git, log, "--author={author}"]'),
    },
  ),
  "command/bad-argument": entry(
    "an argument that no process can get",
    "An argument ends at its first NUL, so it can't contain one.",
    { binding: ['command: [git, grep, "a\\0b"]'] },
    { fixed: { binding: ["command: [git, grep, ab]"] } },
  ),
  "command/not-a-scalar": entry(
    "a list or an object in an argument",
    "An argument is one text: a text, a number or a boolean. `{names...}` makes an argument for each item of a list. `stdin: json` sends objects.",
    using("names: { type: array, items: { type: string } }", 'command: [git, show, --, "{names}"]'),
    {
      fixed: using(
        "names: { type: array, items: { type: string } }",
        'command: [git, show, --, "{names...}"]',
      ),
    },
  ),
  "command/bad-spread": entry(
    "`...` where no list is",
    "`{names...}` makes an argument for each item of a list of texts, numbers or booleans. It stands alone in its entry.",
    using("name: string", 'command: [git, show, --, "{name...}"]'),
    { fixed: using("name: string", 'command: [git, show, --, "{name}"]') },
  ),
  "command/optional-argument": entry(
    "an argument whose value may be absent",
    "The caller may leave this parameter out, and no text stands for an absent value. `{author?}` drops the whole argument then. A `default` or `required` gives it a value.",
    using(
      "parameters: { type: object, properties: { author: { type: string } } }",
      'command: [git, log, "--author={author}"]',
    ),
    {
      fixed: using(
        "parameters: { type: object, properties: { author: { type: string } } }",
        'command: [git, log, "--author={author?}"]',
      ),
    },
  ),
};

const file = "file: { type: string, format: path }";

const pathEntries: DiagnosticEntries = {
  "command/no-allowed-paths": entry(
    "a path without a folder in which it may be",
    "A path parameter is judged before the process starts: after links are followed, it must be in a folder of `allowed_paths`. Without a folder, every call would be denied.",
    using(file, 'command: [git, log, --, "{file}"]'),
    {
      fixed: using(
        file,
        'command: [git, log, --, "{file}"]',
        "allowed_paths: { read: [./workspace] }",
      ),
    },
  ),
  "command/unknown-path": entry(
    "`paths` lists something that is not in the command",
    "`paths` lists parameters that are paths of files or folders. Each of them is in `command`. `format: path` in a parameter's schema says the same.",
    using(
      "file: string",
      'command: [git, log, --, "{file}"]',
      "paths: [file, folder]",
      "allowed_paths: { read: [./workspace] }",
    ),
    {
      fixed: using(
        "file: string",
        'command: [git, log, --, "{file}"]',
        "paths: [file]",
        "allowed_paths: { read: [./workspace] }",
      ),
    },
  ),
  "command/bad-path-parameter": entry(
    "a path that can't be judged",
    "The process gets a path as an absolute path without links. Text before it, such as `notes/{file}`, would lead elsewhere; standard input and environment variables are not judged at all. A path is a text. Text below the path may follow: `{folder}/README.md`.",
    using(
      file,
      'command: [git, log, --, "notes/{file}"]',
      "allowed_paths: { read: [./workspace] }",
    ),
    {
      fixed: using(
        file,
        'command: [git, log, --, "{file}"]',
        "cwd: ./workspace/notes",
        "allowed_paths: { read: [./workspace] }",
      ),
    },
  ),
  "command/bad-folder": entry(
    "a folder that depends on a parameter",
    "`cwd` and `allowed_paths` bound what the parameters of a call can reach, so no parameter may choose them. They are fixed text, with settings (`${NAME}`) and fields of the caller (`{caller.tenant}`).",
    using("folder: string", "command: [git, status]", 'cwd: "{folder}"'),
    { fixed: { binding: ["command: [git, status]", 'cwd: "${WORKSPACE}"'] } },
  ),
};

const executorEntries: DiagnosticEntries = {
  "command/executor": entry(
    "an unknown executor",
    "The executors are `sandbox` (bubblewrap, the default), `host` and `docker`. `k8s_job` is reserved for jobs of Kubernetes.",
    { binding: ["executor: k8s_job", "command: [git, status]"] },
  ),
  "command/unsandboxed": entry(
    "a process that nothing confines",
    "With `executor: host`, the process has the files, the network and the rights of the application. `allowed_paths` bounds only the paths in parameters. Use the sandbox; if the command can't run there, accept the warning with the reason.",
    { binding: ["executor: host", "command: [git, status]"] },
    { severity: "warning" },
  ),
  "command/no-image": entry(
    "a container without an image",
    "The executor `docker` starts a container of an image. The binding names it, or skillc.yaml does for all tools: `commands: { docker: { image: … } }`.",
    { binding: ["effect: read", "executor: docker", "command: [git, status]"] },
    {
      fixed: {
        binding: [
          "effect: read",
          "executor: docker",
          "command: [git, status]",
          `docker: { image: "alpine/git@${digest}" }`,
        ],
      },
    },
  ),
  "command/image-tag": entry(
    "an image without its digest",
    "A tag such as `alpine/git:latest` names another image after the next push, and the tool would then run other code under the same manifest. A digest always names the same image.",
    {
      binding: [
        "effect: read",
        "executor: docker",
        "command: [git, status]",
        'docker: { image: "alpine/git:latest" }',
      ],
    },
    {
      severity: "warning",
      fixed: {
        binding: [
          "effect: read",
          "executor: docker",
          "command: [git, status]",
          `docker: { image: "alpine/git@${digest}" }`,
        ],
      },
    },
  ),
  "command/bad-setting": entry(
    "an invalid setting under `commands:`",
    "`commands:` of skillc.yaml has the keys `sandbox` (`required`, `preferred` or `external`) and `docker: { image: … }`.",
    { ...status, files: { "skillc.yaml": "commands: { sandbox: optional }\n" } },
    { fixed: { ...status, files: { "skillc.yaml": "commands: { sandbox: preferred }\n" } } },
  ),
};

const json = ["command: [npm, ls, --json]", "output: json"];

const answerEntries: DiagnosticEntries = {
  "command/json-without-returns": entry(
    "JSON whose form nothing declares",
    "With `output: json`, the runtime reads standard output as JSON and checks it against `returns`. Without a schema, the data of a call could be anything.",
    { binding: json },
    { fixed: { binding: json, tool: ["returns: { type: object }"] } },
  ),
  "command/bad-exit-code": entry(
    "an entry of `exit_codes` that can't occur",
    "Keys of `exit_codes` are codes from 0 to 255; values are names of statuses. One name can't stand for a success and for a failure.",
    { binding: ["command: [git, status]", "exit_codes: { 256: not_found }"] },
    { fixed: { binding: ["command: [git, status]", "exit_codes: { 128: not_found }"] } },
  ),
  "command/returns-mismatch": entry(
    "`returns` rejects every output of the command",
    "Without `output: json`, the data is standard output as a text or as a list of lines. `returns` requires another type, so every call would fail after the process has run.",
    { binding: ["command: [git, status]"], tool: ["returns: { type: object }"] },
  ),
};

/** Every diagnostic code of commands, with an example that a test runs. */
export const commandDiagnosticEntries: DiagnosticEntries = {
  ...referenceDiagnosticEntries("command", (text, unused = []) =>
    project({
      parameters: ["order_id: string", "note: string"],
      tool: unused.length === 0 ? [] : [`unused: [${unused.join(", ")}]`],
      binding: [`command: [git, log, "--grep=${text}"]`],
    }),
  ),
  ...callerDiagnosticEntries("command", (field, parameter) =>
    project({
      parameters: [`${parameter}: string`],
      binding: [`command: [git, log, "--grep={caller.${field}} {${parameter}}"]`],
    }),
  ),
  ...programEntries,
  ...argumentEntries,
  ...pathEntries,
  ...executorEntries,
  ...answerEntries,
};
