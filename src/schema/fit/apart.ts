import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";
import { type Branch, listedIn } from "./branch.js";
import { branchesOf } from "./branches.js";
import type { Comparing } from "./misfit.js";
import { statedType } from "./misfits-union.js";
import { schemaMapUnder, textsUnder } from "../schema-tree.js";

/** The documents that forms are from. */
type Documents = Pick<Comparing, "given" | "wanted">;

/** Whether objects of one form are none of the other's, by what is always there: a property of other values, or of another type. */
export function areApart(given: Branch, wanted: Branch, documents: Documents): boolean {
  return distance(given, wanted, documents) > 0;
}

/** The forms that may be meant, the likeliest first: those that ask for other values of a property that is always there are left out, if there are others. */
export function nearForms(
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
    if (areDisjoint(one.values, other.values)) return otherValues;
    return areDisjoint(one.types, other.types) ? otherTypes : 0;
  });
  return Math.max(0, ...distances);
}

type Known = ReadonlySet<JsonValue | undefined> | undefined;

function areDisjoint(one: Known, other: Known): boolean {
  // What has no values says nothing of others.
  if (one === undefined || one.size === 0 || other === undefined) return false;
  return [...one].every((each) => !other.has(each));
}

/** What is known of a property; undefined where that isn't said. */
interface Facts {
  readonly values: Known;
  readonly types: Known;
}

const known = new WeakMap<JsonObject, ReadonlyMap<string, Facts>>();

function factsOf(form: JsonObject, root: JsonSchema): ReadonlyMap<string, Facts> {
  const before = known.get(form);
  if (before !== undefined) return before;
  const facts = new Map(
    schemaMapUnder(form, "properties").map(([name, schema]) => {
      const forms = branchesOf(schema, root);
      return [name, { values: scalarsOf(forms), types: typesOf(forms) }] as const;
    }),
  );
  known.set(form, facts);
  return facts;
}

function scalarsOf(forms: readonly Branch[]): Known {
  const listed = forms.map(listedIn);
  const all = listed.flatMap((each) => each ?? []);
  const isKnown = !listed.includes(undefined) && all.every((each) => !isPart(each));
  return isKnown ? new Set(all) : undefined;
}

function isPart(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** Integers are numbers here. */
function typesOf(forms: readonly Branch[]): Known {
  const types = forms.map(statedType);
  if (types.includes(undefined)) return undefined;
  return new Set(types.map((type) => (type === "integer" ? "number" : type)));
}
