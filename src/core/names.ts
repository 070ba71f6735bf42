import { plainIdentifier } from "./code.js";

/**
 * Maximum number of characters in the name of a tool for models. Source: the tool APIs of OpenAI
 * and Anthropic.
 */
export const longestModelName = 64;

/** The words in a name: `HTTPServer2` has `HTTP`, `Server` and `2`. */
const wordPattern = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/**
 * Returns the function name of a tool: `create-order`, `create_order` and `createOrder` all become
 * `createOrder`. It is always an identifier, but may be a reserved word.
 */
export function functionName(name: string): string {
  const stem = stemOf(name);
  const identifier = stem.charAt(0).toLowerCase() + stem.slice(1);
  return plainIdentifier.test(identifier) ? identifier : `_${identifier}`;
}

/**
 * Returns the stem of type names: `create-order` becomes `CreateOrder`. No function name begins
 * like it.
 */
export function typeStem(name: string): string {
  const stem = stemOf(name);
  return plainIdentifier.test(stem) ? stem : `$${stem}`;
}

function stemOf(name: string): string {
  const words = name.slice(0, longestName).match(wordPattern) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join("");
}

/** Longer names are rejected before anything is derived from them. */
export const longestName = 255;

/** Returns the name under which modules import a skill: `order-desk` becomes `orderDesk`. */
export function skillAlias(name: string): string {
  return functionName(name);
}

/** Returns the name of a tool for models. */
export function modelName(skill: string, tool: string): string {
  return `${skill}__${tool}`;
}

/**
 * Checks if a name has only characters that models and file systems accept, and at least one for an
 * identifier.
 */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name) && /[A-Za-z0-9]/.test(name);
}

/** The nearest plain name; undefined if no character can be kept. */
export function plainName(name: string): string | undefined {
  const plain = name
    .slice(0, longestName)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return isPlainName(plain) ? plain : undefined;
}

/**
 * The nearest name that every reader of Agent Skills accepts; undefined if no character can be
 * kept.
 */
export function portableName(name: string): string | undefined {
  const portable = (plainName(name) ?? "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return portable === "" ? undefined : portable;
}

/**
 * Checks for a name that Windows reserves for devices, with any extension. Source: "Naming Files,
 * Paths, and Namespaces", Microsoft.
 */
export function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])(\.|$)/i.test(name);
}

/**
 * Checks for the name of a skill whose tools models could mistake for skillc's own, such as
 * `skillc__await` of the MCP server. Some programs ignore the case of names.
 */
export function isOwnSkillName(name: string): boolean {
  return /^skillc(?:__|$)/i.test(name);
}

/**
 * Returns the wanted identifier, or one with a number if it is reserved or taken.
 *
 * @param taken all other names that the module declares or imports
 */
export function freeIdentifier(wanted: string, taken: ReadonlySet<string>): string {
  const isFree = (name: string) => !taken.has(name) && !isReservedWord(name);
  if (isFree(wanted)) return wanted;
  let count = 2;
  while (!isFree(`${wanted}${count}`)) count += 1;
  return `${wanted}${count}`;
}

/** Checks for an identifier that a module can't declare, or shouldn't export. */
export function isReservedWord(identifier: string): boolean {
  return reservedWords.has(identifier);
}

const reservedWords: ReadonlySet<string> = new Set(
  [
    "break case catch class const continue debugger default delete do else enum export extends false finally for function if",
    "import in instanceof new null return super switch this throw true try typeof var void while with",
    // In strict code, which includes modules.
    "arguments await eval implements interface let package private protected public static yield",
    // TypeScript rejects declarations of these. `await import()` would take a module that exports
    // `then` for a promise.
    "undefined globalThis require exports then",
  ].flatMap((line) => line.split(" ")),
);

/** Shortens author text for a message: at most 60 characters on one line, without backticks. */
export function shown(text: string): string {
  const line = onOneLine(text.slice(0, 200)).replaceAll("`", "\ufffd");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/**
 * Makes a message printable: one line of limited length, without characters that change how the
 * rest is displayed.
 */
export function printable(message: string): string {
  const line = onOneLine(message.slice(0, longestMessage + 1));
  return line.length > longestMessage ? `${line.slice(0, longestMessage - 1)}…` : line;
}

const longestMessage = 2000;

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "\ufffd");
}

/** Quotes an author's name in a message. */
export function quote(name: string): string {
  return `\`${shown(name)}\``;
}

const maxListed = 12;

/** Lists names: `a, b and c`. For many names it gives the first ones and the number of others. */
export function listed(names: readonly string[]): string {
  const first = names.slice(0, maxListed);
  const more = names.length - first.length;
  const all = more === 0 ? first : [...first, `${more} more`];
  const last = all.at(-1) ?? "";
  return all.length === 1 ? last : `${all.slice(0, -1).join(", ")} and ${last}`;
}
