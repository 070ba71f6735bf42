import type { JsonSchema } from "../../core/json.js";
import { type Branch, typeOf } from "./branch.js";
import { formsOf } from "./branches.js";
import { fewValues } from "./few-values.js";
import { type Comparing, isCertain, type Misfit, ofSome, type SchemaIn } from "./misfit.js";
import { formMisfits } from "./misfits-form.js";
import { refusedValues } from "./misfits-listed.js";
import { type Budget, isSameSchema } from "./same-schema.js";
import { severalForms } from "./several-forms.js";

/** Enough to mend; a schema with more is mended in rounds. */
const mostMisfits = 50;

const deepest = 200;
const mostComparisons = 20_000;
/** Pairs of keywords and values that are looked at to see whether schemas are the same. */
const mostSame = 1_000_000;

export interface Found {
  /** When there are many, those that certainly don't fit first. */
  readonly misfits: readonly Misfit[];
  /** Whether there are more than are told. */
  readonly isCut: boolean;
}

/**
 * Why values of one schema may not be values of another; none when each of them is, but that of `oneOf` one form only fits is taken for granted unless two
 * certainly do. One is `unseen` where the schemas are too large.
 */
export function misfits(given: SchemaIn, wanted: SchemaIn): readonly Misfit[] {
  return findMisfits(given, wanted).misfits;
}

/** The same, with whether that is all. */
export function findMisfits(given: SchemaIn, wanted: SchemaIn): Found {
  const search: Search = {
    given: given.root,
    wanted: wanted.root,
    known: new Map(),
    same: { left: mostSame },
    left: mostComparisons,
    assumed: Infinity,
  };
  const all = compare(given.schema, wanted.schema, search, []);
  const first = all.find((each) => each.unseen);
  const found = all.filter((each) => !each.unseen || each === first);
  return { misfits: gravest(found, mostMisfits), isCut: found.length > mostMisfits };
}

interface Search {
  /** The documents. */
  readonly given: JsonSchema;
  readonly wanted: JsonSchema;
  /** What was found where nothing was taken for granted. */
  readonly known: Map<JsonSchema, Map<JsonSchema, readonly Misfit[]>>;
  readonly same: Budget;
  /** Comparisons that may still be made. */
  left: number;
  /** The outermost of the open pairs that was taken to fit; Infinity when none was. */
  assumed: number;
}

type Pair = readonly [given: JsonSchema, wanted: JsonSchema];

function compare(
  given: JsonSchema,
  wanted: JsonSchema,
  search: Search,
  open: readonly Pair[],
): readonly Misfit[] {
  const before = search.known.get(given)?.get(wanted);
  if (before !== undefined) return before;
  // What recursion comes back to is being compared already.
  const around = open.findIndex(([one, other]) => one === given && other === wanted);
  if (around >= 0) search.assumed = Math.min(search.assumed, around);
  if (around >= 0 || isSame(given, wanted, search)) return [];
  search.left -= 1;
  if (search.left < 0 || open.length > deepest) {
    search.assumed = -1;
    return [unseen];
  }
  const outside = search.assumed;
  search.assumed = Infinity;
  const found = gravest(
    compareForms(given, wanted, search, [...open, [given, wanted]]),
    mostMisfits + 1,
  );
  if (search.assumed < open.length) {
    search.assumed = Math.min(search.assumed, outside);
    return found;
  }
  search.assumed = outside;
  const ofGiven = search.known.get(given) ?? new Map<JsonSchema, readonly Misfit[]>();
  search.known.set(given, ofGiven.set(wanted, found));
  return found;
}

const unseen: Misfit = {
  path: [],
  kind: "value",
  fit: "unsure",
  given: "is too large to compare",
  wanted: "may not take all of it",
  unseen: true,
};

function isSame(given: JsonSchema, wanted: JsonSchema, search: Search): boolean {
  const [one, other] = [
    { schema: given, root: search.given },
    { schema: wanted, root: search.wanted },
  ];
  return isSameSchema(one, other, search.same);
}

function compareForms(
  given: JsonSchema,
  wanted: JsonSchema,
  search: Search,
  open: readonly Pair[],
): readonly Misfit[] {
  const forms = formsOf(wanted, search.wanted);
  if (forms?.every((form) => form === true) && forms.length > 0) return [];
  const branches = formsOf(given, search.given);
  if (forms === undefined || branches === undefined) return [unseen];
  const here: Comparing = {
    compare: (one, other) => compare(one, other, search, open),
    given: search.given,
    wanted: search.wanted,
  };
  const isOnly = branches.length === 1;
  return together(branches, (branch) => {
    const values = fewValues(branch, search.given);
    const found = (form: Branch) => formMisfits(form, forms, here);
    if (values !== undefined)
      return refusedValues(branch, values, { given, wanted, forms, here, found, isOnly });
    const misfits = found(branch);
    return misfits.length > 0 ? misfits : severalForms(branch, wanted, here);
  });
}

/** What is found of each form of a value. Where one of them may fit, others are told of some values only; null is no other. */
function together(
  branches: readonly Branch[],
  find: (branch: Branch) => readonly Misfit[],
): readonly Misfit[] {
  const found = branches.map((branch) => ({
    isNull: typeOf(branch) === "null",
    all: find(branch),
  }));
  const mayFit = found.some(({ all, isNull }) => !isNull && all.every(({ fit }) => fit !== "no"));
  return found.flatMap(({ all, isNull }) => {
    if (isNull) return all.map((each): Misfit => ({ ...each, ofNull: true }));
    return mayFit ? ofSome(all) : all;
  });
}

/** So many, and the certain ones before others. */
function gravest(found: readonly Misfit[], most: number): readonly Misfit[] {
  if (found.length <= most) return found;
  const weight = (each: Misfit) => {
    if (each.fit === "no") return 0;
    return isCertain(each) ? 1 : each.unseen ? 2 : 3;
  };
  return found.toSorted((a, b) => weight(a) - weight(b)).slice(0, most);
}
