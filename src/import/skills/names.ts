/** Derives names from those of other systems. */
import { groupBy } from "../../core/group-by.js";
import { shortHash } from "../../core/hash.js";
import {
  functionName,
  isDeviceName,
  isOwnSkillName,
  isReservedWord,
  longestModelName,
  modelName,
  portableName,
  skillAlias,
} from "../../core/names.js";

/** Leaves 28 characters for a tool's name. */
const longestSkillName = longestModelName - "__".length - 28;

/** Converts any text to a name: `Pet Store` to `pet-store`. */
export function slug(text: string, fallback: string, longest = longestSkillName): string {
  const name = portableName(text) ?? `${fallback}-${shortHash(text).slice(0, 6)}`;
  return shortened(name, text, longest);
}

/**
 * Shortens a name to the limit, and adds a hash that distinguishes it from others with the same
 * start.
 */
export function shortened(name: string, identity: string, longest: number): string {
  if (name.length <= longest) return name;
  const mark = shortHash(identity).slice(0, 6);
  const room = longest - mark.length - 1;
  const words = name.slice(0, room + 1).split("-");
  const start = words.length > 1 ? words.slice(0, -1).join("-") : name.slice(0, room);
  return `${start.replace(/-+$/, "")}-${mark}`;
}

/**
 * Makes a valid name of a skill, with `before` in front if the name itself isn't allowed.
 *
 * @param identity source of the hash if the name must be cut
 */
export function usableSkillName(name: string, before: string, identity: string): string {
  const isUsable =
    !isReservedWord(skillAlias(name)) &&
    !isDeviceName(name) &&
    !isOwnSkillName(name) &&
    !sharedFolders.has(name);
  return shortened(isUsable ? name : `${before}-${name}`, identity, longestSkillName);
}

/** Folder names that are reserved because several skills share the folder. */
const sharedFolders: ReadonlySet<string> = new Set(["schemas", "databases"]);

/** A tool before it is named. */
export interface UnnamedTool {
  /** Identity in the source, which tells it from all others. */
  readonly identity: string;
  /** Name that it gets if no other tool wants it. */
  readonly name: string;
}

/**
 * Names the tools of one skill, in their order. Tools that want the same name, or names of the same
 * function, get a hash of their identities.
 *
 * @param known names of the last import by identity; they win a conflict
 */
export function distinctNames(
  skill: string,
  tools: readonly UnnamedTool[],
  known: ReadonlyMap<string, string>,
): readonly string[] {
  const longest = longestModelName - modelName(skill, "").length;
  const wanted = tools.map(({ identity, name }) => ({
    identity,
    name: shortened(name, identity, longest),
  }));
  const alike = groupBy(wanted, ({ name }) => functionName(name).toLowerCase());
  return wanted.map((each) => {
    const group = alike.get(functionName(each.name).toLowerCase()) ?? [];
    const keeper = group.find(({ identity, name }) => known.get(identity) === name);
    return group.length === 1 || each === keeper ? each.name : marked(each, longest);
  });
}

function marked({ identity, name }: UnnamedTool, longest: number): string {
  const mark = shortHash(identity).slice(0, 6);
  return `${name.slice(0, longest - mark.length - 1).replace(/-+$/, "")}-${mark}`;
}
