import type { JsonObject } from "../../core/json.js";
import { quote } from "../../core/names.js";
import { type ExclusiveNames, exclusiveNames } from "./exclusive-names.js";
import type { Misfit } from "./misfit.js";
import { textsUnder } from "../schema-tree.js";

/** Where of some properties one at most is wanted, two that are always there; undefined where something else is denied. */
export function exclusiveMisfits(
  given: JsonObject,
  wanted: JsonObject,
): readonly Misfit[] | undefined {
  const groups = exclusiveNames(wanted);
  if (groups.length === 0) return undefined;
  const certain = new Set(textsUnder(given, "required"));
  return groups.flatMap((group) => misfitOf(group, certain) ?? []);
}

function misfitOf(
  { names, title }: ExclusiveNames,
  certain: ReadonlySet<string>,
): Misfit | undefined {
  const [first, second] = [...certain].filter((name) => names.includes(name));
  if (first === undefined || second === undefined) return undefined;
  const one =
    title === "" ? "of these it takes one at most" : `${quote(title)} is one of them at most`;
  return {
    path: [second],
    kind: "exclusive",
    fit: "no",
    given: `always has ${quote(first)} and ${quote(second)}`,
    wanted: one,
    beside: first,
  };
}
