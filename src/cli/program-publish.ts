import type { Command } from "commander";
import type { Act } from "./command-context.js";
import type { PackOptions } from "./commands/pack.js";

/** `skillc pack`: the skills as other programs get them. */
export function addPack(program: Command, act: Act): void {
  program
    .command("pack")
    .summary("write the skills for programs that read Agent Skills")
    .description(
      "Writes each skill as a folder with a SKILL.md by the Agent Skills specification: its name, description, body, and the files that the body links to; no tools, bindings and schemas. " +
        "These are the skills that clients of the MCP server see, and `skillc check --publish` lists them. It writes all files or none, and replaces only files that it wrote.",
    )
    .requiredOption("--out <folder>", "the folder for the skills' folders")
    .option("--skill [name...]", "only these skills; all by default")
    .option("--json", "print diagnostics, and the written files, as JSON")
    .action(async (options: PackOptions, command: Command) =>
      act(command, async (context) => {
        const { pack } = await import("./commands/pack.js");
        return pack(context, options);
      }),
    );
}
