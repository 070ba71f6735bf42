import { isJsonObject, type JsonSchema } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import { mentions } from "./mentions.js";
import { childrenOf, type ChildSchema, everySchema, type Subschema } from "./schema-tree.js";

/** Property names of each path, with `*` for every item or property. */
export type Paths = readonly (readonly string[])[];

/** Maximum number of steps. A value that needs more is masked as a whole. */
const maxSteps = 2_000;

/**
 * Paths of values that must not be recorded, marked with `writeOnly: true` or `x-sensitive: true`.
 * A path has property names; `*` stands for every item or property. A recursive schema with such a
 * value is masked as a whole where it repeats.
 */
export function maskedPaths({ schema: root }: SchemaModel): Paths {
  if (!mentions(root, "writeOnly") && !mentions(root, "x-sensitive")) return [];
  if (!everySchema(root).some(({ schema }) => isMarked(schema))) return [];
  const paths: (readonly string[])[] = [];
  let steps = 0;
  const visit = (at: Subschema, path: readonly string[], open: ReadonlySet<string>): void => {
    steps += 1;
    if (isMarked(at.schema) || (steps > maxSteps && hidesSomething(at, root)))
      return void paths.push(path);
    const opened = new Set(open).add(at.pointer);
    for (const child of childrenOf(at, root)) {
      const below = stepOf(child) === undefined ? path : [...path, stepOf(child) ?? ""];
      if (!isChecked(child)) continue;
      if (!opened.has(child.pointer)) visit(child, below, opened);
      else if (hidesSomething(child, root)) paths.push(below);
    }
  };
  visit({ schema: root, pointer: "" }, [], new Set());
  return pathsTogether(paths);
}

/** Checks if the value at a path, or a part of it, is marked. A number in the path means an item. */
export function hasMaskedPart(model: SchemaModel, at: readonly (string | number)[]): boolean {
  return maskedPaths(model).some((path) => {
    const length = Math.min(path.length, at.length);
    return path.slice(0, length).every((step, index) => step === "*" || step === stepAt(at[index]));
  });
}

function stepAt(step: string | number | undefined): string | undefined {
  return typeof step === "number" ? "*" : step;
}

function isMarked(schema: JsonSchema): boolean {
  return isJsonObject(schema) && (schema["writeOnly"] === true || schema["x-sensitive"] === true);
}

/** Leaves out schemas of property names, which contain no values. */
function isChecked({ keyword }: ChildSchema): boolean {
  return keyword !== "propertyNames";
}

function stepOf(child: ChildSchema): string | undefined {
  if (child.inPlace) return undefined;
  return child.keyword === "properties" ? child.key : "*";
}

function hidesSomething(from: Subschema, root: JsonSchema): boolean {
  const seen = new Set<string>([from.pointer]);
  const waiting: Subschema[] = [from];
  for (const at of waiting) {
    if (isMarked(at.schema)) return true;
    for (const child of childrenOf(at, root).filter(isChecked)) {
      if (seen.has(child.pointer)) continue;
      seen.add(child.pointer);
      waiting.push(child);
    }
  }
  return false;
}

/** Removes repeated paths, and paths below a masked path. */
export function pathsTogether(paths: Paths): Paths {
  const sorted = paths.toSorted((a, b) => a.length - b.length);
  const kept: (readonly string[])[] = [];
  for (const path of sorted) {
    if (!kept.some((each) => each.every((step, index) => step === path[index]))) kept.push(path);
  }
  return kept;
}
