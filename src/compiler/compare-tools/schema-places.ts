import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import { below } from "../../schema/pointer.js";
import {
  asSchema,
  schemaMapUnder,
  schemasUnder,
  targetOf,
  textsUnder,
} from "../../schema/schema-tree.js";

/** A value that a schema names, by JSON Pointer into the values. 0 stands for each item. */
export interface NamedPlace {
  readonly at: string;
  /** Statements of the schemas about the value; undefined if a schema doesn't name it. */
  readonly old: StatedPlace | undefined;
  readonly now: StatedPlace | undefined;
  /**
   * True if the old schema doesn't restrict the value in any way, not even through additional
   * properties.
   */
  readonly wasFree: boolean;
}

export interface StatedPlace {
  readonly isRequired: boolean;
  readonly default: JsonValue | undefined;
  /** Texts about the value for people and models. */
  readonly texts: JsonObject;
}

/** Maximum number of values. Others are still covered by the comparison of whole schemas. */
const maxPlaces = 10_000;

/**
 * Lists the values that two schemas name, side by side. This shows changes that comparing values
 * can't: a declared property of an open object, a new default, or a new description.
 */
export function namedPlaces(old: JsonSchema, now: JsonSchema): readonly NamedPlace[] {
  const found: NamedPlace[] = [];
  const seen = new Map<JsonSchema, Set<JsonSchema>>();
  const waiting: Pair[] = [
    { at: "", isRequired: [true, true], schemas: [old, now], wasFree: false },
  ];
  for (const { at, isRequired, schemas, wasFree } of waiting) {
    const [ours, theirs] = [partsOf(schemas[0], old), partsOf(schemas[1], now)];
    found.push({
      at,
      old: ours && statedOf(ours, isRequired[0]),
      now: theirs && statedOf(theirs, isRequired[1]),
      wasFree,
    });
    if (ours === undefined || theirs === undefined || found.length >= maxPlaces) continue;
    // A recursive schema leads back to a visited pair.
    const [one, other] = [beginOf(ours), beginOf(theirs)];
    const before = seen.get(one) ?? new Set();
    if (before.has(other)) continue;
    seen.set(one, before.add(other));
    waiting.push(...pairsBelow(at, ours, theirs));
  }
  return found;
}

interface Pair extends Pick<NamedPlace, "at" | "wasFree"> {
  readonly isRequired: readonly [old: boolean, now: boolean];
  /** Schemas of the value; undefined if the schema doesn't name it. */
  readonly schemas: readonly [old: JsonSchema | undefined, now: JsonSchema | undefined];
}

type Parts = readonly JsonObject[];

/** The target of a reference is the same for every reference. */
function beginOf(parts: Parts): JsonSchema {
  return parts.find((part) => Object.keys(part).some((keyword) => keyword !== "$ref")) ?? true;
}

/** Maximum number of schemas that apply to a value together, including references. */
const maxParts = 200;

/**
 * Collects a schema with all schemas that always apply to the same value; undefined without a
 * schema.
 */
function partsOf(schema: JsonSchema | undefined, root: JsonSchema): Parts | undefined {
  if (schema === undefined) return undefined;
  const parts = new Set<JsonObject>();
  const waiting: JsonSchema[] = [schema];
  for (const each of waiting) {
    if (!isJsonObject(each) || parts.has(each) || parts.size >= maxParts) continue;
    parts.add(each);
    const { $ref } = each;
    if (typeof $ref === "string") waiting.push(targetOf(root, $ref).schema);
    waiting.push(...schemasUnder(each, "allOf"));
  }
  return [...parts];
}

function pairsBelow(at: string, old: Parts, now: Parts): readonly Pair[] {
  const [ours, theirs] = [propertiesOf(old), propertiesOf(now)];
  const names = new Set([...ours.keys(), ...theirs.keys()]);
  const [required, wanted] = [requiredOf(old), requiredOf(now)];
  const isFree = old.every(saysNothingOfOthers);
  const properties = [...names].map((name) => ({
    wasFree: isFree && !ours.has(name),
    at: below(at, name),
    isRequired: [required.has(name), wanted.has(name)] as const,
    schemas: [ours.get(name), theirs.get(name)] as const,
  }));
  const items = [itemsOf(old), itemsOf(now)] as const;
  const areNamed = items[0] !== undefined && items[1] !== undefined;
  const each = {
    at: below(at, 0),
    isRequired: [true, true],
    schemas: items,
    wasFree: false,
  } as const;
  return areNamed ? [...properties, each] : properties;
}

const ofOthers = ["additionalProperties", "patternProperties", "unevaluatedProperties"];

function saysNothingOfOthers(part: JsonObject): boolean {
  return ofOthers.every((keyword) => part[keyword] === undefined || part[keyword] === true);
}

/** Returns the properties, without those that no value may have. */
function propertiesOf(parts: Parts): ReadonlyMap<string, JsonSchema> {
  const all = parts.flatMap((part) => schemaMapUnder(part, "properties")).toReversed();
  return new Map(all.filter(([, schema]) => schema !== false));
}

function requiredOf(parts: Parts): ReadonlySet<string> {
  return new Set(parts.flatMap((part) => textsUnder(part, "required")));
}

function itemsOf(parts: Parts): JsonSchema | undefined {
  const part = parts.find((each) => each["items"] !== undefined);
  return part && asSchema(part["items"]);
}

const textKeywords = ["title", "description", "examples", "deprecated", "readOnly", "writeOnly"];

function statedOf(parts: Parts, isRequired: boolean): StatedPlace {
  const first = (keyword: string) => parts.find((each) => Object.hasOwn(each, keyword))?.[keyword];
  const texts = textKeywords.flatMap((keyword) => {
    const value = first(keyword);
    return value === undefined ? [] : [[keyword, value] as const];
  });
  return { isRequired, default: first("default"), texts: Object.fromEntries(texts) };
}
