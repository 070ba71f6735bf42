/** A command before its settings are opened and its paths are judged. */
import { RefusedValue } from "../../../runtime/call/refused-value.js";
import type { BoundCaller } from "../../../runtime/caller.js";
import { temporaryWord } from "../../../runtime/files/judged-path.js";
import {
  addCredentialNames,
  type CredentialReference,
  isCredential,
  isCredentialText,
} from "../../../runtime/values/text.js";
import {
  type Argument,
  type Part,
  partsOf,
  PathArgument,
  type Program,
  ScriptArgument,
  shownPart,
  ValueArgument,
} from "./arguments.js";
import type {
  CommandContract,
  CommandRecord,
  Environment,
  Folder,
  SettingText,
} from "./contract.js";

/** Text and settings in their order. */
export type SealedText = readonly (string | CredentialReference)[];

/** One argument: a script of the skill, or parts that are joined. */
export type SealedArgument = ScriptArgument | readonly Part[];

/** A command of one call. */
export interface SealedCommand {
  readonly program: Program;
  readonly args: readonly SealedArgument[];
  /** Undefined for the project's folder. */
  readonly cwd: SealedText | undefined;
  readonly read: readonly SealedText[];
  readonly write: readonly SealedText[];
  readonly env: readonly (readonly [name: string, value: SealedText])[];
  readonly stdin: SealedText | undefined;
}

/**
 * Builds the command of one call from the functions of its contract.
 *
 * @throws RefusedValue if the process can't get an argument as it was given
 */
export function sealCommand<Arguments>(
  contract: CommandContract<Arguments>,
  args: Arguments,
  caller: BoundCaller,
): SealedCommand {
  const [program, ...rest] = contract.argv(args, caller);
  const sealFolder = (folder: Folder): SealedText =>
    sealText(typeof folder === "function" ? folder(caller) : folder);
  const { cwd, env = {}, read = [], stdin, write = [] } = contract;
  const input = stdin?.(args, caller);
  const sealed: SealedCommand = {
    program,
    args: sealArguments(rest),
    cwd: cwd === undefined ? undefined : sealFolder(cwd),
    read: read.map(sealFolder),
    write: write.map(sealFolder),
    env: sealEnvironment(typeof env === "function" ? env(args, caller) : env),
    stdin: input === undefined ? undefined : sealText(input),
  };
  return sealed;
}

function sealText(text: SettingText): SealedText {
  if (isCredentialText(text)) return text.parts;
  // Only a string is left; `isCredential` tells classes apart, and TypeScript only shapes.
  return [isCredential(text) ? text : (text as string)];
}

function sealArguments(rest: readonly (Argument | undefined)[]): readonly SealedArgument[] {
  let hasOptionsEnded = false;
  const sealed: SealedArgument[] = [];
  for (const argument of rest) {
    if (argument === undefined) continue;
    if (argument instanceof ScriptArgument) sealed.push(argument);
    else {
      const parts = partsOf(argument);
      requireSendable(argument, parts);
      if (argument instanceof ValueArgument && !hasOptionsEnded) requireNoOption(argument);
      sealed.push(parts);
    }
    hasOptionsEnded ||= argument === "--";
  }
  return sealed;
}

/** Maximum size of one argument in bytes. Linux allows 128 KiB with the NUL at the end. */
const longestArgument = 128 * 1024 - 1;

function requireSendable(argument: Argument, parts: readonly Part[]): void {
  const text = parts.map(shownPart).join("");
  const fault = faultIn(text);
  if (fault === undefined) return;
  const pointer =
    argument instanceof ValueArgument || argument instanceof PathArgument ? argument.pointer : "";
  const isCause = (value: unknown): boolean =>
    typeof value === "string" &&
    value !== "" &&
    text.includes(value) &&
    faultIn(value) !== undefined;
  throw new RefusedValue(pointer, "argument", fault, isCause);
}

function faultIn(text: string): string | undefined {
  if (text.includes("\0")) return "contains a NUL, which no argument of a process can contain";
  if (!text.isWellFormed())
    return "has half of a surrogate pair, which an argument of a process can't contain";
  return Buffer.byteLength(text) > longestArgument
    ? `is longer than ${longestArgument} bytes, the limit of one argument: use \`stdin\` for long texts`
    : undefined;
}

function requireNoOption({ parts, pointer }: ValueArgument): void {
  const [first] = parts;
  // The text of a setting is known only when it is opened: `placeCommand` looks at that.
  if (first === undefined || isCredential(first) || !parts.map(shownPart).join("").startsWith("-"))
    return;
  throw new RefusedValue(pointer, "option", beginsAsOption);
}

const beginsAsOption = "begins with `-`, so the program would take it for an option";

function sealEnvironment(env: Environment): SealedCommand["env"] {
  return Object.entries(env).map(([name, value]) => {
    const sealed = sealText(value);
    const text = sealed.map(shownPart).join("");
    if (text.includes("\0") || !text.isWellFormed())
      throw new RefusedValue(
        "",
        "environment",
        `for the variable ${name} contains a NUL or half of a surrogate pair`,
        (given) => typeof given === "string" && (given.includes("\0") || !given.isWellFormed()),
      );
    return [name, sealed] as const;
  });
}

/** Returns the names of the settings and credentials in a command, each once. */
export function credentialsOf({ args, cwd, env, read, stdin, write }: SealedCommand): string[] {
  const names: string[] = [];
  const texts = [cwd ?? [], ...read, ...write, ...env.map(([, text]) => text), stdin ?? []];
  for (const text of texts) addCredentialNames(names, text);
  for (const argument of args)
    if (!(argument instanceof ScriptArgument))
      addCredentialNames(names, argument.filter(isCredential));
  return names;
}

/** Returns a text with `${NAME}` in place of settings. */
export function shownText(text: SealedText): string {
  return text.map(shownPart).join("");
}

/** Returns the program as records and capabilities name it. */
export function shownProgram(program: Program): string {
  return program instanceof ScriptArgument ? shownScript(program) : program;
}

function shownScript({ name }: ScriptArgument): string {
  return `files/${name}`;
}

/** Describes a command for shadow mode and approvals. */
export function describeCommand(
  { args, cwd, env, program, read, stdin, write }: SealedCommand,
  {
    executor = "sandbox",
    network = "none",
    temporary,
  }: Pick<CommandContract<never>, "executor" | "network" | "temporary">,
): CommandRecord {
  const withTemporary = (folders: readonly SealedText[], access: typeof temporary) => [
    ...folders.map(shownText),
    ...(temporary === access ? [temporaryWord] : []),
  ];
  const shown = args.map((each) =>
    each instanceof ScriptArgument ? shownScript(each) : each.map(shownPart).join(""),
  );
  return {
    argv: [shownProgram(program), ...shown],
    executor,
    cwd: cwd === undefined ? "." : shownText(cwd),
    read: withTemporary(read, "read"),
    write: withTemporary(write, "write"),
    network,
    ...(env.length > 0 && {
      env: Object.fromEntries(env.map(([name, text]) => [name, shownText(text)])),
    }),
    ...(stdin !== undefined && { stdin: shownText(stdin) }),
  };
}
