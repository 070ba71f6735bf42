import type { JsonObject, JsonSchema } from "../../core/json.js";
import type { Misfit } from "./misfit.js";
import { asSchema, schemasUnder } from "../schema-tree.js";

type Go = (index: number, given: JsonSchema, wanted: JsonSchema) => readonly Misfit[];

/** Lists of one schema as lists of another: item by item where either names them one by one, then the rest. */
export function itemMisfits(given: JsonObject, wanted: JsonObject, go: Go): readonly Misfit[] {
  const [own, others] = [given, wanted].map((each) => schemasUnder(each, "prefixItems"));
  const named = Math.max(own?.length ?? 0, others?.length ?? 0);
  const rest = [asSchema(given["items"]), asSchema(wanted["items"])] as const;
  const pairs = Array.from(
    { length: named },
    (_, index) => [own?.[index] ?? rest[0], others?.[index] ?? rest[1]] as const,
  );
  return [...pairs, rest].flatMap(([one, other], index) => go(index, one, other));
}
