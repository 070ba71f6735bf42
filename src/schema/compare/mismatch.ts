/** What comparing tells, and of which branch it is told where a value may have several forms. */
import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";
import { schemaMapUnder, textsUnder } from "../schema-tree.js";
import { branchesOf, listedIn, statedType } from "./normal-form.js";
import type { Branch, Source } from "./source.js";

/**
 * What is known of a value that is given, where sentences differ by it. Words are of its type, `an
 * integer`, or of its size, `3 items`.
 */
export type Known =
  { readonly kind: "any-text" } | { readonly kind: "type" | "size"; readonly words: string };

/** A value that one schema allows and the other does not. */
export interface Mismatch {
  /**
   * Where it is in the value: names of properties, indices of lists (0 where all items are alike),
   * `*` for the values of a map.
   */
  readonly path: readonly (string | number)[];
  /**
   * `missing`: a required property that isn't declared; `absent`: one that may be left out;
   * `unknown`: a property that has no place; `exclusive`: one that is always there together with
   * another, of which only one may be.
   */
  readonly kind: "value" | "missing" | "absent" | "unknown" | "exclusive";
  /**
   * `no`: no value that is given fits, null aside; `some`: some do, and some don't; `unsure`: the
   * schema doesn't say enough to know.
   */
  readonly fits: "no" | "some" | "unsure";
  /**
   * Set where all values fit if the authors of the schemas are taken at their word: that a
   * `pattern` says what is wanted, that a value fits one form only of a `oneOf`, that numbers are
   * exact.
   */
  readonly promised?: true;
  /** What is given, after the value's name: `may be text`. */
  readonly given: string;
  readonly known?: Known;
  /** What is wanted there: `takes an integer`. */
  readonly wanted: string;
  readonly help?: string;
  /** Set where null is given and not taken: that is told of null alone, whatever fits beside it. */
  readonly ofNull?: true;
  /** Set where the given schema says nothing of what is wanted. */
  readonly isUnsaid?: true;
  /** Set where nothing was looked at: the schemas are too large. */
  readonly unseen?: true;
  /** Keywords that make it fit, where the given schema states them. */
  readonly state?: JsonObject;
  /** Of an exclusive property, the other one. */
  readonly beside?: string;
  /** Of a missing property: what the union's other forms miss in its place. */
  readonly others?: readonly (readonly string[])[];
}

/** What belongs to comparing two schemas at one place. */
export interface Comparing {
  /** Compares two schemas of the same value. */
  readonly compare: (given: JsonSchema, wanted: JsonSchema) => readonly Mismatch[];
  readonly disjoint: (given: JsonSchema, wanted: JsonSchema) => boolean;
  /** The documents. */
  readonly given: Source;
  readonly wanted: Source;
}

/** What is given. */
export type Given = Pick<Mismatch, "given" | "known">;

/** What is wrong with the value itself. */
export type MismatchHere = Omit<Mismatch, "path" | "kind">;

/** Whether a value that doesn't fit is known, be there others that do. */
export function isCertain({ fits }: Mismatch): boolean {
  return fits !== "unsure";
}

/** What remains where the authors of both schemas are taken at their word. */
export function notPromised(found: readonly Mismatch[]): readonly Mismatch[] {
  return found.filter(({ promised }) => !promised);
}

/** What is wrong with some of the values, where others fit. */
export function ofSome(found: readonly Mismatch[]): readonly Mismatch[] {
  return found.map((each) =>
    each.kind === "value" && each.fits === "no" && !each.ofNull ? { ...each, fits: "some" } : each,
  );
}

/** One that certainly doesn't fit weighs more than any number of others. */
const weights = { no: 1_000_000, some: 1000, unsure: 1 };
const ofPromise = 0.001;

/** What keeps a value from the form that comes nearest: the one that was meant. */
export function nearest(found: readonly (readonly Mismatch[])[]): readonly Mismatch[] | undefined {
  const weight = (each: readonly Mismatch[]) =>
    each.reduce((sum, { fits, promised }) => sum + (promised ? ofPromise : weights[fits]), 0);
  const [first, ...others] = found.toSorted((a, b) => weight(a) - weight(b));
  return first && besideOthers(first, others);
}

/**
 * Where properties are missing, any of the forms may have been meant that miss properties too, and
 * have no other mismatch.
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

/** The documents that branches are from. */
interface Documents {
  readonly given: Source;
  readonly wanted: Source;
}

/**
 * The forms that may be meant, the likeliest first: those that ask for other values of a property
 * that is always there are left out, if there are others.
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

/** 0: nothing tells them apart. */
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
  // What has no values says nothing of others.
  if (one === undefined || one.size === 0 || other === undefined) return false;
  return [...one].every((each) => !other.has(each));
}

/** What is known of a property; undefined where that isn't said. */
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

/** Integers are numbers here. */
function typesOf(forms: readonly Branch[]): ValueSet {
  const types = forms.map(statedType);
  if (types.includes(undefined)) return undefined;
  return new Set(types.map((type) => (type === "integer" ? "number" : type)));
}
