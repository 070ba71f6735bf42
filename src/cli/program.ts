/**
 * Every command and its options. `commands/` has a file for each command, loaded when it runs;
 * `program-approvals.ts`, `program-import.ts`, `program-ledger.ts`, `program-runs.ts`, `program-databases.ts`, `program-plan.ts`, `program-policy.ts` and `program-publish.ts` have the others. `main.ts` turns
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
import { addApprovals } from "./program-approvals.js";
import { addDatabases } from "./program-databases.js";
import { examples, outputs, styles, wrongUsage } from "./program-help.js";
import { addImport } from "./program-import.js";
import { addLedger } from "./program-ledger.js";
import { addMcp } from "./program-mcp.js";
import { addPlan } from "./program-plan.js";
import { addPolicy } from "./program-policy.js";
import { addPack } from "./program-publish.js";
import { addRollback } from "./program-rollback.js";
import { addRuns } from "./program-runs.js";
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
  addPack(program, act);
  addCall(program, act);
  addMcp(program, act);
  addTools(program, act);
  addApprovals(program, act);
  addImport(program, act);
  addLedger(program, act);
  addRollback(program, act);
  addRuns(program, act);
  addDatabases(program, act);
  addPolicy(program, act);
  addPlan(program, act);
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
    .option("--no-color", "never colour the output; NO_COLOR=1 does the same")
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
        ["skillc compare main", "list the differences from main, and the versions that they need"],
        ["skillc check --env", "also report missing credentials"],
        ["skillc db types", "after a migration, so that tsc reports the tools that no longer fit"],
        [`skillc call order-desk/get-order --args '{"order_id": "7"}'`, ""],
        ["skillc mcp", "serve the tools to an MCP client"],
        ["skillc explain http/unknown-parameter", "explain a diagnostic"],
      ]),
    );
}

function addGenerate(program: Command, act: Act): void {
  program
    .command("generate")
    .summary("compile all skills and write the output folder")
    .description(
      "Compiles all skills and writes the output folder. If there is an error, it writes nothing. It removes generated files that no skill needs any more.",
    )
    .addOption(
      new Option("--check", "write nothing; exit with 1 if a file would change").conflicts([
        "watch",
        "force",
      ]),
    )
    .option("--watch", "keep running, and generate again after every edit")
    .option("--force", "overwrite generated files that were edited by hand")
    .option("--timings", "also print the time of each stage")
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
    .option("--strict", "treat warnings as errors")
    .option("--env", "also report credentials and prerequisites that are missing here")
    .option(
      "--publish",
      "also list what clients of the MCP server would see, and report published texts that name a host, a credential or a line of a binding",
    )
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
  1  the declared version of a tool is too low, or a side doesn't compile
  2  the command line is wrong`;

function addCompare(program: Command, act: Act): void {
  program
    .command("compare")
    .summary("list the differences between two versions of the tools")
    .description(
      "Compares the tools of two sides: parameters, results, effects, reach, credentials, risk, descriptions. Each difference asks for a version step of SemVer. It is an error if a tool's declared " +
        "`version:` was raised by less. A side is a folder of a project, of skills or of generated code, a file that `skillc catalog --json` printed, or a git revision of this project. Writes nothing.",
    )
    .argument("<old>", "HEAD~1, main, old.json, a folder")
    .argument("[new]", "the same; by default the project in its present state")
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
      "Lists the tools of the output folder: what each is bound to, whether it writes, its risk, and what it is for. With --json it prints the whole catalog, including schemas, for programs that don't import TypeScript.",
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
    .summary("write skillc.lock, which ties each tool to its version")
    .description(
      "Writes skillc.lock: the declared version of each tool, and a hash of its declaration. `skillc generate --check` then fails if a tool changes without a new version. " +
        "No other command writes the file.",
    )
    .option("--json", "print diagnostics, and the locked tools, as JSON")
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
    .argument("<skill/tool>", "the tool: order-desk/create-order")
    .option("--args <json>", "its parameters; - reads them from standard input", "{}")
    .addOption(
      new Option("--mode <mode>", "shadow: record a write, don't send it").choices([
        "active",
        "shadow",
      ]),
    )
    .option(
      "--preflight",
      "only report what would happen to the call, by the project's policy and store; send, spend and record nothing",
    )
    .option("--caller <json>", 'the caller: {"tenant": "acme", "subject": "ada", "origin": "llm"}')
    .option("--approval <id>", "the id of the approval for this call")
    .addOption(
      new Option(
        "--wait",
        "if the call needs an approval, wait until somebody decides with `skillc approvals`",
      ).conflicts(["approval", "preflight"]),
    )
    .option("--idempotency-key <key>", "the key of this call; use the same key to repeat the call")
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
    .summary("explain the code of a diagnostic, or of an error that a call throws")
    .description(
      "Explains a code. For a diagnostic, it prints an example and its fix; for an error that a call throws, it prints how to handle the error. " +
        "The part before `/` or `.` lists the codes that begin with it. Without a code, the command lists all codes.",
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
      "Writes a first skill that compiles and can be called, skillc.yaml, and the JSON Schemas that editors use to check and complete. Overwrites only these schemas.",
    )
    .argument("[dir]", "the project's folder", ".")
    .option("--http", "write a larger skill, bound to an HTTP API")
    .option(
      "--schemas",
      "write only the schemas, for an existing project or after an update of skillc",
    )
    .action(async (dir: string, options: InitOptions, command: Command) =>
      act(command, async (context) => {
        const { init } = await import("./commands/init.js");
        return init(context, dir, options);
      }),
    );
}
