import type { JsonObject, JsonSchema } from "../../core/json.js";
import type { Misfit } from "./misfit.js";
import { knownNames, mayHave, namedSchema, propertySchema, restSchema } from "./property-schema.js";
import { schemaMapUnder, textsUnder } from "../schema-tree.js";

type Go = (name: string, given: JsonSchema, wanted: JsonSchema) => readonly Misfit[];

/** Objects of one schema as objects of another: what is missing, what has no place, what doesn't fit. */
export function objectMisfits(given: JsonObject, wanted: JsonObject, go: Go): readonly Misfit[] {
  const inside = knownNames(given).flatMap((name) => {
    const own = propertySchema(given, name);
    if (own === false) return [];
    const field = fieldOf(wanted, name);
    return field === undefined ? [unknown(name)] : go(name, own, field);
  });
  return [...missing(given, wanted), ...inside, ...others(given, wanted, go)];
}

function missing(given: JsonObject, wanted: JsonObject): readonly Misfit[] {
  const declared = new Set(schemaMapUnder(given, "properties").map(([name]) => name));
  const certain = new Set(textsUnder(given, "required"));
  return textsUnder(wanted, "required").flatMap((name): readonly Misfit[] => {
    const at = { path: [name], fit: "no", wanted: "is required" } as const;
    if (certain.has(name)) return [];
    if (declared.has(name))
      return [{ ...at, kind: "absent", given: "may be absent", help: "make it required" }];
    const help = "declare it there";
    return [{ ...at, kind: "missing", given: "is not among its properties", help }];
  });
}

function unknown(name: string): Misfit {
  return {
    path: [name],
    kind: "unknown",
    fit: "no",
    given: "is declared",
    wanted: "is not a field",
  };
}

/** Undefined when there is no place for it: in a closed object, or in an open one whose own name it would be but for its case. */
function fieldOf(wanted: JsonObject, name: string): JsonSchema | undefined {
  const said = namedSchema(wanted, name) ?? restSchema(wanted);
  if (said !== undefined) return said === false ? undefined : said;
  const isMeant = schemaMapUnder(wanted, "properties").some(([each]) => isSpeltAlike(each, name));
  return isMeant ? undefined : true;
}

/** But for case and underscores: `orderID` for `order_id`. */
export function isSpeltAlike(one: string, other: string): boolean {
  const letters = (name: string) => name.toLowerCase().replaceAll("_", "");
  return letters(one) === letters(other);
}

const mayHoldOthers: Misfit = {
  path: [],
  kind: "value",
  fit: "unsure",
  given: "may hold other properties than those that it declares",
  wanted: "has no place for them",
  state: { additionalProperties: false },
};

/** What stands under names that the given schema doesn't tell, or by patterns only. Where patterns are wanted too, they have to be the same, which is seen elsewhere. */
function others(given: JsonObject, wanted: JsonObject, go: Go): readonly Misfit[] {
  const [own = true, rest] = [restSchema(given), restSchema(wanted)];
  const patterns =
    wanted["patternProperties"] === undefined ? schemaMapUnder(given, "patternProperties") : [];
  const values = [...patterns.map(([, schema]) => schema), own].filter((each) => each !== false);
  if (rest === false && values.length > 0)
    return [restSchema(given) === undefined ? { ...mayHoldOthers, isUnsaid: true } : mayHoldOthers];
  if (rest === false) return underNames(given, wanted, go);
  const further = rest === undefined ? [] : values.flatMap((each) => go("*", each, rest));
  return [...underNames(given, wanted, go), ...further];
}

/** What an open object may hold under the other's names. */
function underNames(given: JsonObject, wanted: JsonObject, go: Go): readonly Misfit[] {
  const told = new Set([...knownNames(given), ...textsUnder(wanted, "required")]);
  const names = schemaMapUnder(wanted, "properties")
    .map(([name]) => name)
    .filter((name) => !told.has(name) && mayHave(given, name));
  const compared = (each: string) =>
    go(each, propertySchema(given, each), propertySchema(wanted, each)).map(asUnsure);
  const isAlike = (name: string) => namedSchema(given, name) !== undefined;
  return [
    ...names.filter(isAlike).flatMap(compared),
    ...names
      .filter((name) => !isAlike(name))
      .flatMap(compared)
      .slice(0, 1),
  ];
}

function asUnsure(misfit: Misfit): Misfit {
  return { ...misfit, fit: "unsure", help: "declare it there", isUnsaid: true };
}
