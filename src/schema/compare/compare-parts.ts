/** Compares objects and lists of one schema with those of another, part by part. */
import type { JsonObject, JsonSchema } from "../../core/json.js";
import { asSchema, schemaMapUnder, schemasUnder, textsUnder } from "../schema-tree.js";
import { sizeMismatch } from "./compare-scalars.js";
import { type Mismatch, notPromised } from "./mismatch.js";
import { knownNames, mayHave, namedSchema, propertySchema, restSchema } from "./normal-form.js";
import type { Source } from "./source.js";

/** The two documents, and the function that compares one part. */
interface Parts {
  readonly given: Source;
  readonly wanted: Source;
  readonly go: Go;
}

type Go = (step: string | number, given: JsonSchema, wanted: JsonSchema) => readonly Mismatch[];

/**
 * Compares objects of two schemas: missing properties, unknown properties, and properties of the
 * wrong type.
 */
export function compareObjects(
  given: JsonObject,
  wanted: JsonObject,
  at: Parts,
): readonly Mismatch[] {
  const inside = knownNames(given).flatMap((name) => {
    const own = propertySchema(given, name, at.given);
    if (own === false) return [];
    const field = fieldOf(wanted, name, at.wanted);
    return field === undefined ? [unknown(name)] : at.go(name, own, field);
  });
  return [...missing(given, wanted), ...inside, ...others(given, wanted, at)];
}

function missing(given: JsonObject, wanted: JsonObject): readonly Mismatch[] {
  const declared = new Set(schemaMapUnder(given, "properties").map(([name]) => name));
  const certain = new Set(textsUnder(given, "required"));
  return textsUnder(wanted, "required").flatMap((name): readonly Mismatch[] => {
    const at = { path: [name], fits: "no", wanted: "is required" } as const;
    if (certain.has(name)) return [];
    if (declared.has(name))
      return [{ ...at, kind: "absent", given: "may be absent", help: "make it required" }];
    const help = "declare it there";
    return [{ ...at, kind: "missing", given: "is not declared", help }];
  });
}

function unknown(name: string): Mismatch {
  return {
    path: [name],
    kind: "unknown",
    fits: "no",
    given: "is declared",
    wanted: "is not a field",
  };
}

/**
 * Schema of a property in the wanted objects. Undefined if a closed object doesn't declare it, or
 * if an open object declares a name that differs only in case.
 */
function fieldOf(wanted: JsonObject, name: string, source: Source): JsonSchema | undefined {
  const declared = namedSchema(wanted, name, source) ?? restSchema(wanted);
  if (declared !== undefined) return declared === false ? undefined : declared;
  const isMeant = schemaMapUnder(wanted, "properties").some(([each]) => isSpeltAlike(each, name));
  return isMeant ? undefined : true;
}

/** Compares names without case and underscores: `orderID` equals `order_id`. */
export function isSpeltAlike(one: string, other: string): boolean {
  const letters = (name: string) => name.toLowerCase().replaceAll("_", "");
  return letters(one) === letters(other);
}

const mayHoldOthers: Mismatch = {
  path: [],
  kind: "value",
  fits: "unsure",
  given: "may have undeclared properties",
  wanted: "rejects them",
  state: { additionalProperties: false },
};

/**
 * Compares the properties that the given schema covers without naming them, or only by patterns. If
 * the wanted schema has patterns too, another check requires the same patterns.
 */
function others(given: JsonObject, wanted: JsonObject, at: Parts): readonly Mismatch[] {
  const [own = true, rest] = [restSchema(given), restSchema(wanted)];
  const patterns =
    wanted["patternProperties"] === undefined ? schemaMapUnder(given, "patternProperties") : [];
  const values = [...patterns.map(([, schema]) => schema), own].filter((each) => each !== false);
  if (rest === false && values.length > 0)
    return [restSchema(given) === undefined ? { ...mayHoldOthers, isUnsaid: true } : mayHoldOthers];
  if (rest === false) return underNames(given, wanted, at);
  const further = rest === undefined ? [] : values.flatMap((each) => at.go("*", each, rest));
  return [...underNames(given, wanted, at), ...further];
}

/**
 * Compares the undeclared properties of an open object with the names that the wanted schema
 * declares.
 */
function underNames(given: JsonObject, wanted: JsonObject, at: Parts): readonly Mismatch[] {
  const alreadyCompared = new Set([...knownNames(given), ...textsUnder(wanted, "required")]);
  const names = schemaMapUnder(wanted, "properties")
    .map(([name]) => name)
    .filter((name) => !alreadyCompared.has(name) && mayHave(given, name, at.given));
  const compared = (name: string) =>
    at
      .go(name, propertySchema(given, name, at.given), propertySchema(wanted, name, at.wanted))
      .map(asUnsure);
  const isAlike = (name: string) => namedSchema(given, name, at.given) !== undefined;
  const others = names.filter((name) => !isAlike(name)).flatMap(compared);
  return [
    ...names.filter(isAlike).flatMap(compared),
    ...[...notPromised(others), ...others].slice(0, 1),
  ];
}

function asUnsure(mismatch: Mismatch): Mismatch {
  return { ...mismatch, fits: "unsure", help: "declare it there", isUnsaid: true };
}

/**
 * Compares lists of two schemas: item by item if either schema has positional items, then the rest.
 */
export function compareItems(
  given: JsonObject,
  wanted: JsonObject,
  { go }: Pick<Parts, "go">,
): readonly Mismatch[] {
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

/** Checks that a list has no more items than the wanted schema has positions. */
function tooMany(given: JsonObject, most: number): readonly Mismatch[] {
  const found = sizeMismatch(given, { maxItems: most }, "list");
  return found === undefined ? [] : [{ ...found, path: [], kind: "value" }];
}
