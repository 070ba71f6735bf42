import { type Command, Option } from "commander";
import type { Act } from "./command-context.js";
import type { ImportDatabaseOptions } from "./commands/import-database.js";
import type { ImportOpenApiOptions } from "./commands/import-openapi.js";

const exits = `
Exit codes:
  0  what was asked for is done; what is left out, and why, is told
  1  it can't be imported, or with --check the skills are not what it says
  2  the command line is wrong`;

/** `skillc import …`: openapi, database. */
export function addImport(program: Command, act: Act): void {
  const imports = program
    .command("import")
    .summary("make skills of what others describe")
    .description("Makes skills of what others describe, and keeps them up to date with it.");
  addOpenApi(imports, act);
  addDatabase(imports, act);
}

function addOpenApi(imports: Command, act: Act): void {
  imports
    .command("openapi")
    .summary("make skills of an API's OpenAPI or Swagger document")
    .description(
      "Makes skills of an OpenAPI 3.0, 3.1 or 3.2, or a Swagger 2 document, in JSON or YAML: a skill for each tag, a tool for each operation. Run again, it brings what has changed in the " +
        "document and keeps what people changed in the skills. All is written, or nothing.",
    )
    .argument(
      "[document]",
      "api.yaml, https://api.example.com/openapi.json; without it, all that were imported before",
    )
    .option("--into <folder>", "the skills folder; the one of skillc.yaml when not given")
    .option("--name <name>", "what the API is called in settings; from its title when not given")
    .option("--skill <name>", "one skill for all operations, of this name")
    .option("--prefix <text>", "put before the name of each skill")
    .option(
      "--only, --operation <operations...>",
      "only these: an operationId, or `GET /pets/{id}`",
    )
    .option("--add <operations...>", "these, beside those that `--only` named the last time")
    .option("--tag <tags...>", "only operations with one of these tags")
    .option("--path <patterns...>", "only operations of these paths: `/pets/**`")
    .option("--method <methods...>", "only operations of these methods")
    .option(
      "--auth <how>",
      "how calls are authenticated, whatever the document says: bearer, basic, header:NAME, query:NAME",
    )
    .addOption(
      new Option(
        "--int64 <type>",
        "how integers of 64 bits travel: as numbers, or as text with every digit",
      ).choices(["number", "string"]),
    )
    .option("--allow <places...>", "further origins and folders that the document may refer to")
    .option("--list", "write nothing; list all operations, and the skill that each would be in")
    .option("--check", "write nothing; exit with 1 when skills and document differ")
    .option("--json", "print the report, and diagnostics, as JSON")
    .addHelpText("after", exits)
    .action(async (document: string | undefined, options: ImportOpenApiOptions, command: Command) =>
      act(command, async (context) => {
        const { importOpenApi } = await import("./commands/import-openapi.js");
        return importOpenApi(context, document, options);
      }),
    );
}

function addDatabase(imports: Command, act: Act): void {
  imports
    .command("database")
    .summary("make skills of a database's tables")
    .description(
      "Makes skills of the tables and views of a PostgreSQL database: get by each unique key, lists with filters, order and pages, and insert, update and delete by key. " +
        "Run again, it brings what has changed in the database and keeps what people changed in the skills. All is written, or nothing.",
    )
    .argument(
      "[setting]",
      "the setting that holds the URL: SHOP_URL; without it, all that were imported before",
    )
    .option("--tables <patterns...>", "only these: `order*`, `billing.*`")
    .option(
      "--by <grouping>",
      "a skill for each `schema`, or each `group` of tables whose names begin alike",
    )
    .option("--into <folder>", "the skills folder; the one of skillc.yaml when not given")
    .option("--name <name>", "what the import is called; from the setting when not given")
    .option("--skill <name>", "one skill for all tables, of this name")
    .option("--prefix <text>", "put before the name of each skill")
    .option("--list", "write nothing; list the tables, their columns and keys")
    .option("--check", "write nothing; exit with 1 when skills and database differ")
    .option("--json", "print the report, and diagnostics, as JSON")
    .addHelpText("after", exits)
    .action(async (setting: string | undefined, options: ImportDatabaseOptions, command: Command) =>
      act(command, async (context) => {
        const { importDatabase } = await import("./commands/import-database.js");
        return importDatabase(context, setting, options);
      }),
    );
}
