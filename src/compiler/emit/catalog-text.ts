/**
 * Prints and parses catalog modules. TypeScript imports them, but the command line reads them
 * without TypeScript. Each entry is a statement with a JSON object. Only `__proto__` has brackets,
 * without which it would not be a property.
 */
import { code, type Code, ident, join, jsonLiteral, objectKey } from "../../core/code.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";

/** A catalog that was read back. Only the parts that this format needs have types. */
export interface WrittenCatalog {
  readonly skills: readonly WrittenSkill[];
}

export interface WrittenSkill extends JsonObject {
  readonly tools: readonly JsonObject[];
}

/**
 * Prints the object of a skill's statement, with references to the statements of its tools.
 *
 * @param about the skill without its tools
 */
export function skillObject(about: JsonObject, tools: readonly string[]): Code {
  const members = Object.entries(about).map(
    ([name, value]) => code`  ${objectKey(name)}: ${jsonLiteral(value, "  ")},\n`,
  );
  return code`{\n${join(members)}  "tools": [${join(tools.map(ident), code`, `)}]\n}`;
}

/** Lists the modules that a project's catalog.ts joins, by their paths below the output folder. */
export function catalogModules(text: string): readonly string[] {
  return [...joinedIn(text).values()];
}

/**
 * Parses the modules of a catalog; undefined if one is missing, or was changed by hand.
 *
 * @param text text of the project's catalog.ts
 * @param modules texts of the modules that it imports, by path
 */
export function readCatalogModules(
  text: string,
  modules: ReadonlyMap<string, string>,
): WrittenCatalog | undefined {
  const joined = joinedIn(text);
  const list = /= \{ skills: \[(.*)\] \};?$/m.exec(withLineFeeds(text))?.[1];
  const skills = namesIn(list ?? "").map((name) => {
    const path = joined.get(name);
    return path === undefined ? skillIn(text, name) : skillIn(modules.get(path) ?? "");
  });
  const isWhole = list !== undefined && skills.every((each) => each !== undefined);
  return isWhole ? { skills } : undefined;
}

/** Paths of the modules, by the names that the catalog gives to the skills. */
function joinedIn(text: string): ReadonlyMap<string, string> {
  const imports = /^import \{ (?:\w+ as )?(\w+) \} from "\.\/(.+)\.js";?$/gm;
  return new Map(
    Array.from(withLineFeeds(text).matchAll(imports), ([, name = "", path = ""]) => [
      name,
      `${path}.ts`,
    ]),
  );
}

/** Returns the skill with this name, or the exported one. */
function skillIn(text: string, name?: string): WrittenSkill | undefined {
  const objects = objectsIn(text);
  const skill = [...objects].find(([each, { isExported }]) =>
    name === undefined ? isExported : each === name,
  );
  // `tools` is the last member, and the only one with this name and indentation.
  const [about, tools] = skill?.[1].text.split('\n  "tools": [') ?? [];
  const read = about === undefined ? undefined : parsed(`${about.replace(/,$/, "")}\n}`);
  if (read === undefined || tools === undefined) return undefined;
  const entries = namesIn(tools.slice(0, tools.indexOf("]"))).map((each) =>
    parsed(objects.get(each)?.text ?? ""),
  );
  return entries.every((each) => each !== undefined) ? { ...read, tools: entries } : undefined;
}

interface WrittenObject {
  readonly text: string;
  readonly isExported: boolean;
}

/** Returns the objects of a module's statements, by the names that they declare. */
function objectsIn(text: string): ReadonlyMap<string, WrittenObject> {
  const objects = new Map<string, WrittenObject>();
  let begun:
    { readonly name: string; readonly isExported: boolean; readonly at: number } | undefined;
  const lines = withLineFeeds(text).split("\n");
  lines.forEach((line, at) => {
    const [, exported, name] = /^(export )?const (\w+): .* = \{$/.exec(line) ?? [];
    if (name !== undefined) begun = { name, isExported: exported !== undefined, at };
    if (begun === undefined || !/^\};?$/.test(line)) return;
    const { isExported, name: of, at: from } = begun;
    objects.set(of, { text: ["{", ...lines.slice(from + 1, at), "}"].join("\n"), isExported });
    begun = undefined;
  });
  return objects;
}

function namesIn(list: string): readonly string[] {
  return list === "" ? [] : list.split(", ");
}

/** Parses an object. These brackets and quotes would be escaped inside a string of JSON. */
function parsed(text: string): JsonObject | undefined {
  try {
    // JSON.parse returns a JSON value.
    const value = JSON.parse(text.replaceAll(`["__proto__"]: `, `"__proto__": `)) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Restores line feeds, because Git may have changed the line ends. */
function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
