/**
 * Finds the reason why a schema has no value, from the normal form: the place and the keyword to
 * name.
 */
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import { quote } from "../../core/names.js";
import { annotations, isExtension } from "../keywords.js";
import {
  asSchema,
  childrenOf,
  childrenUnder,
  schemasUnder,
  type Subschema,
  targetOf,
  textsUnder,
} from "../schema-tree.js";
import { noScalar } from "./disjoint.js";
import {
  branchesOf,
  isClosed,
  knownNames,
  listedIn,
  propertySchema,
  statedType,
  typeOfValue,
} from "./normal-form.js";
import { type Branch, inSteps, type Source, sourceOf } from "./source.js";
import { accepts, fewValues } from "./values.js";

/** Why no value fits a schema. */
export interface NoValue {
  /**
   * Pointer of the innermost schema that has no value: for a list whose items can't exist, the
   * schema of the items.
   */
  readonly pointer: string;
  /** The contradictory keyword; absent if the schema as a whole is contradictory. */
  readonly keyword?: string;
  /** The contradiction: `\`minLength\` is more than \`maxLength\``. */
  readonly problem: string;
  /**
   * Names of required properties from the root schema down to the empty one; `[]` stands for items.
   */
  readonly path: readonly string[];
  /** Pointer of the schema that requires the last name of the path. */
  readonly owner?: string;
  /** Pointers of schemas that apply to the same value and exclude each other. */
  readonly beside?: readonly string[];
}

/**
 * Maximum number of schemas to examine for one result, and their maximum depth. Values beyond count
 * as fitting.
 */
const maxSchemas = 10_000;
const deepest = 64;

/**
 * Finds the reason why no value fits the schema. Considers bounds, listed values and required
 * parts, with all of `$ref`, `allOf` and unions. Undefined if some value may fit. Ignores negations
 * and conditions, which only exclude more values, so a reason is certain.
 */
export function noValueOf(at: Subschema, root: JsonSchema): NoValue | undefined {
  return reasonOf(at, newSearch(root, maxSchemas));
}

/**
 * Remembers that a shared schema has a value, so that schemas that refer to it needn't check again.
 * The result is the same in every document. It is computed as for a part, because a part gets more
 * checks than a whole document.
 */
export function noteFitting(at: Subschema, root: JsonSchema): void {
  const { schema } = at;
  if (typeof schema !== "object" || fitting.has(schema)) return;
  const search = newSearch(root, maxSchemas);
  search.open.add({});
  if (reasonOf(at, search) === undefined) fitting.add(schema);
}

const fitting = new WeakSet<object>();

/** Checks if the schema is known to have a value, or only refers to such a schema. */
function isKnownToFit(schema: JsonSchema, root: JsonSchema): boolean {
  if (!isJsonObject(schema)) return false;
  if (fitting.has(schema)) return true;
  const reference = schema["$ref"];
  if (typeof reference !== "string" || Object.keys(schema).length !== 1) return false;
  const target = targetOf(root, reference).schema;
  return typeof target === "object" && fitting.has(target);
}

/**
 * Returns a check that finds why a schema of one document has no value, without looking into its
 * required parts.
 */
export function noValueHere(root: JsonSchema): (at: Subschema) => NoValue | undefined {
  const source = sourceOf(root);
  return (at) => reasonOf(at, { source, root, open: new Set(), left: 1 });
}

function newSearch(root: JsonSchema, left: number): Search {
  return { source: sourceOf(root), root, open: new Set(), left };
}

function reasonOf(at: Subschema, search: Search): NoValue | undefined {
  const found = inSteps(() => reasonIn({ schema: at.schema, places: [at] }, search), undefined);
  return found === undefined ? undefined : { path: [], ...found };
}

interface Search {
  readonly source: Source;
  readonly root: JsonSchema;
  /** Schemas on the current path. A recursion may end, so it counts as having a value. */
  readonly open: Set<JsonSchema>;
  left: number;
}

/** A schema, and the places in which the author wrote its parts. */
interface Sought {
  readonly schema: JsonSchema;
  readonly places: readonly Subschema[];
}

type Reason = Omit<NoValue, "path"> & { readonly path?: readonly string[] };

/** A keyword and its contradiction; a `Reason` if the contradiction lies in a part. */
type Contradiction = readonly [keyword: string, problem: string] | Reason | undefined;

function reasonIn(sought: Sought, search: Search): Reason | undefined {
  const { schema, places } = sought;
  search.left -= 1;
  if (schema === true || search.left < 0 || search.open.size > deepest || search.open.has(schema))
    return undefined;
  if (isKnownToFit(schema, search.root)) return undefined;
  search.open.add(schema);
  const inPlace = appliedHere(places, search.root, mayApply);
  const found =
    noneOf(schema, inPlace, search) ??
    noBranch(appliedHere(places, search.root, applies), search) ??
    noType(sought, search);
  search.open.delete(schema);
  if (found === undefined || !isPair(found)) return found;
  const [keyword, words] = found;
  const owner = inPlace.find(
    (each) => isJsonObject(each.schema) && each.schema[keyword] !== undefined,
  );
  const pointer = owner?.pointer ?? places[0]?.pointer ?? "";
  return { pointer, problem: words, ...(owner === undefined ? {} : { keyword }) };
}

function isPair(found: NonNullable<Contradiction>): found is readonly [string, string] {
  return Array.isArray(found);
}

function noneOf(schema: JsonSchema, places: readonly Subschema[], search: Search): Contradiction {
  if (schema === false) return ["false", "it is `false`"];
  const branches = branchesOf(schema, search.source);
  if (branches === undefined || branches.length === 0) return undefined;
  const listed = noneListed(schema, branches, search.source);
  if (listed !== undefined) return listed;
  const all = branches.map((branch) => noneOfBranch(branch, places, search));
  return all.includes(undefined) ? undefined : all[0];
}

/** Finds schemas of a required part that exclude each other, by their types or by `not`. */
function noType({ places, schema }: Sought, search: Search): Reason | undefined {
  const [first, ...others] = places;
  if (search.open.size < 2 || branchesOf(schema, search.source)?.length !== 0) return undefined;
  const beside = others.map(({ pointer }) => pointer);
  return { pointer: first?.pointer ?? "", problem: "no value can fit", beside };
}

/** Checks if the schema lists its values and accepts none of them. */
function noneListed(schema: JsonSchema, forms: readonly Branch[], source: Source): Contradiction {
  const listed = forms.map(listedIn);
  const values = listed.flatMap((each) => each ?? []);
  if (listed.includes(undefined) || values.length === 0) return undefined;
  if (isJsonObject(schema) && hasListedType(schema, values)) return undefined;
  if (values.some((value) => accepts(schema, value, source))) return undefined;
  const isConstant = isJsonObject(forms[0]) && forms[0]["const"] !== undefined;
  return isConstant
    ? ["const", "the value of `const` doesn't fit the keywords beside it"]
    : ["enum", "no value of `enum` fits the keywords beside it"];
}

/** Checks if the schema states only a type that one of the values has. */
function hasListedType(schema: JsonObject, values: readonly JsonValue[]): boolean {
  const { type } = schema;
  const types: readonly unknown[] = typeof type === "string" ? [type] : textsUnder(schema, "type");
  const isPlain = Object.keys(schema).every(
    (each) =>
      ["enum", "const", "type"].includes(each) || annotations.has(each) || isExtension(each),
  );
  const fits = (value: JsonValue) =>
    types.some(
      (each) => each === typeOfValue(value) || (each === "number" && typeof value === "number"),
    );
  return isPlain && (types.length === 0 || values.some(fits));
}

function noneOfBranch(form: Branch, places: readonly Subschema[], search: Search): Contradiction {
  if (form === true || listedIn(form) !== undefined) return undefined;
  switch (statedType(form)) {
    case "array":
      return noList(form, places, search);
    case "object":
      return noObject(form, places, search);
    default:
      return noScalar(form);
  }
}

function reversed(form: JsonObject, least: string, most: string): Contradiction {
  const [low, high] = [form[least], form[most]];
  return typeof low === "number" && typeof high === "number" && low > high
    ? [least, `\`${least}\` (${low}) is more than \`${most}\` (${high})`]
    : undefined;
}

function noList(form: JsonObject, places: readonly Subschema[], search: Search): Contradiction {
  const least = numberIn(form, "minItems", 0);
  const most = numberIn(form, "maxItems", Infinity);
  const sizes = reversed(form, "minItems", "maxItems") ?? reversedContains(form, most);
  if (sizes !== undefined) return sizes;
  const prefix = schemasUnder(form, "prefixItems");
  for (const [index, schema] of prefix.slice(0, least).entries()) {
    const found = noPart({
      schema,
      places: childrenAt(places, "prefixItems", String(index)),
    });
    if (found !== undefined) return found;
  }
  const rest = asSchema(form["items"]);
  if (least > prefix.length) {
    if (rest === false)
      return [
        "minItems",
        `\`minItems\` is ${least}, but the list can have at most ${count(prefix.length, "item")}`,
      ];
    const found = noPart({ schema: rest, places: childrenAt(places, "items") });
    if (found !== undefined) return found;
  }
  if (form["contains"] !== undefined && numberIn(form, "minContains", 1) > 0) {
    const schema = asSchema(form["contains"]);
    const found = noPart({ schema, places: childrenAt(places, "contains") });
    if (found !== undefined) return found;
    if (prefix.length === 0 && areApart(rest, schema, search))
      return ["contains", "no item fits both `items` and `contains`"];
  }
  return tooFewDifferent(form, rest, prefix.length, least, search);

  function noPart(sought: Sought): Reason | undefined {
    const found = reasonIn(sought, search);
    return found && { ...found, path: ["[]", ...(found.path ?? [])] };
  }
}

/** Checks if no value belongs to both schemas. */
function areApart(one: JsonSchema, other: JsonSchema, search: Search): boolean {
  if (one === true || other === true) return false;
  const both = { allOf: [one, other] };
  const branches = branchesOf(both, search.source);
  return branches?.length === 0 || reasonIn({ schema: both, places: [] }, search) !== undefined;
}

function reversedContains(form: JsonObject, maxItems: number): Contradiction {
  if (form["contains"] === undefined) return undefined;
  const least = numberIn(form, "minContains", 1);
  if (least > maxItems) {
    const keyword = form["minContains"] === undefined ? "contains" : "minContains";
    return [
      keyword,
      `\`${keyword}\` requires ${count(least, "item")}, but \`maxItems\` is ${maxItems}`,
    ];
  }
  return reversed({ minContains: least, ...form }, "minContains", "maxContains");
}

/** A list of unique items can't be longer than the number of possible items. */
function tooFewDifferent(
  form: JsonObject,
  items: JsonSchema,
  named: number,
  least: number,
  { source }: Search,
): Contradiction {
  if (form["uniqueItems"] !== true || named > 0 || least < 2) return undefined;
  const isFlag = isJsonObject(items) && items["type"] === "boolean";
  const values = fewValues(items, source) ?? (isFlag ? [true, false] : undefined);
  if (values === undefined) return undefined;
  const different = new Set(values.map((value) => JSON.stringify(value))).size;
  return different < least
    ? [
        "minItems",
        `\`minItems\` is ${least}, but at most ${count(different, "different item")} can exist`,
      ]
    : undefined;
}

function noObject(form: JsonObject, places: readonly Subschema[], search: Search): Contradiction {
  const sizes = reversed(form, "minProperties", "maxProperties");
  if (sizes !== undefined) return sizes;
  const required = alwaysThere(form);
  const most = numberIn(form, "maxProperties", Infinity);
  if (required.length > most)
    return [
      "maxProperties",
      `\`maxProperties\` is ${most}, but ${count(required.length, "property", "properties")} must be present`,
    ];
  const names = asSchema(form["propertyNames"]);
  for (const name of required) {
    const schema = propertySchema(form, name, search.source);
    const owner = places.find(
      (each) => isJsonObject(each.schema) && textsUnder(each.schema, "required").includes(name),
    );
    if (names !== true && !accepts(names, name, search.source))
      return [
        "propertyNames",
        `${quote(name)} is required, but \`propertyNames\` forbids the name`,
      ];
    const found = reasonIn({ schema, places: propertyPlaces(places, name) }, search);
    if (found === undefined) continue;
    const isInnermost = (found.path ?? []).every((each) => each === "[]");
    return {
      ...found,
      path: [name, ...(found.path ?? [])],
      ...(isInnermost && owner !== undefined ? { owner: owner.pointer } : {}),
    };
  }
  const least = numberIn(form, "minProperties", 0);
  const possible = isClosed(form) ? knownNames(form).length : Infinity;
  return least > possible
    ? [
        "minProperties",
        `\`minProperties\` is ${least}, but the object can have at most ${count(possible, "property", "properties")}`,
      ]
    : undefined;
}

/** The names that are required, and those that they require. */
function alwaysThere(form: JsonObject): readonly string[] {
  const names = new Set(textsUnder(form, "required"));
  const dependent = form["dependentRequired"];
  for (const name of names) {
    const more = isJsonObject(dependent) && Object.hasOwn(dependent, name) ? dependent[name] : [];
    for (const each of Array.isArray(more) ? more : []) names.add(String(each));
  }
  return [...names];
}

/**
 * Finds a union of which no branch has a value. Types say more about each branch than about all
 * together.
 */
function noBranch(places: readonly Subschema[], search: Search): Reason | undefined {
  for (const keyword of ["anyOf", "oneOf"]) {
    for (const place of places) {
      const branches = childrenAt([place], keyword);
      const found = branches.map((each) =>
        reasonIn({ schema: each.schema, places: [each] }, search),
      );
      if (branches.length > 0 && !found.includes(undefined)) return found[0];
    }
  }
  return undefined;
}

/**
 * Keywords that apply to the same value always, and those that may. Negations and conditions are
 * left out.
 */
const applies: ReadonlySet<string> = new Set(["$ref", "allOf"]);
const mayApply: ReadonlySet<string> = new Set([...applies, "anyOf", "oneOf"]);

function appliedHere(
  places: readonly Subschema[],
  root: JsonSchema,
  keywords: ReadonlySet<string>,
): readonly Subschema[] {
  const found = new Map(places.map((each) => [each.pointer, each]));
  for (const each of found.values()) {
    for (const child of childrenOf(each, root)) {
      if (keywords.has(child.keyword) && !found.has(child.pointer)) found.set(child.pointer, child);
    }
  }
  return [...found.values()];
}

function childrenAt(
  places: readonly Subschema[],
  keyword: string,
  key?: string,
): readonly Subschema[] {
  return places.flatMap((each) => childrenUnder(each, keyword, key));
}

function propertyPlaces(places: readonly Subschema[], name: string): readonly Subschema[] {
  const own = childrenAt(places, "properties", name);
  return own.length > 0 ? own : childrenAt(places, "additionalProperties");
}

function numberIn(form: JsonObject, keyword: string, otherwise: number): number {
  const value = form[keyword];
  return typeof value === "number" ? value : otherwise;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
