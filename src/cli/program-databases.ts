import { type Command } from "commander";
import type { Act } from "./command-context.js";
import type { DatabaseTypesOptions } from "./commands/database-types.js";
import type { DatabasePullOptions } from "./commands/database-pull.js";

/** Declares `skillc db …`: pull, types. */
export function addDatabases(program: Command, act: Act): void {
  const databases = program
    .command("db")
    .summary("read the schemas of databases")
    .description("Reads the schemas of the databases that SQL tools use.");
  databases
    .command("types")
    .summary("write the types of the databases' tables, and nothing else")
    .description(
      "Writes the types of the tables that SQL tools are checked against (databases/ in the output folder), and nothing else. After a migration, `tsc` then " +
        "fails in exactly the tools that no longer fit.",
    )
    .option("--check", "write nothing; exit with 1 if a file would change")
    .option("--json", "print diagnostics, and the paths of the files, as JSON")
    .action(async (options: DatabaseTypesOptions, command: Command) =>
      act(command, async (context) => {
        const { databaseTypes } = await import("./commands/database-types.js");
        return databaseTypes(context, options);
      }),
    );
  databases
    .command("pull")
    .summary("copy a server's schema into a file, so that other commands need no server")
    .description(
      "Asks the servers behind connections for their schemas, and writes each to the file that `snapshot:` of skillc.yaml names, as SQL without rows, roles or bodies of " +
        "functions. `generate` and `check` then need no server. Run it again after a migration.",
    )
    .argument("[databases...]", "their names in skillc.yaml; by default all with a `snapshot:`")
    .option("--check", "write nothing; report how the servers differ, and exit with 1 if one does")
    .option("--json", "print diagnostics, files and changes as JSON")
    .action(async (names: string[], options: DatabasePullOptions, command: Command) =>
      act(command, async (context) => {
        const { databasePull } = await import("./commands/database-pull.js");
        return databasePull(context, names, options);
      }),
    );
}
