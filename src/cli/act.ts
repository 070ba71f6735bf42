import type { Command } from "commander";
import type { CommandContext } from "./command-context.js";
import type { ExitCode } from "./exit.js";

/** What a command does once its arguments are known. */
export type Action = (context: CommandContext) => Promise<ExitCode>;

/** Runs a command's action with the context that the global options ask for. */
export type Act = (command: Command, action: Action) => Promise<void>;
