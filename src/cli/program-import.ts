import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { ImportArazzoOptions } from "./commands/import-arazzo.js";
import type { ImportDatabaseOptions } from "./commands/import-database.js";
import type { ImportManifestOptions } from "./commands/import-manifest.js";
import type { ImportOpenApiOptions } from "./commands/import-openapi.js";
import type { ImportToolsOptions } from "./import/import-tools.js";

const exits = `
Exit codes:
  0  the import is done; the report lists the parts that were left out, and why
  1  the import failed, or with --check the skills differ from its source
  2  the command line is wrong`;

/** Declares `skillc import …`: openapi, database, manifest, auto-agent, arazzo. */
export function addImport(program: Command, act: Act): void {
  const imports = program
    .command("import")
    .summary("make skills of API documents, databases, tool hubs, agents' tools and workflows")
    .description(
      "Makes skills of API documents, databases, hub manifests, tool definitions and Arazzo documents, and keeps the skills up to date with them.",
    );
  addOpenApi(imports, act);
  addDatabase(imports, act);
  addManifest(imports, act);
  addAutoAgent(imports, act);
  addArazzo(imports, act);
}

function addOpenApi(imports: Command, act: Act): void {
  imports
    .command("openapi")
    .summary("make skills of an API's OpenAPI or Swagger document")
    .description(
      "Makes skills of an OpenAPI 3.0, 3.1 or 3.2, or a Swagger 2 document, in JSON or YAML: a skill for each tag, a tool for each operation. If you run it again, it writes the changes of " +
        "the document into the skills, and keeps your edits. It writes all files or none.",
    )
    .argument(
      "[document]",
      "api.yaml, https://api.example.com/openapi.json; by default all earlier imports",
    )
    .option("--into <folder>", "the skills folder; by default the one in skillc.yaml")
    .option("--name <name>", "the name of the API in settings; by default from its title")
    .option("--skill <name>", "make one skill with this name for all operations")
    .option("--single", "make one skill without files for its schemas, for a few operations")
    .option("--prefix <text>", "a prefix for the name of each skill")
    .option(
      "--only, --operation <operations...>",
      "only these operations: an operationId, or `GET /pets/{id}`",
    )
    .option(
      "--add <operations...>",
      "keep the operations of the last import, and add these: names as for `--only`",
    )
    .option("--tag <tags...>", "only operations with one of these tags")
    .option("--path <patterns...>", "only operations of these paths: `/pets/**`")
    .option("--method <methods...>", "only operations of these methods")
    .option(
      "--auth <how>",
      "the authentication of calls, in place of the document's: bearer, basic, header:NAME, query:NAME, cookie:NAME; of one operation: `getPet=bearer`",
      collected,
    )
    .option("--rename <operation=name>", "the name of an operation's tool", collected)
    .option(
      "--media-type <operation=type>",
      "the media type of an operation's body and answers",
      collected,
    )
    .addOption(
      new Option(
        "--int64 <type>",
        "the type of 64-bit integers: number, or string with every digit",
      ).choices(["number", "string"]),
    )
    .option("--allow <places...>", "further origins and folders that the document may refer to")
    .option("--list", "write nothing; list all operations, with the skill of each")
    .option("--check", "write nothing; exit with 1 if skills and document differ")
    .option("--json", "print the report, and diagnostics, as JSON")
    .addHelpText("after", exits)
    .action(async (document: string | undefined, options: ImportOpenApiOptions, command: Command) =>
      act(command, async (context) => {
        const { importOpenApi } = await import("./commands/import-openapi.js");
        return importOpenApi(context, document, options);
      }),
    );
}

/** Lets an option appear several times. */
function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function addDatabase(imports: Command, act: Act): void {
  imports
    .command("database")
    .summary("make skills of a database's tables")
    .description(
      "Makes skills of the tables and views of a PostgreSQL database: get by each unique key, lists with filters, order and pages, and insert, update and delete by key. " +
        "If you run it again, it writes the changes of the database into the skills, and keeps your edits. It writes all files or none.",
    )
    .argument(
      "[setting]",
      "the setting that holds the URL: SHOP_URL; by default all earlier imports",
    )
    .option("--tables <patterns...>", "only these tables: `order*`, `billing.*`")
    .option(
      "--by <grouping>",
      "make a skill for each `schema`, or for each `group` of tables with a common prefix",
    )
    .option("--into <folder>", "the skills folder; by default the one in skillc.yaml")
    .option("--name <name>", "the name of the import; by default from the setting")
    .option("--skill <name>", "make one skill with this name for all tables")
    .option("--prefix <text>", "a prefix for the name of each skill")
    .option("--list", "write nothing; list the tables, their columns and keys")
    .option("--check", "write nothing; exit with 1 if skills and database differ")
    .option("--json", "print the report, and diagnostics, as JSON")
    .addHelpText("after", exits)
    .action(async (setting: string | undefined, options: ImportDatabaseOptions, command: Command) =>
      act(command, async (context) => {
        const { importDatabase } = await import("./commands/import-database.js");
        return importDatabase(context, setting, options);
      }),
    );
}

function addManifest(imports: Command, act: Act): void {
  imports
    .command("manifest")
    .summary("make a skill of the tools of a tool hub")
    .description(
      "Makes a skill of the tools of a tool hub, from its JSON: a tool, a list of tools, the answer of `GET /tools`, or `scripts/manifest.json`. Each tool becomes a command with a list of arguments. " +
        "If you run it again, it writes the changes of the hub manifest into the skill, and keeps your edits. It writes all files or none.",
    )
    .argument("[file]", "tools.json, scripts/manifest.json; by default all earlier imports")
    .option("--only <ids...>", "only the tools with these ids")
    .addOption(
      new Option(
        "--arguments <form>",
        "how processes get parameters that their command does not name: `stdin` for one JSON object, or `flags` for `--name=value`",
      ).choices(["stdin", "flags"]),
    )
    .option(
      "--image <image>",
      "the image for tools that the hub runs in its container: `alpine@sha256:…`",
    )
    .option("--into <folder>", "the skills folder; by default the one in skillc.yaml")
    .option("--name <name>", "the name of the import; by default from the file")
    .option("--skill <name>", "the name of the skill; by default the name of the import")
    .option("--list", "write nothing; list the tools of the hub manifest")
    .option("--check", "write nothing; exit with 1 if skill and hub manifest differ")
    .option("--json", "print the report, and diagnostics, as JSON")
    .addHelpText("after", exits)
    .action(async (file: string | undefined, options: ImportManifestOptions, command: Command) =>
      act(command, async (context) => {
        const { importManifest } = await import("./commands/import-manifest.js");
        return importManifest(context, file, options);
      }),
    );
}

function addAutoAgent(imports: Command, act: Act): void {
  imports
    .command("auto-agent")
    .summary("make skills of the tool definitions of an agent")
    .description(
      "Makes skills of tool definitions in JSON: `name`, a list of `parameters`, `output_schema` and `param_aliases`. Each category becomes a skill, and each definition a tool that the application serves with a handler. " +
        "If you run it again, it writes the changes of the definitions into the skills, and keeps your edits. It writes all files or none.",
    )
    .argument(
      "[files...]",
      "write_code.json, tools/*.json: one definition in each file, or a list; by default all earlier imports",
    )
    .option("--only <names...>", "only the tools with these names")
    .option("--into <folder>", "the skills folder; by default the one in skillc.yaml")
    .option("--name <name>", "the name of the import; by default from the file or its folder")
    .option("--skill <name>", "make one skill with this name for all tools")
    .option("--prefix <text>", "a prefix for the name of each skill")
    .option("--list", "write nothing; list the tools of the definitions")
    .option("--check", "write nothing; exit with 1 if skills and definitions differ")
    .option("--json", "print the report, and diagnostics, as JSON")
    .addHelpText("after", exits)
    .action(async (files: readonly string[], options: ImportToolsOptions, command: Command) =>
      act(command, async (context) => {
        const { importAutoAgent } = await import("./commands/import-auto-agent.js");
        return importAutoAgent(context, files, options);
      }),
    );
}

function addArazzo(imports: Command, act: Act): void {
  imports
    .command("arazzo")
    .summary("make plans of the workflows of an Arazzo document")
    .description(
      "Makes a skill of the workflows of an Arazzo 1.0 or 1.1 document: each workflow becomes a plan. It also imports the operations that the steps call, from the OpenAPI documents that the Arazzo document names, as `skillc import openapi` does. " +
        "If you run it again, it writes the changes of the documents into the skills, and keeps your edits. It writes all files or none.",
    )
    .argument("[document]", "flows.arazzo.yaml; by default all earlier imports")
    .option("--into <folder>", "the skills folder; by default the one in skillc.yaml")
    .option("--name <name>", "the name of the import; by default from the file")
    .option("--skill <name>", "the name of the skill; by default the name of the import")
    .option("--allow <places...>", "further origins and folders that the documents may refer to")
    .option("--list", "write nothing; list the workflows of the document")
    .option("--check", "write nothing; exit with 1 if skills and documents differ")
    .option("--json", "print the report, and diagnostics, as JSON")
    .addHelpText("after", exits)
    .action(async (document: string | undefined, options: ImportArazzoOptions, command: Command) =>
      act(command, async (context) => {
        const { importArazzo } = await import("./commands/import-arazzo.js");
        return importArazzo(context, document, options);
      }),
    );
}
