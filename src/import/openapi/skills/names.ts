/**
 * Names of skills, tools and settings. A name depends only on the named thing, so other changes in
 * a document don't affect it. Only a conflict brings in a second source.
 */
import { shortHash } from "../../../core/hash.js";
import {
  functionName,
  isDeviceName,
  isReservedWord,
  longestModelName,
  modelName,
  portableName,
} from "../../../core/names.js";
import { groupBy } from "../../../core/group-by.js";
import { shortened, slug, usableSkillName } from "../../skills/names.js";
import { sentPath } from "../fragments.js";
import type { Operation } from "../model.js";

/** Stable key of an operation: `GET /pets/{petId}`. */
export function keyOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** Words of titles that tell no API from another. */
const noise =
  /^(?:apis?|rest|restful|https?|the|and|for|of|v?\d+|openapi|swagger|specification|spec|official|extension|public|documentation|docs)$/;

/** Name of an API in its settings and shared schemas: `GitHub v3 REST API` is `github`. */
export function apiName(title: string): string {
  // Unlike in function names, a brand's capitals don't separate words.
  const plain = title.replace(/['’]s\b/g, "").toLowerCase();
  const name = portableName(plain);
  if (name === undefined) return slug(plain, "api");
  const words = name.split("-");
  const kept = words.filter((word) => !noise.test(word));
  return slug((kept.length === 0 ? words : kept).slice(0, 3).join("-"), "api");
}

/** The name of a setting: `pet-store` and `url` make `PET_STORE_URL`. */
export function settingName(...words: readonly string[]): string {
  const name = words
    .join("_")
    .normalize("NFKD")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[A-Z]/.test(name) ? name : `API_${name}`;
}

/**
 * Skill of an operation: its first tag, or the first word of its path, `pets` of
 * `/v1/pets/{petId}`; the API's own name if there is neither.
 */
export function skillName(operation: Operation, api: string, prefix: string): string {
  const identity = operation.tags[0] ?? resourceOf(sentPath(operation)) ?? api;
  return usableSkillName(`${prefix}${slug(identity, "tag")}`, api, `${prefix}${identity}`);
}

/** The first word of a path that says more than a version. */
function resourceOf(path: string): string | undefined {
  return path
    .split(/[/?]/)
    .find(
      (step) => /^[^{}]*[A-Za-z][^{}]*$/.test(step) && !/^(?:apis?|rest|v\d[\w.]*)$/i.test(step),
    );
}

/**
 * Names for the tools of one skill, in the order of the operations.
 *
 * @param known names that operations already have, by `keyOf`; in a conflict those keep their names
 */
export function toolNames(
  skill: string,
  operations: readonly Operation[],
  known: ReadonlyMap<string, string>,
): readonly string[] {
  const longest = longestModelName - modelName(skill, "").length;
  const wanted = operations.map((operation) => wantedName(operation, skill, longest));
  const alike = groupBy([...wanted.keys()], (index) => sameName(wanted[index] ?? ""));
  const names = [...wanted];
  for (const group of alike.values()) {
    if (group.length === 1) continue;
    const keeper = group.find((index) => {
      const operation = operations[index];
      return operation !== undefined && known.get(keyOf(operation)) === wanted[index];
    });
    for (const index of group) {
      const operation = operations[index];
      if (index !== keeper && operation !== undefined)
        names[index] = shortened(nameByPath(operation), keyOf(operation), longest);
    }
  }
  return withoutTwins(names, operations, longest);
}

/** Names from paths may still conflict; then a hash distinguishes them. */
function withoutTwins(
  names: readonly string[],
  operations: readonly Operation[],
  longest: number,
): readonly string[] {
  const counts = groupBy(names, sameName);
  return names.map((name, index) => {
    const operation = operations[index];
    if (operation === undefined || (counts.get(sameName(name))?.length ?? 0) < 2) return name;
    const mark = shortHash(keyOf(operation)).slice(0, 6);
    return `${name.slice(0, longest - mark.length - 1).replace(/-+$/, "")}-${mark}`;
  });
}

/** Equal for names that are one function, and so for those that are one file. */
function sameName(name: string): string {
  return functionName(name).toLowerCase();
}

function wantedName(operation: Operation, skill: string, longest: number): string {
  const { id } = operation;
  const whole = id === undefined ? undefined : portableName(id);
  const name = whole === undefined ? nameByPath(operation) : withoutTag(whole, id ?? "", skill);
  const isUsable = !isReservedWord(functionName(name)) && !isDeviceName(name) && /[a-z]/.test(name);
  const usable = isUsable ? name : (whole !== name && whole) || nameByPath(operation);
  return shortened(usable, keyOf(operation), longest);
}

/** Removes the skill's name: `pets/list` and `pets_list` of the skill `pets` become `list`. */
function withoutTag(name: string, id: string, skill: string): string {
  const rest = /^[^/._:]+[/._:](.+)$/.exec(id)?.[1];
  if (rest === undefined || !name.startsWith(`${skill}-`)) return name;
  const shorter = name.slice(skill.length + 1);
  return isReservedWord(functionName(shorter)) ? name : shorter;
}

/** `GET /pets/{petId}/toys` is `get-pets-pet-id-toys`. */
function nameByPath({ method, path }: Operation): string {
  return portableName(`${method.toLowerCase()}-${path.replace(/[{}]/g, "-")}`) ?? "call";
}
