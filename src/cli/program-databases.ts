import { type Command } from "commander";
import type { Act } from "./act.js";
import type { DatabaseTypesOptions } from "./commands/database-types.js";

/** `skillc db …`: types. */
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
}
