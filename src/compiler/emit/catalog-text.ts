/**
 * The form of catalog modules. TypeScript imports them, and the command line reads them without it:
 * each entry is a statement whose object is JSON, but for the brackets without which `__proto__`
 * would be no property.
 */
import { code, type Code, ident, join, jsonLiteral, objectKey } from "../../core/code.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";

/** A catalog that was read back; only the parts that this format needs are known. */
export interface WrittenCatalog {
  readonly skills: readonly WrittenSkill[];
}

export interface WrittenSkill extends JsonObject {
  readonly tools: readonly JsonObject[];
}

/**
 * The object of a skill's statement, in which its tools are named as their statements are.
 *
 * @param about all of the skill but its tools
 */
export function skillObject(about: JsonObject, tools: readonly string[]): Code {
  const members = Object.entries(about).map(
    ([name, value]) => code`  ${objectKey(name)}: ${jsonLiteral(value, "  ")},\n`,
  );
  return code`{\n${join(members)}  "tools": [${join(tools.map(ident), code`, `)}]\n}`;
}

/** The modules that a project's catalog.ts joins, each by its path below the output folder. */
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

/** Paths of modules, by the names that their skills have. */
function joinedIn(text: string): ReadonlyMap<string, string> {
  const imports = /^import \{ (?:\w+ as )?(\w+) \} from "\.\/(.+)\.js";?$/gm;
  return new Map(
    Array.from(withLineFeeds(text).matchAll(imports), ([, name = "", path = ""]) => [
      name,
      `${path}.ts`,
    ]),
  );
}

/** The skill with that name; without a name, the exported one. */
function skillIn(text: string, name?: string): WrittenSkill | undefined {
  const objects = objectsIn(text);
  const skill = [...objects].find(([each, { isExported }]) =>
    name === undefined ? isExported : each === name,
  );
  // The last of its members, and the only one of that name on this level.
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

/** The objects of a module's statements, by the names that they declare. */
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

/** Within a string of JSON these brackets and quotes would stand escaped. */
function parsed(text: string): JsonObject | undefined {
  try {
    // JSON.parse returns a JSON value.
    const value = JSON.parse(text.replaceAll(`["__proto__"]: `, `"__proto__": `)) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Git may have changed the ends of lines. */
function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
