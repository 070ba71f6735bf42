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

/** Words of titles that don't distinguish APIs. */
const noise =
  /^(?:apis?|rest|restful|https?|the|and|for|of|v?\d+|openapi|swagger|specification|spec|official|extension|public|documentation|docs)$/;

/** Name of an API in its settings and shared schemas: `github` for `GitHub v3 REST API`. */
export function apiName(title: string): string {
  // Unlike in function names, a brand's capitals don't separate words.
  const plain = title.replace(/['’]s\b/g, "").toLowerCase();
  const name = portableName(plain);
  if (name === undefined) return slug(plain, "api");
  const words = name.split("-");
  const kept = words.filter((word) => !noise.test(word));
  return slug((kept.length === 0 ? words : kept).slice(0, 3).join("-"), "api");
}

/** Name of a setting: `PET_STORE_URL` from `pet-store` and `url`. */
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

/** Returns the first word of a path that isn't a version. */
function resourceOf(path: string): string | undefined {
  return path
    .split(/[/?]/)
    .find(
      (step) => /^[^{}]*[A-Za-z][^{}]*$/.test(step) && !/^(?:apis?|rest|v\d[\w.]*)$/i.test(step),
    );
}

/**
 * Names the tools of one skill, in the order of the operations.
 *
 * @param known names of operations from the last import, by `keyOf`; they win a conflict
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
      if (operation === undefined) return false;
      const { toolName = known.get(keyOf(operation)) } = operation;
      return toolName === wanted[index];
    });
    for (const index of group) {
      const operation = operations[index];
      if (index !== keeper && operation !== undefined)
        names[index] = shortened(nameByPath(operation), keyOf(operation), longest);
    }
  }
  return withoutTwins(names, operations, longest);
}

/** Adds a hash to names from paths that still conflict. */
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

/** Key that is equal for names of the same function, and so of the same file. */
function sameName(name: string): string {
  return functionName(name).toLowerCase();
}

function wantedName(operation: Operation, skill: string, longest: number): string {
  const { id, toolName } = operation;
  if (toolName !== undefined) return shortened(toolName, keyOf(operation), longest);
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

/** Derives a name from the path: `get-pets-pet-id-toys` from `GET /pets/{petId}/toys`. */
function nameByPath({ method, path }: Operation): string {
  return portableName(`${method.toLowerCase()}-${path.replace(/[{}]/g, "-")}`) ?? "call";
}
