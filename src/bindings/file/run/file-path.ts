import { RefusedValue } from "../../../runtime/call/refused-value.js";
import {
  type CredentialReference,
  type CredentialText,
  isCredential,
  isCredentialText,
} from "../../../runtime/values/text.js";

/** A value that stands in a path. */
export class PathValue {
  /** JSON pointer to the parameter, or `caller/tenant`. */
  readonly pointer: string;
  readonly text: string;

  constructor(pointer: string, text: string) {
    this.pointer = pointer;
    this.text = text;
  }
}

/** Part of a path: text of the skill's author, a setting, or a value. */
export type PathPart = string | CredentialReference | PathValue;

/**
 * A path before its settings are opened. Text of the author and values are told apart by class, so
 * that a value can't pass for text of the author.
 */
export class FilePath {
  readonly parts: readonly PathPart[];

  constructor(parts: readonly PathPart[]) {
    this.parts = parts;
  }

  /** JSON pointer to the only value in the path; empty if there are several or none. */
  get pointer(): string {
    const values = this.parts.filter((each) => each instanceof PathValue);
    return values.length === 1 ? (values[0]?.pointer ?? "") : "";
  }

  /** Names of the settings in the path. */
  get credentials(): readonly string[] {
    return this.parts.flatMap((each) =>
      each instanceof PathValue || !isCredential(each) ? [] : [each.name],
    );
  }

  /** Returns the path with `${NAME}` in place of settings. */
  shown(): string {
    return this.#join(({ name }) => `\${${name}}`);
  }

  /** Returns the path with its settings. */
  opened(open: (name: string) => string): string {
    return this.#join(({ name }) => open(name));
  }

  #join(reveal: (reference: CredentialReference) => string): string {
    return this.parts
      .map((part) =>
        part instanceof PathValue ? part.text : isCredential(part) ? reveal(part) : part,
      )
      .join("");
  }
}

/** Makes a path of an allowed folder. */
export function folderPath(folder: string | CredentialReference | CredentialText): FilePath {
  return new FilePath(isCredentialText(folder) ? folder.parts : [folder]);
}

/** Makes a path of text, settings and values. */
export function path(...parts: readonly PathPart[]): FilePath {
  return new FilePath(parts);
}

/**
 * Makes a path that is one value. It is relative to the project's folder, and the allowed folders
 * alone bound it.
 *
 * @param pointer JSON pointer to the parameter, such as `/path`
 */
export function given(pointer: string, text: string): PathValue {
  return new PathValue(pointer, text);
}

/**
 * Makes a value after text of the author. It may name folders and files below that text, and can't
 * leave it by `..`.
 *
 * @param pointer JSON pointer to the parameter, such as `/name`
 * @throws RefusedValue if a part of the value is `..`
 */
export function below(pointer: string, text: string | number | boolean): PathValue {
  const written = String(text);
  if (written.split(/[/\\]/).includes(".."))
    throw new RefusedValue(pointer, "path", "must not contain the path segment `..` here");
  return new PathValue(pointer, written);
}
