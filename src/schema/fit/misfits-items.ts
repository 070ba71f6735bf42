import type { JsonObject, JsonSchema } from "../../core/json.js";
import type { Misfit } from "./misfit.js";
import { sizeMisfit } from "./misfits-size.js";
import { asSchema, schemasUnder } from "../schema-tree.js";

type Go = (index: number, given: JsonSchema, wanted: JsonSchema) => readonly Misfit[];

/** Lists of one schema as lists of another: item by item where either names them one by one, then the rest. */
export function itemMisfits(given: JsonObject, wanted: JsonObject, go: Go): readonly Misfit[] {
  const [own, others] = [given, wanted].map((each) => schemasUnder(each, "prefixItems"));
  const named = Math.max(own?.length ?? 0, others?.length ?? 0);
  const { maxItems } = given;
  const [rest, wantedRest] = [asSchema(given["items"]), asSchema(wanted["items"])];
  const longest = typeof maxItems === "number" ? maxItems : Infinity;
  const pairs = Array.from(
    { length: Math.min(named, longest) },
    (_, index) => [own?.[index] ?? rest, others?.[index] ?? wantedRest] as const,
  );
  const inside = pairs.flatMap(([one, other], index) => go(index, one, other));
  if (rest === false || longest <= named) return inside;
  return [
    ...inside,
    ...(wantedRest === false ? tooMany(given, named) : go(named, rest, wantedRest)),
  ];
}

/** What there may be behind all items that have a place. */
function tooMany(given: JsonObject, most: number): readonly Misfit[] {
  const fault = sizeMisfit(given, { maxItems: most }, "list");
  return fault === undefined ? [] : [{ ...fault, path: [], kind: "value" }];
}
