import type { Command } from "commander";
import { existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { type Palette, paletteFor } from "./console/palette.js";
import { CommandFailure, type ExitCode } from "./exit.js";
import type { Io } from "./io.js";

/** Runs a command after its arguments are parsed. */
type Action = (context: CommandContext) => Promise<ExitCode>;

/** Runs a command's action with a context for the global options. */
export type Act = (command: Command, action: Action) => Promise<void>;

/** Context of every command. */
export interface CommandContext {
  readonly io: Io;
  /** Absolute path from `--cwd`, or of the folder where skillc was started. */
  readonly directory: string;
  /** Colours for stdout. */
  readonly out: Palette;
  /** Colours for stderr. */
  readonly err: Palette;
  /** Time when the command was called, on the clock of `performance.now()`. */
  readonly startedAt: number;
}

/**
 * Global options that a command's action reads. They may appear before or after the command's name.
 */
export interface GlobalOptions {
  readonly cwd?: string;
}

/** @throws CommandFailure if `--cwd` is not a folder */
export function createContext(io: Io, { cwd }: GlobalOptions): CommandContext {
  return {
    io,
    directory: cwd === undefined ? io.cwd : folderFrom(io.cwd, cwd),
    out: paletteFor(io.stdout, io.env),
    err: paletteFor(io.stderr, io.env),
    startedAt: performance.now(),
  };
}

function folderFrom(base: string, path: string): string {
  const folder = resolveFrom(base, path);
  if (isFolder(folder)) return folder;
  const reason = existsSync(folder) ? "is not a folder" : "does not exist";
  throw CommandFailure.usage(
    `the folder of \`--cwd\`, \`${path}\`, ${reason}`,
    "name a folder that exists",
  );
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** Resolves a path that the user typed against a base folder. */
export function resolveFrom(base: string, path: string): string {
  return isAbsolute(path) ? path : join(base, path);
}
