/**
 * Checks names in a query, in cookies, in a form or in a multipart body that come from the keys of
 * a caller's map.
 * Servers disagree on which of two equal names counts, so such a name must differ from all others.
 */
import { deepestJson } from "../../../runtime/json/json.js";
import { RefusedValue } from "../../../runtime/executor.js";
import { pointerStep } from "../../../runtime/json/pointer.js";
import { isCredentialText } from "../../../runtime/values/text.js";
import { StyledValue } from "./styles.js";

/**
 * The steps of a name as servers read it: `filter[price][]` is `filter`, `price`. Some servers
 * ignore case, and PHP reads a dot and a space as `_`.
 */
export function stepsOfName(name: string): readonly string[] {
  const steps = name.split(/[[\]]+/).filter((step) => step !== "");
  return steps.map((step) => step.trimStart().replace(/[. ]/g, "_").toLowerCase());
}

/** True if two names are equal, or if one is a value and the other lies inside that value. */
export function areOneName(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.every((step, at) => step === long[at]);
}

type Entry = readonly [name: string, value: unknown];

interface WrittenName {
  readonly steps: readonly string[];
  /** JSON pointer of the name in the map. */
  readonly pointer: string;
}

/**
 * Checks the maps among the entries of a query or of cookies.
 *
 * @param literal further names, which the author wrote in the URL
 * @throws RefusedValue for a map's name that another entry has, even if that entry has no value
 */
export function requireOwnNames(entries: readonly Entry[], literal: () => readonly string[]): void {
  const maps = entries.flatMap(([name, value]) =>
    isDeepMap(value) || isExplodedMap(value) ? [{ name, styled: value }] : [],
  );
  if (maps.length === 0) return;
  const taken = [
    ...entries.filter(([, value]) => !isExplodedMap(value)).map(([name]) => name),
    ...literal(),
  ].map(stepsOfName);
  for (const { name, styled } of maps) {
    const isDeep = styled.style === "deepObject";
    const own = stepsOfName(name);
    const others = isDeep ? taken.filter((each) => !isSame(each, own)) : taken;
    const further = styled.taken.map(stepsOfName);
    const written = isDeep ? namesBelow(name, styled.value) : namesOf(styled.value);
    requireNone(styled.value, written, [...others, ...further]);
    for (const { steps } of written) taken.push(steps);
  }
}

/**
 * Checks the fields of a form. A field whose author wrote brackets may lie inside another field.
 */
export function requireOwnFields(fields: object): void {
  const entries = Object.entries(fields);
  if (!entries.some(([name]) => name.includes("["))) return;
  for (const [name, value] of entries) {
    if (typeof value !== "object" || value === null || isCredentialText(value)) continue;
    const others = entries.filter(([other]) => other !== name).map(([other]) => stepsOfName(other));
    requireNone(value, namesBelow(name, value), others);
  }
}

/**
 * Checks the names of further parts against those of the declared parts, even if such a part has no
 * value.
 *
 * @param written changes a name so that two names are equal if a server may read them as one
 * @throws RefusedValue
 */
export function requireOwnParts(
  fields: object,
  taken: readonly string[],
  written: (name: string) => string,
): void {
  const steps = (name: string): readonly string[] => stepsOfName(written(name));
  requireNone(fields, namesOf(fields, steps), taken.map(steps));
}

function requireNone(
  map: unknown,
  written: readonly WrittenName[],
  taken: readonly (readonly string[])[],
): void {
  for (const { pointer, steps } of written) {
    if (!taken.some((each) => areOneName(each, steps))) continue;
    const message = "must not repeat a name that the request already has";
    throw new RefusedValue("", "map-name", message, (value) => value === map, pointer);
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && areOneName(one, other);
}

function isMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !isCredentialText(value);
}

function isDeepMap(value: unknown): value is StyledValue {
  return value instanceof StyledValue && value.style === "deepObject" && isMap(value.value);
}

/** True for an exploded map, which writes the names of its entries instead of its own. */
function isExplodedMap(value: unknown): value is StyledValue {
  if (!(value instanceof StyledValue) || value.style === "deepObject") return false;
  return value.explode && isMap(value.value) && !Array.isArray(value.value);
}

function namesOf(map: unknown, steps = stepsOfName): readonly WrittenName[] {
  return Object.entries(map as object)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name]) => ({ steps: steps(name), pointer: pointerStep(name) }));
}

function namesBelow(name: string, value: unknown, pointer = "", depth = 0): readonly WrittenName[] {
  if (value === undefined || value === null) return [];
  // Deeper nesting is rejected when it is written.
  if (typeof value !== "object" || isCredentialText(value) || depth > deepestJson)
    return [{ steps: stepsOfName(name), pointer }];
  return Object.entries(value).flatMap(([key, each]) =>
    namesBelow(`${name}[${key}]`, each, pointer + pointerStep(key), depth + 1),
  );
}
