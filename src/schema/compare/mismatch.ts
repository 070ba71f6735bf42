/**
 * The results of a comparison, and the choice of the branch to report if a value may have several
 * forms.
 */
import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";
import { schemaMapUnder, textsUnder } from "../schema-tree.js";
import { branchesOf, listedIn, statedType } from "./normal-form.js";
import type { Branch, Source } from "./source.js";

/**
 * Known facts about a given value, for messages that differ by them. `words` name a type, `an
 * integer`, or a size, `3 items`.
 */
export type Known =
  { readonly kind: "any-text" } | { readonly kind: "type" | "size"; readonly words: string };

/** A value that one schema allows and the other does not. */
export interface Mismatch {
  /**
   * Path in the value: names of properties, indices of lists (0 if all items are alike), `*` for
   * the values of a map.
   */
  readonly path: readonly (string | number)[];
  /**
   * `missing`: a required property that isn't declared; `absent`: a required property that is
   * declared as optional; `unknown`: a property that the wanted schema forbids; `exclusive`: a
   * property that always comes together with another, of which only one is allowed.
   */
  readonly kind: "value" | "missing" | "absent" | "unknown" | "exclusive";
  /**
   * `no`: no given value fits, apart from null. `some`: some fit, and some don't. `unsure`: the
   * schema doesn't state enough.
   */
  readonly fits: "no" | "some" | "unsure";
  /**
   * Set if all values fit as long as the author's schema is truthful: a `pattern` matches the
   * wanted texts, a value fits only one form of a `oneOf`, numbers are exact.
   */
  readonly promised?: true;
  /** Describes the given value. It follows the value's name in a message: `may be text`. */
  readonly given: string;
  readonly known?: Known;
  /** Describes the wanted value: `takes an integer`. */
  readonly wanted: string;
  readonly help?: string;
  /** Set if null is given and not accepted. The mismatch then concerns only null. */
  readonly ofNull?: true;
  /** Set if the given schema doesn't mention the wanted constraint. */
  readonly isUnsaid?: true;
  /** Set if the schemas are too large to compare. */
  readonly unseen?: true;
  /** Keywords that make the value fit if the given schema adds them. */
  readonly state?: JsonObject;
  /** The other property, for an exclusive property. */
  readonly beside?: string;
  /** For a missing property: the properties that other forms of the union miss instead. */
  readonly others?: readonly (readonly string[])[];
}

/** Documents and functions that a comparison at one path needs. */
export interface Comparing {
  /** Compares two schemas of the same value. */
  readonly compare: (given: JsonSchema, wanted: JsonSchema) => readonly Mismatch[];
  readonly disjoint: (given: JsonSchema, wanted: JsonSchema) => boolean;
  /** Documents of the two schemas. */
  readonly given: Source;
  readonly wanted: Source;
}

/** Description of the given value. */
export type Given = Pick<Mismatch, "given" | "known">;

/** Mismatch of the value itself, without a path. */
export type MismatchHere = Omit<Mismatch, "path" | "kind">;

/** Checks if some value certainly doesn't fit, even if others may. */
export function isCertain({ fits }: Mismatch): boolean {
  return fits !== "unsure";
}

/** Leaves out mismatches that disappear if the author's schema is truthful. */
export function notPromised(found: readonly Mismatch[]): readonly Mismatch[] {
  return found.filter(({ promised }) => !promised);
}

/** Marks mismatches as concerning only some values. */
export function ofSome(found: readonly Mismatch[]): readonly Mismatch[] {
  return found.map((each) =>
    each.kind === "value" && each.fits === "no" && !each.ofNull ? { ...each, fits: "some" } : each,
  );
}

/** Weights of mismatches. A certain one weighs more than any number of others. */
const weights = { no: 1_000_000, some: 1000, unsure: 1 };
const ofPromise = 0.001;

/** Returns mismatches with the nearest form, which is probably the intended one. */
export function nearest(found: readonly (readonly Mismatch[])[]): readonly Mismatch[] | undefined {
  const weight = (each: readonly Mismatch[]) =>
    each.reduce((sum, { fits, promised }) => sum + (promised ? ofPromise : weights[fits]), 0);
  const [first, ...others] = found.toSorted((a, b) => weight(a) - weight(b));
  return first && besideOthers(first, others);
}

/**
 * Adds the properties that other forms miss, if the nearest form misses properties. Considers forms
 * whose only mismatches are missing properties.
 */
function besideOthers(
  [first, ...rest]: readonly Mismatch[],
  forms: readonly (readonly Mismatch[])[],
): readonly Mismatch[] {
  if (first === undefined) return [];
  if (!isMissingHere(first)) return [first, ...rest];
  const others = forms.filter((each) => each.length > 0 && each.every(isMissingHere));
  if (others.length === 0) return [first, ...rest];
  const names = others.map((each) => each.map(({ path }) => String(path[0])));
  return [{ ...first, others: names }, ...rest];
}

function isMissingHere({ kind, path }: Mismatch): boolean {
  return kind === "missing" && path.length === 1;
}

/** Documents of the branches. */
interface Documents {
  readonly given: Source;
  readonly wanted: Source;
}

/**
 * Returns the forms that may be meant, the likeliest first. Leaves out forms that require another
 * value of a property that is always present, unless no others remain.
 */
export function nearBranches(
  given: Branch,
  forms: readonly Branch[],
  documents: Documents,
): readonly Branch[] {
  if (forms.length < 2) return forms;
  const placed = forms.map((form) => ({ form, at: distance(given, form, documents) }));
  const near = placed.filter(({ at }) => at < otherValues);
  const sorted = (near.length > 0 ? near : placed).toSorted((a, b) => a.at - b.at);
  return sorted.map(({ form }) => form);
}

const otherTypes = 1;
const otherValues = 2;

/**
 * Distance between two branches by the values of their common properties. 0: nothing distinguishes
 * them.
 */
function distance(given: Branch, wanted: Branch, documents: Documents): number {
  if (given === true || wanted === true) return 0;
  const [own, others] = [factsOf(given, documents.given), factsOf(wanted, documents.wanted)];
  const distances = textsUnder(given, "required").map((name) => {
    const [one, other] = [own.get(name), others.get(name)];
    if (one === undefined || other === undefined) return 0;
    if (haveNoneInCommon(one.values, other.values)) return otherValues;
    return haveNoneInCommon(one.types, other.types) ? otherTypes : 0;
  });
  return Math.max(0, ...distances);
}

type ValueSet = ReadonlySet<JsonValue | undefined> | undefined;

function haveNoneInCommon(one: ValueSet, other: ValueSet): boolean {
  // An empty set of values distinguishes nothing.
  if (one === undefined || one.size === 0 || other === undefined) return false;
  return [...one].every((each) => !other.has(each));
}

/** Known facts about a property; a set is undefined if the schema doesn't state it. */
interface Facts {
  readonly values: ValueSet;
  readonly types: ValueSet;
}

const known = new WeakMap<JsonObject, ReadonlyMap<string, Facts>>();

function factsOf(branch: JsonObject, source: Source): ReadonlyMap<string, Facts> {
  const before = known.get(branch);
  if (before !== undefined) return before;
  const facts = new Map(
    schemaMapUnder(branch, "properties").map(([name, schema]) => {
      const branches = branchesOf(schema, source) ?? [true];
      return [name, { values: scalarsOf(branches), types: typesOf(branches) }] as const;
    }),
  );
  known.set(branch, facts);
  return facts;
}

function scalarsOf(forms: readonly Branch[]): ValueSet {
  const listed = forms.map(listedIn);
  const all = listed.flatMap((each) => each ?? []);
  const isKnown = !listed.includes(undefined) && all.every((each) => !isPart(each));
  return isKnown ? new Set(all) : undefined;
}

function isPart(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** Types of the forms, with integers as numbers. */
function typesOf(forms: readonly Branch[]): ValueSet {
  const types = forms.map(statedType);
  if (types.includes(undefined)) return undefined;
  return new Set(types.map((type) => (type === "integer" ? "number" : type)));
}
