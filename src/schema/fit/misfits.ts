import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";
import { type Branch, branchesOf, isSameType, listedIn, typeOf } from "./branches.js";
import { exactSchema } from "./exact-schema.js";
import { fewValues } from "./few-values.js";
import type { Comparing, FaultHere, Misfit, SchemaIn } from "./misfit.js";
import type { JsonType } from "../look-up.js";
import { conditionMisfits } from "./misfits-conditions.js";
import { itemMisfits } from "./misfits-items.js";
import { areAll, notListed, refusedValues } from "./misfits-listed.js";
import { numberMisfit } from "./misfits-number.js";
import { objectMisfits } from "./misfits-object.js";
import { sizeMisfit } from "./misfits-size.js";
import { textMisfit } from "./misfits-text.js";
import { nearest, otherType, statedType, whatOf } from "./misfits-union.js";
import { severalForms } from "./several-forms.js";

/** Enough to mend; a schema with more is mended in rounds. */
const mostMisfits = 50;

/** Recursion through `allOf` makes schemas anew at every level: it ends here. */
const deepest = 64;
const mostComparisons = 20_000;

/**
 * Why values of one schema may not be values of another; none when each of them is, but that of `oneOf` one form only fits is taken for granted unless two
 * certainly do.
 */
export function misfits(given: SchemaIn, wanted: SchemaIn): readonly Misfit[] {
  const search = { given: given.root, wanted: wanted.root, left: mostComparisons };
  return compare(given.schema, wanted.schema, search, []).slice(0, mostMisfits);
}

interface Search {
  /** The documents. */
  readonly given: JsonSchema;
  readonly wanted: JsonSchema;
  /** Comparisons that may still be made. */
  left: number;
}

type Pair = readonly [given: JsonSchema, wanted: JsonSchema];

function compare(
  given: JsonSchema,
  wanted: JsonSchema,
  search: Search,
  open: readonly Pair[],
): readonly Misfit[] {
  search.left -= 1;
  // What recursion comes back to is being compared already.
  const isOpen = open.some(([one, other]) => one === given && other === wanted);
  if (isOpen || open.length > deepest || search.left < 0) return [];
  const forms = branchesOf(wanted, search.wanted);
  if (forms.length > 0 && forms.every((form) => form === true)) return [];
  const here: Comparing = {
    compare: (one, other) => compare(one, other, search, [...open, [given, wanted]]),
    given: search.given,
    wanted: search.wanted,
  };
  const branches = branchesOf(given, search.given);
  const isOnly = branches.length === 1;
  return branches.flatMap((branch) => {
    const values = fewValues(branch, search.given);
    const found = (form: Branch) => nearestMisfits(form, forms, here);
    if (values !== undefined)
      return refusedValues(branch, values, { wanted, forms, here, found, isOnly });
    const misfits = found(branch);
    return misfits.length > 0 ? misfits : severalForms(branch, wanted, here);
  });
}

function nearestMisfits(
  given: Branch,
  forms: readonly Branch[],
  here: Comparing,
): readonly Misfit[] {
  const found = forms.flatMap((form) => {
    const misfits = misfitsOf(given, form, here);
    return misfits === undefined ? [] : [misfits];
  });
  return nearest(found) ?? [otherType(whatOf(given), forms)];
}

/** Undefined when their types differ. */
function misfitsOf(given: Branch, wanted: Branch, here: Comparing): readonly Misfit[] | undefined {
  if (wanted === true) return [];
  const type = given === true ? undefined : typeFor(given, wanted);
  if (given === true || !isSameType(statedType(given), type)) return undefined;
  const values = listedIn(wanted);
  if (values !== undefined && wanted["type"] !== "string")
    return listedMisfits(given, values, here);
  const found = ofType(type, given, wanted, here);
  return [...found, ...conditionMisfits(given, wanted, here)];
}

/** Objects and lists are compared part by part. */
function listedMisfits(given: JsonObject, values: readonly JsonValue[], here: Comparing) {
  if (areAll(values, given)) return [];
  const isScalar = values.every((each) => typeof each !== "object" || each === null);
  if (isScalar) return [notListed(whatOf(given), values)];
  return nearestMisfits(
    given,
    values.map((each) => exactSchema(each)),
    here,
  );
}

/** What names no type says something of each. */
function typeFor(given: JsonObject, wanted: JsonObject): JsonType | undefined {
  return (wanted["type"] === undefined ? statedType(given) : undefined) ?? typeOf(wanted);
}

function ofType(
  type: JsonType | undefined,
  given: JsonObject,
  wanted: JsonObject,
  here: Comparing,
): readonly Misfit[] {
  switch (type) {
    case "string":
      return atIt(textMisfit(given, wanted));
    case "integer":
    case "number":
      return atIt(numberMisfit(given, wanted));
    case "array":
      return [
        ...atIt(sizeMisfit(given, wanted, "list")),
        ...itemMisfits(given, wanted, inside(here)),
      ];
    case "object":
      return objectMisfits(given, wanted, inside(here));
    default:
      return [];
  }
}

function atIt(fault: FaultHere | undefined): readonly Misfit[] {
  return fault === undefined ? [] : [{ ...fault, path: [], kind: "value" }];
}

/** Compares what stands one step further in. */
function inside({ compare: go }: Comparing) {
  return (name: string | number, given: JsonSchema, wanted: JsonSchema): readonly Misfit[] =>
    go(given, wanted).map((each) => ({ ...each, path: [name, ...each.path] }));
}
