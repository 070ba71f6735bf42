/**
 * Prints and parses catalog modules. TypeScript imports them, but the command line reads them
 * without TypeScript. Each entry is a statement with a JSON object. Only `__proto__` has brackets,
 * without which it would not be a property.
 */
import { posix } from "node:path";
import { code, type Code, ident, join, jsonLiteral, nothing, objectKey } from "../../core/code.js";
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../../core/json.js";

/** A catalog that was read back. Only the parts that this format needs have types. */
export interface WrittenCatalog {
  readonly skills: readonly WrittenSkill[];
}

export interface WrittenSkill extends JsonObject {
  readonly tools: readonly JsonObject[];
}

/** Name of the constant with a skill's definitions. No tool's function has such a name. */
export const definitionsName = "$defs";

/**
 * Prints the object of a skill's statement, with references to the statements of its tools and
 * definitions.
 *
 * @param about the skill without its tools and definitions
 * @param definitions name of the constant with its definitions, if it has any
 */
export function skillObject(
  about: JsonObject,
  tools: readonly string[],
  definitions?: string,
): Code {
  const members = Object.entries(about).map(
    ([name, value]) => code`  ${objectKey(name)}: ${jsonLiteral(value)},\n`,
  );
  const defs = definitions === undefined ? nothing : code`  "$defs": ${ident(definitions)},\n`;
  return code`{\n${join(members)}${defs}  "tools": [${join(tools.map(ident), code`, `)}]\n}`;
}

/**
 * Prints the object of a skill's definitions, with imported ones first.
 *
 * @param importedAs returns the imported schema; undefined for one that is printed here
 */
export function definitionsObject(
  $defs: JsonObject,
  importedAs: (name: string) => Code | undefined,
): Code {
  const all = Object.entries($defs).map(([name, schema]) => {
    const elsewhere = importedAs(name);
    const value = elsewhere ?? jsonLiteral(schema);
    return { isElsewhere: elsewhere !== undefined, member: code`  ${objectKey(name)}: ${value}` };
  });
  const members = [
    ...all.filter((each) => each.isElsewhere),
    ...all.filter((each) => !each.isElsewhere),
  ];
  const lines = members.map(({ member }) => member);
  return code`{\n${join(lines, code`,\n`)}\n}`;
}

/** Texts of modules, by their paths in the output folder. */
export type ModuleTexts = ReadonlyMap<string, string>;

/**
 * Lists the paths of the modules that a catalog needs and that were not read yet. The texts of
 * these modules may name further modules.
 *
 * @param path path of the project's catalog.ts
 */
export function missingModules(path: string, modules: ModuleTexts): readonly string[] {
  const needed = new Set([path]);
  for (const each of needed)
    for (const imported of importsIn(each, modules.get(each) ?? "").values()) needed.add(imported);
  return [...needed].filter((each) => !modules.has(each));
}

/**
 * Parses the modules of a catalog; undefined if one is missing, or was changed by hand.
 *
 * @param path path of the project's catalog.ts
 * @param modules texts of all modules that it needs
 */
export function readCatalogModules(path: string, modules: ModuleTexts): WrittenCatalog | undefined {
  const text = modules.get(path) ?? "";
  const joined = importsIn(path, text);
  const schemas = schemaReader(modules);
  const list = /= \{ skills: \[(.*)\] \};?$/m.exec(withLineFeeds(text))?.[1];
  const skills = namesIn(list ?? "").map((name) => {
    const module = joined.get(name);
    return module === undefined
      ? skillIn({ path, text }, schemas, name)
      : skillIn({ path: module, text: modules.get(module) ?? "" }, schemas);
  });
  const isWhole = list !== undefined && skills.every((each) => each !== undefined);
  return isWhole ? { skills } : undefined;
}

/**
 * Paths of the modules in the output folder that a module imports values from, by the names that it
 * gives to them.
 */
function importsIn(path: string, text: string): ReadonlyMap<string, string> {
  const imports = /^import \{ (?:[\w$]+ as )?([\w$]+) \} from "(\..+)\.js";?$/gm;
  const all = Array.from(
    withLineFeeds(text).matchAll(imports),
    ([, name = "", specifier = ""]) =>
      [name, posix.join(posix.dirname(path), `${specifier}.ts`)] as const,
  );
  return new Map(all.filter(([, module]) => !module.startsWith("../")));
}

/** Returns a function that parses the schema of a module, once for all catalogs. */
function schemaReader(modules: ModuleTexts): (path: string) => JsonObject | undefined {
  const known = new Map<string, JsonObject | undefined>();
  return (path) => {
    if (!known.has(path)) {
      const [object] = objectsIn(modules.get(path) ?? "").values();
      known.set(path, object && parsed(object.text));
    }
    return known.get(path);
  };
}

interface CatalogModule {
  readonly path: string;
  readonly text: string;
}

/** Returns the skill with this name, or the exported one. */
function skillIn(
  { path, text }: CatalogModule,
  schemaAt: (path: string) => JsonObject | undefined,
  name?: string,
): WrittenSkill | undefined {
  const objects = objectsIn(text);
  const skill = [...objects].find(([each, { isExported }]) =>
    name === undefined ? isExported : each === name,
  );
  // `tools` is the last member, and the only one with this name and indentation.
  const [before, tools] = skill?.[1].text.split('\n  "tools": [') ?? [];
  const [about, hasDefinitions] = before?.split(`\n  "$defs": ${definitionsName}`) ?? [];
  const read = about === undefined ? undefined : parsed(`${about.replace(/,$/, "")}\n}`);
  if (read === undefined || tools === undefined) return undefined;
  const entries = namesIn(tools.slice(0, tools.indexOf("]"))).map((each) =>
    parsed(objects.get(each)?.text ?? ""),
  );
  const imports = importsIn(path, text);
  const $defs =
    hasDefinitions === undefined
      ? {}
      : definitionsIn(objects.get(definitionsName)?.text ?? "", (each) =>
          schemaAt(imports.get(each) ?? ""),
        );
  if ($defs === undefined || !entries.every((each) => each !== undefined)) return undefined;
  return { ...read, ...(hasDefinitions !== undefined && { $defs }), tools: entries };
}

/** Parses the definitions of a skill; undefined if one can't be read. */
function definitionsIn(
  text: string,
  importedAs: (name: string) => JsonObject | undefined,
): JsonObject | undefined {
  const found: Record<string, JsonValue> = {};
  let isWhole = true;
  const written = text.replaceAll(importedMember, (_, key: string, name: string) => {
    const schema = importedAs(name);
    if (schema === undefined) isWhole = false;
    else setOwn(found, String(JSON.parse(key)), schema);
    return "";
  });
  const others = parsed(written.replace(/,\n\}$/, "\n}"));
  if (!isWhole || others === undefined) return undefined;
  for (const [name, schema] of Object.entries(others)) setOwn(found, name, schema);
  return found;
}

/** Matches a member whose value is an imported name. Names of schemas end in `Schema`. */
const importedMember = /^ {2}("[^"\\]+"): ([A-Za-z_$][\w$]*Schema\d*)(?:,|$)\n?/gm;

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
    const [, exported, name, onOneLine] =
      /^(export )?const ([\w$]+): [^=]* = (?:\{|(\{.*\});?)$/.exec(line) ?? [];
    if (name !== undefined) begun = { name, isExported: exported !== undefined, at };
    if (begun === undefined || (onOneLine === undefined && !/^\};?$/.test(line))) return;
    const { isExported, name: of, at: from } = begun;
    const text = onOneLine ?? ["{", ...lines.slice(from + 1, at), "}"].join("\n");
    objects.set(of, { text, isExported });
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
    const value = JSON.parse(text.replaceAll(`["__proto__"]:`, `"__proto__":`)) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Restores line feeds, because Git may have changed the line ends. */
function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
