/** Checks what a command starts: a fixed program, no text that runs as code, no hidden write. */
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import {
  builders,
  codeOptions,
  codeVariables,
  type Interpreter,
  interpreters,
  languages,
  type Writer,
  writers,
} from "./known-programs.js";
import type { CommandConfig } from "./model.js";
import { programsIn, type StartedProgram, type Word, wordsOf } from "./program.js";

/** Checks the programs of a command, and the environment variables that could change them. */
export function checkProgram(config: CommandConfig, report: Report): void {
  checkFirst(config, report);
  const programs = programsIn(wordsOf(config.argv));
  const [shell] = programs.flatMap((each) => shellIn(each, config) ?? []);
  if (shell !== undefined) report.add(shell);
  else checkWrites(programs, config, report);
  checkVariables(config, report);
}

/** The first entry is the program, the same for every call. */
function checkFirst({ argv, lacksProgram, span }: CommandConfig, report: Report): void {
  const [first] = argv;
  if (first?.kind === "script" || lacksProgram) return;
  const problem = first?.kind === "literal" ? problemOf(first.text) : parameterProblem;
  if (problem !== undefined)
    report.add({ code: "command/program", span: first?.span ?? span, ...problem });
}

const parameterProblem = {
  message: "the program is a parameter, so a caller could start any program",
  help: "write its name, such as `git`; a tool for each program says what it does",
};

function problemOf(text: string): { readonly message: string; readonly help: string } | undefined {
  if (text === "" || text.startsWith("-"))
    return {
      message:
        text === "" ? "the program has no name" : `${quote(text)} is an option, not a program`,
      help: "the first entry of `command` is the program: `[git, status]`",
    };
  if (/\s/.test(text))
    return {
      message: `${quote(text)} is a command line, but each entry is one argument`,
      help: `write \`[${text.trim().split(/\s+/).slice(0, 6).join(", ")}]\`: there is no shell that splits a text`,
    };
  if (text.includes("/") && !text.startsWith("/"))
    return {
      message: `${quote(text)} is a relative path, which depends on the working folder`,
      help: `write a name that PATH finds, an absolute path, or \`./${text.replace(/^(?:\.\.?\/)+/, "")}\` for a script beside SKILL.md`,
    };
  return undefined;
}

type Problem = Parameters<Report["add"]>[0];

/** Finds text that a program runs as code. */
function shellIn(program: StartedProgram, config: CommandConfig): Problem | undefined {
  const { args, name, span } = program;
  if (builders.includes(name))
    return shell(span, `${quote(name)} makes a command line of text, which may be anything`);
  const interpreter = interpreters.find(({ names }) => names.includes(name));
  const code = interpreter && codeFor(interpreter, args);
  if (code !== undefined)
    return shell(code.span, `${quote(code.text)} makes ${quote(name)} run text as code`);
  if (interpreter?.readsCode && config.stdin !== undefined && !args.some(isFile))
    return shell(span, `${quote(name)} runs its standard input as code`);
  const text = languages.includes(name)
    ? args.find(({ text: each }) => !each.startsWith("-"))
    : undefined;
  if (text?.hasValue)
    return shell(
      text.span,
      `a parameter is in the program of ${quote(name)}, which can start others`,
    );
  return valueOfOption(program);
}

function shell(span: Problem["span"], message: string): Problem {
  return {
    code: "command/shell",
    span,
    message,
    help: 'put the code into a script beside SKILL.md and name it: `[python3, ./scripts/count.py, "{path}"]`; its arguments stay data',
  };
}

/** The option that makes an interpreter run text, before the name of a script. */
function codeFor({ code }: Interpreter, args: readonly Word[]): Word | undefined {
  for (const [index, word] of args.entries()) {
    if (code.test(word.text)) return word;
    const isValue = args[index - 1]?.text.startsWith("-") === true;
    if (word.text === "-m" || isFile(word) || (!isValue && /[./]/.test(word.text)))
      return undefined;
  }
  return undefined;
}

function isFile({ hasValue, isScript, text }: Word): boolean {
  if (text.startsWith("-")) return false;
  return isScript || hasValue || /\.(?:py|[cm]?[jt]s|sh|bash|zsh|pl|rb|php|lua|r|ps1)$/i.test(text);
}

/** Finds a parameter in an option that names a program. */
function valueOfOption({ args, name }: StartedProgram): Problem | undefined {
  const pattern = Object.hasOwn(codeOptions, name) ? codeOptions[name] : undefined;
  const found = args.find((word, at) => {
    const option = args[at - 1]?.text ?? "";
    return (
      word.hasValue && (pattern?.test(word.text) || (word.text === "" && pattern?.test(option)))
    );
  });
  if (found === undefined) return undefined;
  return shell(found.span, `a parameter is in an option with which ${quote(name)} starts programs`);
}

/** Reports a read whose program is known to change files. */
function checkWrites(
  programs: readonly StartedProgram[],
  { effect, executor, temporary }: CommandConfig,
  report: Report,
): void {
  // It may change temporary folders, and all others are read-only.
  const hasTemporary = temporary === "write" && executor !== "host";
  if (effect === "write" || hasTemporary) return;
  for (const program of programs.filter(({ isCertain }) => isCertain)) {
    const found = writeOf(program);
    if (found === undefined) continue;
    const words = [program.name, ...(found.span === program.span ? [] : [found.text])].join(" ");
    report.add({
      code: "command/read-writes",
      span: found.span,
      message: `${quote(words)} changes files, but this tool is a read`,
      help: "write `effect: write` in the binding, and list the folder under `allowed_paths: { write: […] }`",
    });
    return;
  }
}

function writeOf(program: StartedProgram): Pick<Word, "span" | "text"> | undefined {
  const { args, name, span } = program;
  const writer = writers.find((each) => each.program === name);
  if (writer === undefined) return undefined;
  if (writer.subcommands === undefined && writer.options === undefined) return { span, text: "" };
  return args.find((word, at) => changes(writer, word, args[at - 1]));
}

function changes({ options, program, subcommands }: Writer, word: Word, before: Word | undefined) {
  if (word.text.startsWith("-") || options !== undefined) {
    // Letters of `tar` need no dash, but only as its first argument.
    const isOption = word.text.startsWith("-") || (program === "tar" && before === undefined);
    return isOption && options?.test(word.text) === true;
  }
  // The value of an option, such as `-C folder`, is no subcommand.
  return before?.text.startsWith("-") !== true && subcommands?.includes(word.text) === true;
}

/** Reports parameters in variables that make programs run code. */
function checkVariables({ env }: CommandConfig, report: Report): void {
  for (const { name, span, value } of env) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      report.add({
        code: "command/bad-env",
        span,
        message: `${quote(name)} is not the name of an environment variable`,
        help: "use letters, digits and `_`",
      });
    const part = value.parts.find(({ kind }) => kind === "parameter");
    if (part === undefined || !codeVariables.test(name)) continue;
    report.add({
      code: "command/code-in-env",
      span: part.span,
      message: `programs run code that ${quote(name)} names, and a parameter is in its value`,
      help: "write a fixed value, or a setting: `${NAME}`",
    });
  }
}
