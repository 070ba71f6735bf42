/**
 * Decides if every value of one schema is a value of another, and if not, why. `returns`, messages
 * and parameters are all compared with their sources or targets here.
 *
 * Both schemas are brought into a normal form (`normal-form.ts`). Each branch of the given schema
 * is then compared with the branches of the wanted one: numbers and texts (`compare-scalars.ts`),
 * properties and items (`compare-parts.ts`), and conditions on the whole value (`conditions.ts`).
 * Listed values are checked one by one (`values.ts`). From the same normal form, `disjoint.ts`
 * decides if two schemas have no common value, and `no-value.ts` if one schema has no value at all.
 * `mismatch.ts` defines the results; `source.ts` caches facts about a document and counts the
 * steps.
 *
 * Nothing here reads a clock or runs code generated from a schema, and each comparison starts with
 * empty caches. So the same schemas always give the same result, in a bounded number of steps.
 */
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import type { JsonType } from "../keywords.js";
import { schemasUnder, targetOf } from "../schema-tree.js";
import { compareItems, compareObjects } from "./compare-parts.js";
import {
  listedWords,
  numberMismatch,
  otherType,
  refused,
  refusedScalar,
  sizeMismatch,
  textMismatch,
  whatOf,
} from "./compare-scalars.js";
import { compareConditions, compareExcluded } from "./conditions.js";
import { areScalarsApart, type Disjoint, disjointness } from "./disjoint.js";
import {
  type Comparing,
  type Given,
  isCertain,
  type Mismatch,
  type MismatchHere,
  nearBranches,
  nearest,
  notPromised,
  ofSome,
} from "./mismatch.js";
import {
  branchesOf,
  isSameType,
  listedIn,
  statedType,
  typeOf,
  withFormatKeywords,
} from "./normal-form.js";
import { type Budget, isSameSchema } from "./same-schema.js";
import {
  type Branch,
  inSteps,
  type SchemaIn,
  type Source,
  sourceOf,
  spend,
  type Steps,
} from "./source.js";
import { accepts, exactSchema, fewValues, refusalOf } from "./values.js";

/** Maximum number of mismatches in a result. Authors fix a schema with more in several rounds. */
const maxMismatches = 50;

/** Maximum depth of nested values. */
const deepest = 200;
const stepsOfComparison = 50;
/** Maximum number of keywords and values to compare for equality of schemas. */
const maxSame = 1_000_000;

export interface Comparison {
  /** Mismatches. If the list is cut, the certain ones come first. */
  readonly mismatches: readonly Mismatch[];
  /** True if there are more mismatches than the list contains. */
  readonly isCut: boolean;
}

/**
 * Reasons why values of one schema may not be values of another; empty if every value fits. A
 * `promised` mismatch relies on an author's word, and is reported only if there is no other. The
 * list is one `unseen` mismatch if the schemas are too large.
 */
export function compare(given: SchemaIn, wanted: SchemaIn): readonly Mismatch[] {
  return compareInFull(given, wanted).mismatches;
}

/** Compares like `compare`, and tells if the list is complete. */
export function compareInFull(given: SchemaIn, wanted: SchemaIn): Comparison {
  const search = searchFor(given.root, wanted.root);
  const all = compareSchemas(given.schema, wanted.schema, search, []);
  const first = all.find((each) => each.unseen);
  const found = all.filter((each) => !each.unseen || each === first);
  const certain = notPromised(found);
  const kept = certain.length > 0 ? certain : found;
  return { mismatches: gravest(kept, maxMismatches), isCut: kept.length > maxMismatches };
}

/** Checks if no value belongs to both schemas; false if that isn't certain. */
export function areDisjoint(given: SchemaIn, wanted: SchemaIn): boolean {
  const { disjoint } = disjointIn(given.root, wanted.root);
  return inSteps(() => disjoint(given.schema, wanted.schema), false);
}

/**
 * Returns a check if two schemas of the two documents have no common value. The check throws if it
 * runs out of steps.
 */
export function disjointIn(
  given: JsonSchema,
  wanted: JsonSchema,
  steps?: Steps,
): Pick<Search, "given" | "wanted" | "disjoint"> {
  return searchFor(given, wanted, steps);
}

interface Search {
  readonly given: Source;
  readonly wanted: Source;
  readonly disjoint: Disjoint;
  /** Results that don't depend on an assumption about an enclosing comparison. */
  readonly known: Map<JsonSchema, Map<JsonSchema, readonly Mismatch[]>>;
  readonly same: Budget;
  /** Index of the outermost open pair that was assumed to fit; Infinity if there was none. */
  assumed: number;
}

function searchFor(given: JsonSchema, wanted: JsonSchema, steps?: Steps): Search {
  const own = sourceOf(given, steps);
  return searchBetween(own, sourceOf(wanted, own.steps), { left: maxSame });
}

/** Maximum depth of nested negations. */
const deepestNegation = 4;

function searchBetween(given: Source, wanted: Source, same: Budget, depth = 0): Search {
  let reversed: Search | undefined;
  const isWithin = (one: JsonSchema, other: JsonSchema, search: Search) => {
    const { assumed } = search;
    const found = compareSchemas(one, other, search, []);
    search.assumed = assumed;
    return found.length === 0;
  };
  const search: Search = {
    given,
    wanted,
    same,
    known: new Map(),
    assumed: Infinity,
    disjoint: disjointness(given, wanted, {
      givenInWanted: (one, other) => depth < deepestNegation && isWithin(one, other, search),
      wantedInGiven: (one, other) => {
        if (depth >= deepestNegation) return false;
        reversed ??= searchBetween(wanted, given, same, depth + 1);
        return isWithin(one, other, reversed);
      },
    }),
  };
  return search;
}

type Pair = readonly [given: JsonSchema, wanted: JsonSchema];

function compareSchemas(
  given: JsonSchema,
  wanted: JsonSchema,
  search: Search,
  open: readonly Pair[],
): readonly Mismatch[] {
  const before = search.known.get(given)?.get(wanted);
  if (before !== undefined) return before;
  // A recursive schema leads back to a comparison that is still open.
  const around = open.findIndex(([one, other]) => one === given && other === wanted);
  if (around >= 0) search.assumed = Math.min(search.assumed, around);
  if (around >= 0 || isSame(given, wanted, search)) return [];
  if (open.length > deepest) return unseenIn(search);
  const outside = search.assumed;
  search.assumed = Infinity;
  const found = inSteps(() => {
    spend(search.given, stepsOfComparison);
    const all = compareByBranches(given, wanted, search, [...open, [given, wanted]]);
    return gravest(all, maxMismatches + 1);
  }, undefined);
  if (found === undefined) return unseenIn(search);
  if (search.assumed < open.length) {
    search.assumed = Math.min(search.assumed, outside);
    return found;
  }
  search.assumed = outside;
  const ofGiven = search.known.get(given) ?? new Map<JsonSchema, readonly Mismatch[]>();
  search.known.set(given, ofGiven.set(wanted, found));
  return found;
}

/** Makes all open results depend on an assumption, so that none is cached. */
function unseenIn(search: Search): readonly Mismatch[] {
  search.assumed = -1;
  return [unseen];
}

const unseen: Mismatch = {
  path: [],
  kind: "value",
  fits: "unsure",
  given: "is too large to compare",
  wanted: "might not accept all of it",
  unseen: true,
};

function isSame(given: JsonSchema, wanted: JsonSchema, search: Search): boolean {
  const one = { schema: given, root: search.given.root };
  return isSameSchema(one, { schema: wanted, root: search.wanted.root }, search.same);
}

function compareByBranches(
  given: JsonSchema,
  wanted: JsonSchema,
  search: Search,
  open: readonly Pair[],
): readonly Mismatch[] {
  const forms = branchesOf(wanted, search.wanted);
  if (forms?.every((form) => form === true) && forms.length > 0) return [];
  const branches = branchesOf(given, search.given);
  if (forms === undefined || branches === undefined) return unseenIn(search);
  const at: Comparing = {
    compare: (one, other) => compareSchemas(one, other, search, open),
    disjoint: search.disjoint,
    given: search.given,
    wanted: search.wanted,
  };
  const task: Task = { given, wanted, forms, at, isOnly: branches.length === 1 };
  return together(branches, (branch) => {
    const values = fewValues(branch, search.given);
    if (values !== undefined) return compareValues(branch, values, task);
    const whole = wholeType(branch);
    return whole === undefined ? compareBranch(branch, task) : compareType(branch, whole, task);
  });
}

/** A branch of the given schema, and the schema to compare it with. */
interface Task {
  readonly given: JsonSchema;
  readonly wanted: JsonSchema;
  /** The branches of `wanted`. */
  readonly forms: readonly Branch[];
  readonly at: Comparing;
  /** True if the given schema has no other branch. */
  readonly isOnly: boolean;
}

/**
 * Combines the mismatches of all branches of a value. If one branch may fit, the mismatches of the
 * others concern only some values. Null doesn't count as another branch.
 */
function together(
  branches: readonly Branch[],
  find: (branch: Branch) => readonly Mismatch[],
): readonly Mismatch[] {
  const found = branches.map((branch) => ({
    isNull: typeOf(branch) === "null",
    all: find(branch),
  }));
  const mayFit = found.some(({ all, isNull }) => !isNull && all.every(({ fits }) => fits !== "no"));
  return found.flatMap(({ all, isNull }) => {
    if (isNull) return all.map((each): Mismatch => ({ ...each, ofNull: true }));
    return mayFit ? ofSome(all) : all;
  });
}

/** Selects the most serious mismatches: certain ones before others. */
function gravest(found: readonly Mismatch[], most: number): readonly Mismatch[] {
  if (found.length <= most) return found;
  const weight = (each: Mismatch) => {
    if (each.promised) return 4;
    if (each.fits === "no") return 0;
    return isCertain(each) ? 1 : each.unseen ? 2 : 3;
  };
  return found.toSorted((a, b) => weight(a) - weight(b)).slice(0, most);
}

function compareBranch(branch: Branch, { at, forms, wanted }: Task): readonly Mismatch[] {
  const found = compareWithForms(branch, forms, at);
  if (notPromised(found).length > 0) return found;
  const several = compareWithOneOf(branch, wanted, at);
  return several.length > 0 ? several : found;
}

/** All values of `null` or `boolean`; undefined for other types. */
function wholeType(branch: Branch): readonly JsonValue[] | undefined {
  const type = statedType(branch);
  if (type === "null") return [null];
  return type === "boolean" ? [true, false] : undefined;
}

/**
 * Compares a branch that has only a few values. The values decide if it fits, and the messages
 * describe its type.
 */
function compareType(
  branch: Branch,
  values: readonly JsonValue[],
  task: Task,
): readonly Mismatch[] {
  const { at, given, wanted } = task;
  const own = values.filter((value) => accepts(given, value, at.given));
  const bad = own.flatMap((value) => refusalOf(wanted, value, at.wanted) ?? []);
  const [first] = bad;
  if (first === undefined) return [];
  const found = notPromised(compareBranch(branch, task));
  if (found.length > 0) return found;
  return bad.length === own.length ? [refused(first)] : ofSome([refused(first)]);
}

/** Reports the first of the values that the wanted schema rejects. */
function compareValues(
  branch: Branch,
  values: readonly JsonValue[],
  { at, forms, given, isOnly, wanted }: Task,
): readonly Mismatch[] {
  const isWanted = (value: JsonValue) => accepts(wanted, value, at.wanted);
  if (values.every(isWanted)) return [];
  const own = values.filter((value) => accepts(given, value, at.given));
  const unwanted = own.filter((value) => !isWanted(value));
  const [bad] = unwanted;
  const reason = bad === undefined ? undefined : refusalOf(wanted, bad, at.wanted);
  if (bad === undefined || reason === undefined) return [];
  const kept = (found: readonly Mismatch[]) =>
    unwanted.length === own.length ? found : ofSome(found);
  const isSo = isOnly && branch !== true && branch["const"] !== undefined;
  if (typeof bad !== "object" || bad === null)
    return kept([refusedScalar(bad, isSo ? "is" : "may be", { forms, isWanted, reason })]);
  const leaf = (value: JsonValue) => (isSo ? { const: value } : { enum: [value] });
  const part = listedIn(branch) === undefined ? branch : exactSchema(bad, leaf);
  const certain = compareWithForms(part, forms, at).filter(isCertain);
  return kept(certain.length > 0 ? certain : [refused(reason)]);
}

/**
 * Checks values that fit the schema in all other ways. A `oneOf` rejects a value that fits several
 * of its forms.
 */
function compareWithOneOf(given: Branch, wanted: JsonSchema, at: Comparing): readonly Mismatch[] {
  const isSeveral = oneOfsIn(wanted, at.wanted).some((forms) => fitsTwo(given, forms, at));
  return isSeveral ? [refused({ fitsSeveral: true, keyword: "oneOf" })] : [];
}

function fitsTwo(given: Branch, forms: readonly JsonSchema[], at: Comparing): boolean {
  let fitting = 0;
  for (const form of forms) {
    if (!at.disjoint(given, form) && at.compare(given, form).length === 0) fitting += 1;
    if (fitting > 1) return true;
  }
  return false;
}

/** Maximum length of a chain of references. */
const deepestReference = 32;

/** Finds each `oneOf` that always applies to the value. */
function oneOfsIn(
  schema: JsonSchema,
  source: Source,
  depth = 0,
): readonly (readonly JsonSchema[])[] {
  if (!isJsonObject(schema) || depth > deepestReference) return [];
  const { $ref } = schema;
  const own = schemasUnder(schema, "oneOf");
  const referenced = typeof $ref === "string" ? [targetOf(source.root, $ref).schema] : [];
  const others = [...referenced, ...schemasUnder(schema, "allOf")];
  const found = others.flatMap((each) => oneOfsIn(each, source, depth + 1));
  return own.length > 1 ? [own, ...found] : found;
}

/** Mismatches between a branch and the nearest wanted form; empty if the branch fits a form. */
function compareWithForms(
  given: Branch,
  forms: readonly Branch[],
  at: Comparing,
): readonly Mismatch[] {
  const found: (readonly Mismatch[])[] = [];
  for (const form of nearBranches(given, forms, at)) {
    const mismatches = compareWithForm(given, form, at);
    if (mismatches?.length === 0) return [];
    if (mismatches !== undefined) found.push(mismatches);
  }
  const other = otherType(whatOf(given), forms, fitsOtherType(given, forms));
  return nearest(found) ?? [statedType(given) === undefined ? { ...other, isUnsaid: true } : other];
}

/**
 * Decides how a branch fits if no form has its type. A number may be whole, and a branch without a
 * type may have any.
 */
function fitsOtherType(given: Branch, forms: readonly Branch[]): Mismatch["fits"] {
  const type = statedType(given);
  if (given === true || type === undefined) return forms.length === 0 ? "no" : "unsure";
  const takesIntegers = (form: Branch) =>
    form !== true && statedType(form) === "integer" && !areScalarsApart(given, form);
  return type === "number" && forms.some(takesIntegers) ? "some" : "no";
}

const types: readonly JsonType[] = ["null", "boolean", "number", "string", "array", "object"];

/**
 * Compares a branch with one form; undefined if their types differ. A branch without a type is
 * compared with each form.
 */
function compareWithForm(
  given: Branch,
  wanted: Branch,
  at: Comparing,
): readonly Mismatch[] | undefined {
  if (wanted === true) return [];
  const type = statedType(given);
  if (given !== true && type !== undefined) return compareOfType(type, given, wanted, at);
  if (statedType(wanted) !== undefined || listedIn(wanted) !== undefined) return undefined;
  const own = given === true ? {} : given;
  const ofEach = types.map(
    (each) => compareOfType(each, { ...own, type: each }, wanted, at) ?? [wholeNumber],
  );
  const mayFit = ofEach.some((each) => each.every(({ fits }) => fits !== "no"));
  const found = mayFit ? ofSome(ofEach.flat()) : ofEach.flat();
  const isSure = own["not"] === undefined && own["if"] === undefined;
  // A condition may exclude every value that doesn't fit.
  return isSure ? found : found.map((each) => ({ ...each, fits: "unsure" }));
}

/** Mismatch of a number with a format that only integers have. */
const wholeNumber: Mismatch = {
  path: [],
  kind: "value",
  fits: "some",
  given: "may be a number",
  wanted: "takes an integer",
};

function compareOfType(
  type: JsonType,
  given: JsonObject,
  wanted: JsonObject,
  at: Comparing,
): readonly Mismatch[] | undefined {
  const form = statedType(wanted) === undefined ? withFormatKeywords({ ...wanted, type }) : wanted;
  if (!isSameType(type, statedType(form))) return undefined;
  const values = listedIn(wanted);
  if (values === undefined || type === "string")
    return [...compareByType(type, given, wanted, at), ...compareConditions(given, wanted, at)];
  const own = values.filter((value) => accepts(wanted, value, at.wanted));
  return [...compareWithListed(given, own, at), ...compareExcluded(given, wanted, at)];
}

/** Compares objects and lists part by part with listed values. */
function compareWithListed(given: JsonObject, values: readonly JsonValue[], at: Comparing) {
  const isScalar = values.every((each) => typeof each !== "object" || each === null);
  if (isScalar) {
    const isGiven = (value: JsonValue) => accepts(given, value, at.given);
    return [notListed(whatOf(given), values, values.some(isGiven) ? "some" : "no")];
  }
  return compareWithForms(
    given,
    values.map((each) => exactSchema(each)),
    at,
  );
}

function notListed(given: Given, values: readonly JsonValue[], fits: Mismatch["fits"]): Mismatch {
  return { path: [], kind: "value", fits, ...given, wanted: `takes ${listedWords(values)}` };
}

function compareByType(
  type: JsonType,
  given: JsonObject,
  wanted: JsonObject,
  at: Comparing,
): readonly Mismatch[] {
  const parts = { given: at.given, wanted: at.wanted, go: inside(at) };
  switch (type) {
    case "string":
      return atIt(textMismatch(given, wanted));
    case "integer":
    case "number":
      return atIt(numberMismatch(given, wanted));
    case "array":
      return [...atIt(sizeMismatch(given, wanted, "list")), ...compareItems(given, wanted, parts)];
    case "object":
      return compareObjects(given, wanted, parts);
    default:
      return [];
  }
}

function atIt(found: MismatchHere | undefined): readonly Mismatch[] {
  return found === undefined ? [] : [{ ...found, path: [], kind: "value" }];
}

/** Compares parts one step further down, and adds the step to the paths. */
function inside({ compare }: Comparing) {
  return (step: string | number, given: JsonSchema, wanted: JsonSchema): readonly Mismatch[] =>
    compare(given, wanted).map((each) => ({ ...each, path: [step, ...each.path] }));
}
