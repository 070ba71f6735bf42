import { type Command } from "commander";
import type { Act } from "./command-context.js";
import type { DatabaseTypesOptions } from "./commands/database-types.js";
import type { DatabasePullOptions } from "./commands/database-pull.js";

/** `skillc db …`: pull, types. */
export function addDatabases(program: Command, act: Act): void {
  const databases = program
    .command("db")
    .summary("what skillc knows of databases")
    .description("What skillc knows of the databases that SQL tools use.");
  databases
    .command("types")
    .summary("write the types of the databases' tables, and nothing else")
    .description(
      "Writes the types of the tables that SQL tools are checked against (databases/ in the output folder), and nothing else. After a migration, `tsc` then " +
        "fails in exactly the tools that no longer fit.",
    )
    .option("--check", "write nothing; exit with 1 when a file would change")
    .option("--json", "print diagnostics, and the paths of the files, as JSON")
    .action(async (options: DatabaseTypesOptions, command: Command) =>
      act(command, async (context) => {
        const { databaseTypes } = await import("./commands/database-types.js");
        return databaseTypes(context, options);
      }),
    );
  databases
    .command("pull")
    .summary("keep a server's schema in a file, so that no run needs the server")
    .description(
      "Asks the servers behind connections for their schemas, and writes each to the file that `snapshot:` of skillc.yaml names, as SQL without rows, roles or bodies of " +
        "functions. `generate` and `check` then need no server. Run it again after a migration.",
    )
    .argument("[databases...]", "their names in skillc.yaml; all whose schema is kept in a file")
    .option("--check", "write nothing; say how the servers differ, and exit with 1 when one does")
    .option("--json", "print diagnostics, the files and what has changed as JSON")
    .action(async (names: string[], options: DatabasePullOptions, command: Command) =>
      act(command, async (context) => {
        const { databasePull } = await import("./commands/database-pull.js");
        return databasePull(context, names, options);
      }),
    );
}
