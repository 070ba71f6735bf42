/**
 * The arguments of a command. A plain string is text of the skill's author. Everything that comes
 * from a parameter or from the caller is marked by a class, so that a value can't pass for an
 * option, or for the `--` that ends options.
 */
import { fileURLToPath } from "node:url";
import {
  type CredentialReference,
  isCredential,
  type Scalar,
} from "../../../runtime/values/text.js";

/** A part of an argument: literal text, a value, a setting, or a path. */
export type Part = Scalar | CredentialReference | PathArgument;

/** One argument of a command. */
export type Argument = string | JoinedArgument | PathArgument | ScriptArgument | ValueArgument;

/** The program of a command: a name in `PATH`, an absolute path, or a script of the skill. */
export type Program = string | ScriptArgument;

/** An argument that begins with a value, so that it might look like an option. */
export class ValueArgument {
  /** JSON pointer to the parameter with which the argument begins, or `caller/tenant`. */
  readonly pointer: string;
  readonly parts: readonly Part[];

  constructor(pointer: string, parts: readonly Part[]) {
    this.pointer = pointer;
    this.parts = parts;
  }
}

/** An argument that begins with literal text. */
class JoinedArgument {
  readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

/** A path from a parameter. The process gets it absolute, without links. */
export class PathArgument {
  /** JSON pointer to the parameter, or `caller/tenant`. */
  readonly pointer: string;
  /** Value of the parameter, with which the path begins. */
  readonly value: string;
  /** The whole path. */
  readonly path: string;

  constructor(pointer: string, value: string, rest = "") {
    this.pointer = pointer;
    this.value = value;
    this.path = value + rest;
  }
}

/** A file of the skill's folder of scripts. The process gets its absolute path. */
export class ScriptArgument {
  /** Path below the folder of scripts, with `/`. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Makes an argument that begins with a value. The call is denied if the text begins with `-`, unless
 * a literal `--` stands before it.
 *
 * @param pointer JSON pointer to the parameter, such as `/author`, or `caller/tenant`
 */
export function value(
  pointer: string,
  first: Scalar | CredentialReference,
  ...rest: readonly Part[]
): ValueArgument {
  return new ValueArgument(pointer, [first, ...rest]);
}

/**
 * Makes an argument for each item of a list, as `value` does; none if there is no list.
 *
 * @param list the type of a tuple with optional items contains `undefined`
 */
export function values(
  pointer: string,
  list: readonly (Scalar | undefined)[] | null | undefined,
): readonly ValueArgument[] {
  return (list ?? []).flatMap((each, at) =>
    each === undefined ? [] : [new ValueArgument(`${pointer}/${at}`, [each])],
  );
}

/**
 * Makes an argument that begins with literal text, such as `--max-count=`.
 *
 * @param prefix text of the skill's author, not empty
 */
export function joined(prefix: string, ...rest: readonly Part[]): JoinedArgument {
  return new JoinedArgument([prefix, ...rest]);
}

/**
 * Makes an argument of a path, which is judged before the process starts: it must be in a folder
 * that the command may use, after links are followed.
 *
 * @param pointer JSON pointer to the parameter, such as `/repository`
 * @param first value of the parameter, relative to the working folder
 * @param rest texts that are joined with the value before the judgement
 */
export function path(pointer: string, first: string, ...rest: readonly string[]): PathArgument {
  return new PathArgument(pointer, first, rest.join(""));
}

/** Makes an argument for each path of a list, as `path` does; none if there is no list. */
export function paths(
  pointer: string,
  list: readonly (string | undefined)[] | null | undefined,
): readonly PathArgument[] {
  return (list ?? []).flatMap((each, at) =>
    each === undefined ? [] : [new PathArgument(`${pointer}/${at}`, each)],
  );
}

/** Makes an argument of a script beside SKILL.md, by its path in the contract's `scripts`. */
export function script(name: string): ScriptArgument {
  return new ScriptArgument(name);
}

declare global {
  /** Generated modules use it, and a project may have no types of Node. */
  interface ImportMeta {
    url: string;
  }
}

/**
 * Returns the folder `files` beside a generated module.
 *
 * @param url URL of the module
 */
export function scriptFolder(url: string): string {
  return fileURLToPath(new URL("files", url));
}

/** Returns the parts of an argument. */
export function partsOf(argument: Exclude<Argument, ScriptArgument>): readonly Part[] {
  if (typeof argument === "string" || argument instanceof PathArgument) return [argument];
  return argument.parts;
}

/** Returns a part's text: `${NAME}` in place of a setting, and a path as it was written. */
export function shownPart(part: Part): string {
  if (part instanceof PathArgument) return part.path;
  return isCredential(part) ? `\${${part.name}}` : String(part);
}
