/** Decides if a parameter may mean a value that has its name. */
import {
  givenBy,
  isIdentifier,
  needsOwner,
  normalName,
  objectOf,
  singular,
  wordsOf,
} from "./names.js";
import type { PlanSource } from "./sources.js";
import type { PlannerTool } from "./tools.js";

/** Returns the names by which a parameter means a value. `id` of `get-order` is `order_id`. */
export function ownNames(name: string, { id }: PlannerTool): readonly string[] {
  if (!needsOwner(name)) return [normalName(name)];
  const object = objectOf(id);
  return isIdentifier(name) && object !== "" ? [`${object}_${normalName(name)}`] : [];
}

/** A value, and the tool that gives it; undefined for an input. */
interface Meant {
  readonly source: Pick<PlanSource, "path">;
  readonly tool: PlannerTool | undefined;
}

/**
 * Checks that a name may decide. A write takes neither a list of everything that a step found, nor the
 * present value of an attribute that the write changes.
 */
export function mayMean(
  { source, tool: from }: Meant,
  parameter: string,
  tool: PlannerTool,
): boolean {
  if (from === undefined || tool.effect === "read") return true;
  if (source.path.includes("[*]")) return false;
  return identifies(parameter, tool, from) || !changesIts(tool, from);
}

/**
 * Checks if a parameter identifies the thing that is changed: `card_id` of `move-card`. Its `list_id`
 * is a new value of the card.
 */
function identifies(parameter: string, { id }: PlannerTool, from: PlannerTool): boolean {
  if (!isIdentifier(parameter)) return false;
  const words = wordsOf(parameter);
  const owner = words.slice(0, -1);
  if (owner.length === 0) return words[0] !== "slug";
  const things = new Set([objectOf(id), ...givenBy(from.id)].flatMap(wordsOf).map(singular));
  return owner.every((word) => things.has(singular(word)));
}

/**
 * Checks if a tool changes the thing that another tool gives: the tool has the name of the thing, or
 * takes its identifier. The `priority` that `get-issue` gives is not the new one for `update-issue`.
 */
function changesIts(tool: PlannerTool, from: PlannerTool): boolean {
  const given = givenBy(from.id).flatMap(wordsOf).map(singular);
  const object = new Set(wordsOf(objectOf(tool.id)).map(singular));
  if (given.some((word) => object.has(word))) return true;
  const taken = identifiersOf(from);
  return identifiersOf(tool).some(
    (name) => taken.includes(name) || given.includes(singular(wordsOf(name)[0] ?? "")),
  );
}

function identifiersOf(tool: PlannerTool): readonly string[] {
  return tool.parameters
    .filter(({ name }) => isIdentifier(name))
    .flatMap(({ name }) => ownNames(name, tool));
}
