/** Opens the settings of a command, judges its paths, and finds its program. */
import fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { RefusedValue } from "../../../runtime/call/refused-value.js";
import { ToolError } from "../../../runtime/errors.js";
import { isRefusedPath, judgePath, type PathRules } from "../../../runtime/files/judged-path.js";
import { isIn } from "../../../runtime/files/project-secrets.js";
import { temporaryAt } from "../../../runtime/files/temporary-folders.js";
import type { KeptPath, ParameterPath } from "../../../runtime/rollback/tool-rollback.js";
import type { Attempt } from "../../../runtime/call/attempt.js";
import type { CallIdentity } from "../../../runtime/call/binding.js";
import { isCredential, isCredentialText, openText } from "../../../runtime/values/text.js";
import { PathArgument, ScriptArgument } from "./arguments.js";
import { openedText, rulesOf } from "./command-paths.js";
import type { CommandContract } from "./contract.js";
import { scriptsInContainer } from "./executors/docker.js";
import type { PlacedCommand } from "./executors/executor.js";
import { findProgram } from "./find-program.js";
import {
  type SealedArgument,
  type SealedCommand,
  type SealedText,
  shownProgram,
} from "./sealed-command.js";

/** What a command is placed in. */
export interface Placing {
  readonly attempt: Pick<
    Attempt,
    "decidedPaths" | "directory" | "keeper" | "number" | "open" | "timeoutMs" | "tool"
  >;
  readonly contract: Omit<CommandContract<never>, "argv" | "env" | "stdin">;
  readonly call: CallIdentity;
}

/**
 * Places the command of one call.
 *
 * @throws ToolError if a folder or the program is missing; RefusedValue for a path of the caller
 * that is not allowed
 */
export function placeCommand(sealed: SealedCommand, placing: Placing): PlacedCommand {
  const { attempt, call, contract } = placing;
  const { directory } = attempt;
  const open = (text: SealedText): string => openedText(text, attempt);
  const cwd = folderAt(
    placing,
    sealed.cwd === undefined ? "." : open(sealed.cwd),
    "working folder",
  );
  const rules = rulesOf(sealed, contract, call, attempt);
  const isContainer = contract.executor === "docker";
  const scripts =
    contract.scripts === undefined ? undefined : realScripts(placing, contract.scripts);
  const script = ({ name }: ScriptArgument): string =>
    join(isContainer ? scriptsInContainer : (scripts ?? ""), name);
  let hasOptionsEnded = false;
  const args = sealed.args.map((each) => {
    if (each instanceof ScriptArgument) return script(each);
    const text = textOf(each, { attempt, cwd, rules });
    requireNoOption(placing, each, text, hasOptionsEnded);
    hasOptionsEnded ||= text === "--" && each.length === 1 && typeof each[0] === "string";
    return text;
  });
  const program =
    sealed.program instanceof ScriptArgument ? script(sealed.program) : sealed.program;
  const allowed = (folders: readonly string[], name: string): readonly string[] =>
    folders.map((each) => {
      const path = requireBound(placing, folderAt(placing, each, name), rules);
      requireMountable(placing, path, each);
      return path;
    });
  const isRead = contract.effect === "read";
  const folders = {
    read: allowed(rules.read, "allowed folder"),
    write: allowed(rules.write, "allowed folder"),
  };
  return {
    program: isContainer ? program : programAt(placing, program),
    shownProgram: shownProgram(sealed.program),
    args,
    directory: fs.realpathSync.native(directory),
    cwd,
    read: isRead ? [...folders.read, ...folders.write] : folders.read,
    write: isRead ? [] : folders.write,
    temporary: {
      access: contract.temporary ?? "read",
      places: (rules.temporary ?? []).flatMap((path) => temporaryAt(path) ?? []),
    },
    kept: (attempt.keeper?.paths ?? []).flatMap((each) => keptAt(placing, each, cwd, rules)),
    network: contract.network ?? "none",
    env: Object.fromEntries(sealed.env.map(([name, text]) => [name, open(text)])),
    stdin: sealed.stdin === undefined ? undefined : open(sealed.stdin),
    scripts,
    timeoutMs: attempt.timeoutMs ?? 0,
    callId: call.id,
  };
}

interface Opening extends Pick<Placing, "attempt"> {
  readonly cwd: string;
  readonly rules: PathRules;
}

/** Returns the text of an argument, with each path as its real one. */
function textOf(parts: Exclude<SealedArgument, ScriptArgument>, opening: Opening): string {
  return parts
    .map((part) => {
      if (part instanceof PathArgument) return judged(part, opening);
      return isCredential(part) ? opening.attempt.open(part.name) : String(part);
    })
    .join("");
}

function judged({ path, pointer }: PathArgument, { attempt, cwd, rules }: Opening): string {
  const found = judgePath(path, { base: cwd, access: "read", rules });
  if (isRefusedPath(found)) throw new RefusedValue(pointer, "path", found.reason);
  if (attempt.decidedPaths?.has(found.path) === false)
    throw unplaced(attempt, "a path leads elsewhere since it was checked");
  return found.path;
}

/**
 * Returns the places of a path to copy. If the path is a link, these are the link and what it leads
 * to, because the process may change both.
 */
function keptAt(
  { attempt }: Placing,
  kept: KeptPath,
  cwd: string,
  rules: PathRules,
): readonly string[] {
  const isParameter = typeof kept === "object" && "pointer" in kept;
  const base = isParameter ? cwd : rules.directory;
  const path = isParameter ? kept.path : textOfKept(kept, (name) => attempt.open(name));
  const found = judgePath(path, { base, access: "write", rules });
  if (isRefusedPath(found)) {
    if (isParameter) throw new RefusedValue(kept.pointer, "path", found.reason);
    throw unplaced(
      attempt,
      "a path of its `rollback` leads outside of the folders that it may change",
    );
  }
  const around = judgePath(dirname(resolve(base, path)), { base, access: "write", rules });
  return isRefusedPath(around) ? [found.path] : [found.path, join(around.path, basename(path))];
}

function textOfKept(
  kept: Exclude<KeptPath, ParameterPath>,
  open: (name: string) => string,
): string {
  if (typeof kept === "string") return kept;
  return openText(isCredentialText(kept) ? kept.parts : [kept], ({ name }) => open(name));
}

/** The text of a setting is known only now. */
function requireNoOption(
  { attempt }: Placing,
  parts: Exclude<SealedArgument, ScriptArgument>,
  text: string,
  hasOptionsEnded: boolean,
): void {
  const [first] = parts;
  if (hasOptionsEnded || !isCredential(first) || !text.startsWith("-")) return;
  throw unplaced(attempt, `the setting \`${first.name}\` begins with \`-\``);
}

/** Returns a folder without links. */
function folderAt({ attempt }: Placing, written: string, name: string): string {
  const path = resolve(attempt.directory, written);
  try {
    const real = fs.realpathSync.native(path);
    if (fs.statSync(real).isDirectory()) return real;
  } catch {
    // It is missing, or can't be read.
  }
  throw unplaced(attempt, `its ${name} \`${written}\` is not a folder`);
}

/** An allowed folder must be inside of the folders that skillc.yaml allows. */
function requireBound({ attempt }: Placing, path: string, { directory, outer }: PathRules): string {
  if (outer === undefined) return path;
  const rules = { directory, read: outer, write: [] };
  if (!isRefusedPath(judgePath(path, { base: directory, access: "read", rules }))) return path;
  throw unplaced(
    attempt,
    "an allowed folder leads outside of the folders of `files` in skillc.yaml",
  );
}

/** Folders that show the processes and devices of this machine. */
const unmountable = ["/dev", "/proc", "/sys"] as const;

const sharedMemory = "/dev/shm";

/** A process with its own system must not get that of this machine. */
function requireMountable({ attempt, contract }: Placing, path: string, written: string): void {
  if (contract.executor === "host") return;
  // Linux keeps ordinary files there, in memory.
  const isOrdinary = path !== sharedMemory && isIn(sharedMemory, path);
  if (isOrdinary || (path !== "/" && !unmountable.some((each) => isIn(each, path)))) return;
  throw unplaced(
    attempt,
    `its allowed folder \`${written}\` has processes or devices of this machine, which only the executor \`host\` can reach`,
  );
}

function realScripts({ attempt }: Placing, scripts: string): string {
  try {
    return fs.realpathSync.native(scripts);
  } catch {
    throw unplaced(attempt, "the folder of its scripts is missing: run `skillc generate`");
  }
}

function programAt({ attempt }: Placing, name: string): string {
  const found = findProgram(name, process.env["PATH"]);
  if (found !== undefined) return found;
  throw unplaced(attempt, `there is no program \`${name}\``);
}

/** Makes the error for a command that can't be started. */
export function unplaced(
  { number, tool }: Pick<Attempt, "number" | "tool">,
  why: string,
): ToolError {
  return new ToolError(
    tool,
    { code: "PROVIDER.UNAVAILABLE", reason: why, exit: "not-started" },
    `\`${tool}\` was not started: ${why}`,
    { attempts: number, outcome: "not-done" },
  );
}
