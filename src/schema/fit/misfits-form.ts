import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";
import { acceptor } from "./accepts-value.js";
import { nearForms } from "./apart.js";
import { type Branch, isSameType, listedIn } from "./branch.js";
import { exactSchema } from "./exact-schema.js";
import type { JsonType } from "../look-up.js";
import { type Comparing, type FaultHere, type Misfit, ofSome } from "./misfit.js";
import { conditionMisfits } from "./misfits-conditions.js";
import { itemMisfits } from "./misfits-items.js";
import { areAll, notListed } from "./misfits-listed.js";
import { numberMisfit } from "./misfits-number.js";
import { areScalarsApart } from "./no-scalar.js";
import { objectMisfits } from "./misfits-object.js";
import { sizeMisfit } from "./misfits-size.js";
import { textMisfit } from "./misfits-text.js";
import { nearest, otherType, statedType, whatOf } from "./misfits-union.js";

/** What keeps values of one form from the nearest of the forms that are wanted; nothing when they fit one of them. */
export function formMisfits(
  given: Branch,
  forms: readonly Branch[],
  here: Comparing,
): readonly Misfit[] {
  const found: (readonly Misfit[])[] = [];
  for (const form of nearForms(given, forms, here)) {
    const misfits = misfitsOf(given, form, here);
    if (misfits?.length === 0) return [];
    if (misfits !== undefined) found.push(misfits);
  }
  const other = otherType(whatOf(given), forms, fitOfOther(given, forms));
  return nearest(found) ?? [statedType(given) === undefined ? { ...other, isUnsaid: true } : other];
}

/** Of what has another type than all forms: a number may be whole, and what states no type may have any. */
function fitOfOther(given: Branch, forms: readonly Branch[]): Misfit["fit"] {
  const type = statedType(given);
  if (given === true || type === undefined) return forms.length === 0 ? "no" : "unsure";
  const isWhole = (form: Branch) =>
    form !== true && statedType(form) === "integer" && !areScalarsApart(given, form);
  return type === "number" && forms.some(isWhole) ? "some" : "no";
}

const types: readonly JsonType[] = ["null", "boolean", "number", "string", "array", "object"];

/** Undefined when their types differ. What names no type says something of each. */
function misfitsOf(given: Branch, wanted: Branch, here: Comparing): readonly Misfit[] | undefined {
  if (wanted === true) return [];
  const type = statedType(given);
  if (given !== true && type !== undefined)
    return isSameType(type, statedType(wanted)) ? ofSameType(type, given, wanted, here) : undefined;
  if (statedType(wanted) !== undefined || listedIn(wanted) !== undefined) return undefined;
  const own = given === true ? {} : given;
  const ofEach = types.map((each) => ofSameType(each, { ...own, type: each }, wanted, here));
  const mayFit = ofEach.some((each) => each.every(({ fit }) => fit !== "no"));
  const found = mayFit ? ofSome(ofEach.flat()) : ofEach.flat();
  const isSure = own["not"] === undefined && own["if"] === undefined;
  // What it denies may be all that doesn't fit.
  return isSure ? found : found.map((each) => ({ ...each, fit: "unsure" }));
}

function ofSameType(
  type: JsonType,
  own: JsonObject,
  wanted: JsonObject,
  here: Comparing,
): readonly Misfit[] {
  const values = listedIn(wanted);
  if (values !== undefined && wanted["type"] !== "string") return listedMisfits(own, values, here);
  return [...ofType(type, own, wanted, here), ...conditionMisfits(own, wanted, here)];
}

/** Objects and lists are compared part by part. */
function listedMisfits(given: JsonObject, values: readonly JsonValue[], here: Comparing) {
  if (areAll(values, given)) return [];
  const isScalar = values.every((each) => typeof each !== "object" || each === null);
  if (isScalar) {
    const isGiven = acceptor({ schema: given, root: here.given });
    return [notListed(whatOf(given), values, values.some(isGiven) ? "some" : "no")];
  }
  return formMisfits(
    given,
    values.map((each) => exactSchema(each)),
    here,
  );
}

function ofType(
  type: JsonType,
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
function inside({ compare }: Comparing) {
  return (name: string | number, given: JsonSchema, wanted: JsonSchema): readonly Misfit[] =>
    compare(given, wanted).map((each) => ({ ...each, path: [name, ...each.path] }));
}
