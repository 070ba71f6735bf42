/** Names that are made of what others call things. */
import { shortHash } from "../../core/hash.js";
import {
  isDeviceName,
  isReservedWord,
  longestModelName,
  portableName,
  skillAlias,
} from "../../core/names.js";

/** Leaves 28 characters for a tool's name. */
const longestSkillName = longestModelName - "__".length - 28;

/** A name for what is called anything: `Pet Store` is `pet-store`. */
export function slug(text: string, fallback: string, longest = longestSkillName): string {
  const name = portableName(text) ?? `${fallback}-${shortHash(text).slice(0, 6)}`;
  return shortened(name, text, longest);
}

/** The same name, or as much of it as fits, and what tells it from others that begin alike. */
export function shortened(name: string, identity: string, longest: number): string {
  if (name.length <= longest) return name;
  const mark = shortHash(identity).slice(0, 6);
  const room = longest - mark.length - 1;
  const words = name.slice(0, room + 1).split("-");
  const start = words.length > 1 ? words.slice(0, -1).join("-") : name.slice(0, room);
  return `${start.replace(/-+$/, "")}-${mark}`;
}

/**
 * The name of a skill, if a skill can be called so; else with a word before it.
 *
 * @param identity what tells it from others, where it has to be cut
 */
export function usableSkillName(name: string, before: string, identity: string): string {
  const isUsable =
    !isReservedWord(skillAlias(name)) && !isDeviceName(name) && !sharedFolders.has(name);
  return shortened(isUsable ? name : `${before}-${name}`, identity, longestSkillName);
}

/** Folders of skills and of what is generated in which several skills have a part. */
const sharedFolders: ReadonlySet<string> = new Set(["schemas", "databases"]);
