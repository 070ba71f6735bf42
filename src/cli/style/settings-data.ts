import { readRegularFile } from "@skillc/runtime/internal";
import { basename, extname } from "node:path";

/**
 * Checks that loading the file runs no code. Settings that aren't a mapping name a module to load.
 */
export function isData(path: string): boolean {
  const name = basename(path);
  if (name === "package.json") return !namesModule(path);
  if (name === "package.yaml") return false;
  const ending = extname(name === ".prettierrc" ? "" : name);
  // A TOML document is always a table.
  if (ending === ".toml") return true;
  const comment = comments.get(ending);
  return comment !== undefined && beginsAsMapping(textOf(path), comment);
}

/** Lines to skip before the settings begin, by the file's ending. */
const yamlComment = /^[ \t]*(?:#.*|---[ \t]*)?$/;
const comments: ReadonlyMap<string, RegExp> = new Map([
  ["", yamlComment],
  [".yaml", yamlComment],
  [".yml", yamlComment],
  [".json", /^[ \t]*$/],
  [".json5", /^[ \t]*(?:\/\/.*)?$/],
]);

function namesModule(packageJson: string): boolean {
  return typeof settingsIn(packageJson) !== "object";
}

/**
 * Returns the value of `prettier` in a package.json.
 *
 * @throws SyntaxError, or errors of the file system
 */
function settingsIn(packageJson: string): unknown {
  const content: unknown = JSON.parse(textOf(packageJson));
  if (typeof content !== "object" || content === null) return undefined;
  return Object.getOwnPropertyDescriptor(content, "prettier")?.value;
}

/** Checks if a settings file may run code. A package.json without a `prettier` key can't. */
export function mayRunCode(path: string): boolean {
  try {
    const saysNothing = basename(path) === "package.json" && settingsIn(path) === undefined;
    return !saysNothing && !isData(path);
  } catch {
    return true;
  }
}

/**
 * Checks that every parser of JSON, JSON5 and YAML reads the text as a mapping. The first line
 * after comments must open a mapping, or have a plain key and a colon. Only the beginning is
 * checked, because two parsers may read the rest differently.
 */
function beginsAsMapping(text: string, comment: RegExp): boolean {
  const first = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n?|\n/)
    .find((line) => !comment.test(line));
  return (
    first !== undefined && /^(?:[ \t]*\{|(["']?)[A-Za-z$][\w$]*\1[ \t]*:(?:[ \t]|$))/.test(first)
  );
}

function textOf(path: string): string {
  return readRegularFile(path).toString("utf8");
}
