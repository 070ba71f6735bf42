/**
 * Every command and its options. `commands/` has a file for each command, loaded when it runs;
 * `program-import.ts`, `program-ledger.ts`, `program-databases.ts` and `program-policy.ts` have the groups of subcommands. `main.ts` turns
 * what a command throws into a message and an exit code (`exit.ts`).
 */
import { Command, Option } from "commander";
import { type Act, createContext, type GlobalOptions } from "./command-context.js";
import type { CallOptions } from "./commands/call.js";
import type { CatalogOptions } from "./commands/catalog.js";
import type { CheckOptions } from "./commands/check.js";
import type { CompareOptions } from "./commands/compare.js";
import type { InitOptions } from "./commands/init.js";
import type { LockOptions } from "./commands/lock.js";
import type { GenerateOptions } from "./commands/generate-options.js";
import { paletteFor } from "./console/palette.js";
import type { ExitCode } from "./exit.js";
import { type Io, widthOf } from "./io.js";
import { addDatabases } from "./program-databases.js";
import { examples, outputs, styles, wrongUsage } from "./program-help.js";
import { addImport } from "./program-import.js";
import { addLedger } from "./program-ledger.js";
import { addPolicy } from "./program-policy.js";
import { addTools } from "./program-tools.js";
import { packageVersion } from "./version.js";

/**
 * Declares arguments and help. Each command is in its own module, loaded when it runs, so that
 * `--help` stays fast.
 *
 * @param exit receives the exit code of the command
 */
export function createProgram(io: Io, exit: (code: ExitCode) => void): Command {
  const program = new Command("skillc");
  configure(program, io);
  const act: Act = async (command, action) => {
    // Commander doesn't type the options; `configure` declares exactly these.
    const context = createContext(io, command.optsWithGlobals() as GlobalOptions);
    exit(await action(context));
  };
  addGenerate(program, act);
  addCheck(program, act);
  addCatalog(program, act);
  addCompare(program, act);
  addLock(program, act);
  addCall(program, act);
  addTools(program, act);
  addImport(program, act);
  addLedger(program, act);
  addDatabases(program, act);
  addPolicy(program, act);
  addExplain(program, act);
  addInit(program, act);
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap((each) => each.commands),
  ]) {
    const fail = command.error.bind(command);
    let code: string | undefined;
    command.error = (message, options) => {
      code = options?.code;
      return fail(message, options);
    };
    command.configureOutput({
      outputError: (text, write) =>
        write(wrongUsage({ text, code }, command, paletteFor(io.stderr, io.env))),
    });
  }
  return program;
}

function configure(program: Command, io: Io): void {
  const out = paletteFor(io.stdout, io.env);
  program
    .description("Compiles the tools of SKILL.md files into typed TypeScript modules.")
    .option("--cwd <dir>", "work as if started in this folder")
    .option("--no-color", "never colour the output (nor does NO_COLOR=1)")
    .version(packageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help for the program or a command")
    .helpCommand("help [command]", "print help for a command")
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput(outputs(io))
    .configureHelp(styles(out, widthOf(io.stdout)))
    .addHelpText("after", () =>
      examples(out, [
        ["skillc init", "write a first skill"],
        ["skillc generate", "compile skills/ to generated/"],
        ["skillc generate --watch", "and again after every edit"],
        ["skillc compare main", "what differs from main, and which versions that asks for"],
        ["skillc check --env", "also say which credentials are missing here"],
        ["skillc db types", "after a migration: then tsc names the tools that no longer fit"],
        [`skillc call order-desk/get-order --args '{"order_id": "7"}'`, ""],
        ["skillc explain http/unknown-parameter", "what a diagnostic means"],
      ]),
    );
}

function addGenerate(program: Command, act: Act): void {
  program
    .command("generate")
    .summary("compile all skills and write the output folder")
    .description(
      "Compiles all skills and writes the output folder. With any error nothing is written; files that nothing generates any more are removed.",
    )
    .addOption(
      new Option("--check", "write nothing; exit with 1 when a file would change").conflicts([
        "watch",
        "force",
      ]),
    )
    .option("--watch", "go on, and generate again after every edit")
    .option("--force", "overwrite generated files that were edited by hand")
    .option("--timings", "also say where the time went, all of it")
    .addOption(new Option("--json", "print diagnostics as JSON").conflicts("watch"))
    .action(async (options: GenerateOptions, command: Command) =>
      act(command, async (context) => {
        const { generate } = await import("./commands/generate.js");
        return generate(context, options);
      }),
    );
}

function addCheck(program: Command, act: Act): void {
  program
    .command("check")
    .summary("report every problem of the skills, write nothing")
    .description("Reports every problem of the skills. Writes nothing.")
    .argument(
      "[folder]",
      "a folder of skills, or of one skill, to check instead of the project's; settings come from the skillc.yaml in or above it",
    )
    .option("--strict", "take warnings for errors")
    .option("--env", "also say which credentials and prerequisites are missing here")
    .option("--json", "print diagnostics as JSON")
    .action(async (folder: string | undefined, options: CheckOptions, command: Command) =>
      act(command, async (context) => {
        const { check } = await import("./commands/check.js");
        return check(context, folder, options);
      }),
    );
}

const compareExits = `
Exit codes:
  0  no tool's declared version is too low, whatever differs
  1  one is, or a side doesn't compile
  2  the command line is wrong`;

function addCompare(program: Command, act: Act): void {
  program
    .command("compare")
    .summary("say what differs between two versions of the tools")
    .description(
      "Compares the tools of two sides: parameters, results, effects, reach, credentials, risk, descriptions. Each difference has a verdict of SemVer, and a tool whose declared " +
        "`version:` was raised by less than that is an error. A side is a folder of a project, of skills or of generated code, a file that `skillc catalog --json` printed, or a git revision of this project. Writes nothing.",
    )
    .argument("<old>", "HEAD~1, main, old.json, a folder")
    .argument("[new]", "the same; the project as it is when left out")
    .addOption(
      new Option("--markdown", "print Markdown, for a comment on a pull request").conflicts("json"),
    )
    .option("--json", "print the comparison as JSON")
    .addHelpText("after", compareExits)
    .action(
      async (old: string, now: string | undefined, options: CompareOptions, command: Command) =>
        act(command, async (context) => {
          const { compareTools } = await import("./commands/compare.js");
          return compareTools(context, old, now, options);
        }),
    );
}

function addCatalog(program: Command, act: Act): void {
  program
    .command("catalog")
    .summary("list the generated tools")
    .description(
      "Lists the tools of the output folder: what each is bound to, whether it writes, its risk, and what it is for. With --json all that the catalog has, schemas among them, for programs that don't import TypeScript.",
    )
    .option("--json", "print the whole catalog as JSON")
    .action(async (options: CatalogOptions, command: Command) =>
      act(command, async (context) => {
        const { catalog } = await import("./commands/catalog.js");
        return catalog(context, options);
      }),
    );
}

function addLock(program: Command, act: Act): void {
  program
    .command("lock")
    .summary("write skillc.lock, which holds tools to their versions")
    .description(
      "Writes skillc.lock: the declared version of each tool, and a hash of all that the tool says. `skillc generate --check` then fails when a tool changes under one version. " +
        "Nothing else writes it.",
    )
    .option("--json", "print diagnostics, and what is locked, as JSON")
    .action(async (options: LockOptions, command: Command) =>
      act(command, async (context) => {
        const { lockTools } = await import("./commands/lock.js");
        return lockTools(context, options);
      }),
    );
}

const callExits = `
Exit codes:
  0  the tool answered, whatever its \`status\`: \`error\` and \`not_found\` are answers too;
     with --preflight, the call would be sent
  1  there is no answer: a ToolError, such as a timeout, a missing credential, wrong parameters;
     with --preflight, the call would not be sent
  2  the command line is wrong`;

function addCall(program: Command, act: Act): void {
  program
    .command("call")
    .summary("call one generated tool and print its result")
    .description("Calls one generated tool, as an application would, and prints its result.")
    .argument("<skill/tool>", "which tool: order-desk/create-order")
    .option("--args <json>", "its parameters; - reads them from standard input", "{}")
    .addOption(
      new Option("--mode <mode>", "shadow: record a write, don't send it").choices([
        "active",
        "shadow",
      ]),
    )
    .option(
      "--preflight",
      "only say what would become of the call, by the project's policy and store: nothing is sent, spent or recorded",
    )
    .option(
      "--caller <json>",
      'who makes it: {"tenant": "acme", "subject": "ada", "origin": "llm"}',
    )
    .option("--approval <id>", "the id of the approval of this very call")
    .option("--idempotency-key <key>", "the same for a repeated call, and for no other")
    .option("--handlers <file>", "module that exports `handlers`, for tools without a binding")
    .option("--json", "print the result, or the error, as JSON")
    .addHelpText("after", callExits)
    .action(async (tool: string, options: CallOptions, command: Command) =>
      act(command, async (context) => {
        const { call } = await import("./commands/call.js");
        return call(context, tool, options);
      }),
    );
}

function addExplain(program: Command, act: Act): void {
  program
    .command("explain")
    .summary("explain a code: of a diagnostic, or of an error that a call throws")
    .description(
      "Explains the code of a diagnostic, with an example and its fix, or of an error that a call throws, with what to do about it. " +
        "The part before `/` or `.` lists the codes that begin with it; without a code, all are listed.",
    )
    .argument(
      "[code]",
      "as diagnostics show it in brackets, or `error.code`: http/unknown-parameter, PROVIDER.TIMEOUT, http",
    )
    .option("--json", "print the entry as JSON")
    .action(async (code: string | undefined, options: { readonly json?: true }, command: Command) =>
      act(command, async (context) => {
        const { explain } = await import("./commands/explain.js");
        return explain(context, code, options);
      }),
    );
}

function addInit(program: Command, act: Act): void {
  program
    .command("init")
    .summary("write a first skill")
    .description(
      "Writes a first skill that compiles and can be called, skillc.yaml, and the JSON Schemas by which editors check and complete. Overwrites nothing but those schemas.",
    )
    .argument("[dir]", "the project's folder", ".")
    .option("--http", "a fuller skill that is bound to an HTTP API")
    .option(
      "--schemas",
      "only the schemas, for a project that is there: again after an update of skillc",
    )
    .action(async (dir: string, options: InitOptions, command: Command) =>
      act(command, async (context) => {
        const { init } = await import("./commands/init.js");
        return init(context, dir, options);
      }),
    );
}
