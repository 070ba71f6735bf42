import type { JsonObject, JsonSchema, JsonValue } from "../core/json.js";
import { shown } from "../core/names.js";
import { acceptor } from "./accepts-value.js";
import { type Branch, branchesOf, isSameType, listedIn, typeOf, typeOfValue } from "./branches.js";
import type { FaultHere, Misfit, SchemaIn } from "./misfit.js";
import type { JsonType } from "./look-up.js";
import { numberMisfit, rangeWords } from "./misfits-number.js";
import { objectMisfits } from "./misfits-object.js";
import { sizeMisfit } from "./misfits-size.js";
import { listedWords, textMisfit, textWords } from "./misfits-text.js";
import { asSchema, schemasUnder } from "./schema-tree.js";
import { someTypes } from "./type-words.js";

/** Enough to mend; a schema with more is mended in rounds. */
const mostMisfits = 50;

/** Recursion through `allOf` makes schemas anew at every level: it ends here. */
const deepest = 64;
const mostComparisons = 20_000;

/**
 * Why values of one schema may not be values of another; none when each of them is, as far as types, listed values, forms of text, bounds, sizes and
 * properties say. What conditions and negations of `wanted` refuse is not seen.
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
  if (forms.includes(true)) return [];
  const go: Go = (name, one, other) =>
    compare(one, other, search, [...open, [given, wanted]]).map((each) => ({
      ...each,
      path: [name, ...each.path],
    }));
  return branchesOf(given, search.given).flatMap((branch) => {
    const values = listedIn(branch);
    if (values !== undefined)
      return refusedValues(branch, values, { schema: wanted, root: search.wanted }, forms);
    const found = forms.map((form) => misfitsOf(branch, form, go));
    const near = found.flatMap((each) => (each === undefined ? [] : [each]));
    return nearest(near) ?? [otherType(whatOf(branch), forms)];
  });
}

/** The form that comes nearest is the one that was meant. */
function nearest(found: readonly (readonly Misfit[])[]): readonly Misfit[] | undefined {
  const weight = (each: readonly Misfit[]) =>
    each.filter(({ fit }) => fit === "no").length * mostMisfits + each.length;
  return found.toSorted((a, b) => weight(a) - weight(b))[0];
}

function otherType(given: string, wanted: readonly Branch[]): Misfit {
  const types = [...new Set(wanted.flatMap((each) => (each === true ? [] : (typeOf(each) ?? []))))];
  const takes = types.length === 0 ? "takes no value" : `takes ${someTypes(types)}`;
  return { path: [], kind: "value", fit: "no", given, wanted: takes };
}

function whatOf(given: Branch): string {
  const type = statedType(given);
  return type === undefined ? "may be anything" : `may be ${someTypes(type)}`;
}

/** What a schema only describes, were it an object, may be anything. */
function statedType(given: Branch): JsonType | undefined {
  return given !== true && given["type"] !== undefined ? typeOf(given) : undefined;
}

type Go = (name: string | number, given: JsonSchema, wanted: JsonSchema) => readonly Misfit[];

/** Undefined when their types differ. */
function misfitsOf(given: Branch, wanted: Branch, go: Go): readonly Misfit[] | undefined {
  if (wanted === true) return [];
  if (given === true || !isSameType(statedType(given), typeOf(wanted))) return undefined;
  const values = listedIn(wanted);
  if (values !== undefined && wanted["type"] !== "string")
    return areAll(values, given) ? [] : [notListed(given, values)];
  switch (typeOf(wanted)) {
    case "string":
      return here(textMisfit(given, wanted));
    case "integer":
    case "number":
      return here(numberMisfit(given, wanted));
    case "array":
      return [...here(sizeMisfit(given, wanted, "list")), ...itemMisfits(given, wanted, go)];
    case "object":
      return objectMisfits(given, wanted, go);
    default:
      return [];
  }
}

/** Whether a type has no other values than these. */
function areAll(values: readonly JsonValue[], { type }: JsonObject): boolean {
  return type === "boolean"
    ? [true, false].every((each) => values.includes(each))
    : type === "null";
}

function notListed(given: JsonObject, values: readonly JsonValue[]): Misfit {
  const wanted = `takes ${listedWords(values)}`;
  return { path: [], kind: "value", fit: "no", given: whatOf(given), wanted };
}

function here(fault: FaultHere | undefined): readonly Misfit[] {
  return fault === undefined ? [] : [{ ...fault, path: [], kind: "value" }];
}

/** Item by item where either names them one by one, then the rest. */
function itemMisfits(given: JsonObject, wanted: JsonObject, go: Go) {
  const [own, others] = [given, wanted].map((each) => schemasUnder(each, "prefixItems"));
  const named = Math.max(own?.length ?? 0, others?.length ?? 0);
  const rest: Pair = [asSchema(given["items"]), asSchema(wanted["items"])];
  const pairs: readonly Pair[] = Array.from({ length: named }, (_, index) => [
    own?.[index] ?? rest[0],
    others?.[index] ?? rest[1],
  ]);
  return [...pairs, rest].flatMap(([one, other], index) => go(index, one, other));
}

function refusedValues(
  branch: Branch,
  listed: readonly JsonValue[],
  wanted: SchemaIn,
  forms: readonly Branch[],
): readonly Misfit[] {
  const accepts = acceptor(wanted);
  const bad = listed.find((value) => !accepts(value));
  if (bad === undefined) return [];
  const text = shown(typeof bad === "string" ? bad : JSON.stringify(bad));
  const given = `${branch !== true && branch["const"] !== undefined ? "is" : "may be"} \`${text}\``;
  const form = forms.find((each) => each !== true && isSameType(typeOfValue(bad), typeOf(each)));
  if (form === undefined || form === true) return [otherType(given, forms)];
  const takes = typeof bad === "number" ? rangeWords(form) : (textWords(form) ?? "takes others");
  return here({ fit: "no", given, wanted: takes });
}
