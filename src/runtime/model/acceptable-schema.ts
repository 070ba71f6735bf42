/**
 * Changes the parts of a schema that a model's API rejects. The result accepts every value that the
 * schema accepts, under the offered names. It may accept more, because the tool checks its
 * parameters anyway.
 */
import type { JsonValue } from "../json/json.js";
import { pointerStep } from "../json/pointer.js";
import { quotedName } from "../validation/problem-message.js";
import type { OfferedNames } from "./offered-names.js";
import { plainText } from "./plain-text.js";
import { RenamedProperties } from "./renamed-properties.js";
import { partAt, pointerIn } from "./schema-places.js";
import {
  isJsonMap,
  type JsonMap,
  mapKeywords,
  mapReferences,
  referencesIn,
} from "./schema-references.js";

/** Returns the schema with the offered names, and with keywords that APIs accept. */
export function acceptableSchema(schema: JsonMap, names: OfferedNames): JsonMap {
  const conversion = new Conversion(schema, names);
  const converted = conversion.converted(schema);
  if (!conversion.isLooser) return converted;
  // The target of any reference may now accept more, so convert again with this assumption.
  const hasReferences = referencesIn(schema).length > 0;
  return hasReferences
    ? withTargets(new Conversion(schema, names, true).converted(schema))
    : converted;
}

/** Replaces references to removed parts by schemas that accept everything. */
export function withTargets(schema: JsonMap): JsonMap {
  const isBroken = referencesIn(schema).some((each) => partAt(schema, each) === undefined);
  if (!isBroken) return schema;
  const $defs = isJsonMap(schema["$defs"]) ? schema["$defs"] : {};
  let free = "anything";
  while (Object.hasOwn($defs, free)) free += "_";
  const withFree = { ...schema, $defs: { ...$defs, [free]: {} } };
  const mended = mapReferences(withFree, (each) =>
    partAt(schema, each) === undefined ? `#/$defs/${free}` : each,
  );
  return isJsonMap(mended) ? mended : schema;
}

/** Keywords whose values are values of the schema. */
const values: ReadonlySet<string> = new Set(["const", "default"]);
/** Keywords whose values are lists of values of the schema. */
const valueLists: ReadonlySet<string> = new Set(["enum", "examples"]);

/** Keywords that reject more if the schemas beside them describe less. */
const unevaluated: readonly string[] = ["unevaluatedProperties", "unevaluatedItems"];

class Conversion {
  readonly #names: ReadonlyMap<string, string>;
  readonly #renamed: RenamedProperties;
  /** True if the targets of references may accept more than before. */
  readonly #hasLooserTargets: boolean;
  /** True if the schema that is converted accepts more than before. */
  #isLooser = false;

  get isLooser(): boolean {
    return this.#isLooser;
  }

  constructor(root: JsonMap, names: OfferedNames, hasLooserTargets = false) {
    this.#hasLooserTargets = hasLooserTargets;
    this.#names = new Map(Object.entries(names));
    this.#renamed = new RenamedProperties(root, names);
  }

  converted(schema: JsonMap): JsonMap {
    const isLooserAround = this.#isLooser;
    this.#isLooser = false;
    const result = this.#keywords(schema);
    if (this.#names.size > 0) this.#withoutNameRules(schema, result);
    withItems(result);
    if (withPortablePatterns(result)) this.#isLooser = true;
    if (this.#isLooser) for (const keyword of unevaluated) result.delete(keyword);
    this.#isLooser ||= isLooserAround;
    return Object.fromEntries(result);
  }

  #keywords(schema: JsonMap): Map<string, JsonValue> {
    const result = new Map<string, JsonValue>();
    const loosened: string[] = [];
    let isLooser = false;
    for (const [keyword, value] of Object.entries(schema)) {
      this.#isLooser = false;
      result.set(keyword, this.#keyword(keyword, value, schema));
      if (!this.#isLooser) continue;
      isLooser = true;
      loosened.push(keyword);
    }
    for (const keyword of loosened) loosen(keyword, result);
    this.#isLooser = isLooser;
    return result;
  }

  #schema(schema: JsonValue): JsonValue {
    if (Array.isArray(schema)) return schema.map((each: JsonValue) => this.#schema(each));
    return isJsonMap(schema) ? this.converted(schema) : schema;
  }

  #keyword(keyword: string, value: JsonValue, schema: JsonMap): JsonValue {
    if (keyword === "$ref" && typeof value === "string") {
      this.#isLooser = this.#hasLooserTargets;
      return this.#reference(value);
    }
    if (keyword === "required") return this.#nameList(value);
    if (keyword === "dependentRequired") return this.#map(value, (each) => this.#nameList(each));
    if (keyword === "description" && typeof value === "string") return plainText(value);
    if (values.has(keyword)) return this.#renamed.toOffered(value, schema);
    if (valueLists.has(keyword) && Array.isArray(value))
      return value.map((each: JsonValue) => this.#renamed.toOffered(each, schema));
    if (keyword === "properties")
      return this.#map(value, (each, name) => this.#property(each, name));
    if (keyword === "dependentSchemas") return this.#map(value, (each) => this.#schema(each));
    if (!mapKeywords.has(keyword)) return this.#schema(value);
    if (!isJsonMap(value)) return value;
    const all = Object.entries(value).map(([name, each]) => [name, this.#schema(each)] as const);
    return Object.fromEntries(all);
  }

  /** Renames the keys of a map, which are names of properties, and changes its values. */
  #map(value: JsonValue, change: (value: JsonValue, name: string) => JsonValue): JsonValue {
    if (!isJsonMap(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [this.#name(name), change(each, name)] as const),
    );
  }

  /** Adds the own name to a property's description, because this name explains the property. */
  #property(value: JsonValue, name: string): JsonValue {
    const changed = this.#schema(value);
    if (!this.#names.has(name)) return changed;
    if (isJsonMap(changed)) return described(changed, `Own name: ${quotedName(name)}.`);
    return changed === true ? { description: `Own name: ${quotedName(name)}.` } : changed;
  }

  #name(name: string): string {
    return this.#names.get(name) ?? name;
  }

  #nameList(value: JsonValue): JsonValue {
    if (!Array.isArray(value)) return value;
    return value.map((each: JsonValue) => (typeof each === "string" ? this.#name(each) : each));
  }

  /** Renames properties in the pointer of a reference. */
  #reference(reference: string): string {
    const steps = this.#names.size === 0 ? undefined : pointerIn(reference);
    if (steps === undefined || !steps.some((each) => this.#names.has(each))) return reference;
    let isName = false;
    const changed = steps.map((step) => {
      const name = isName ? this.#name(step) : step;
      isName = !isName && (step === "properties" || step === "dependentSchemas");
      return pointerStep(name);
    });
    return `#${encodeURI(changed.join(""))}`;
  }

  /** Removes rules about names, because the offered names may break them. */
  #withoutNameRules({ properties }: JsonMap, result: Map<string, JsonValue>): void {
    const removed: string[] = [];
    if (result.has("propertyNames")) removed.push("propertyNames");
    const isRenamed =
      isJsonMap(properties) && Object.keys(properties).some((each) => this.#names.has(each));
    if (isRenamed && result.has("patternProperties"))
      removed.push("patternProperties", "additionalProperties", "unevaluatedProperties");
    for (const keyword of removed) result.delete(keyword);
    if (removed.length > 0) this.#isLooser = true;
  }
}

/**
 * Removes keywords that would reject more values, now that the schema below `keyword` accepts more:
 * `not` itself, for example, or `maxContains` beside `contains`.
 */
function loosen(keyword: string, result: Map<string, JsonValue>): void {
  if (keyword === "contains") result.delete("maxContains");
  if (keyword === "if") for (const each of ["if", "then", "else"]) result.delete(each);
  if (keyword === "not") result.delete(keyword);
  const value = result.get("oneOf");
  if (keyword !== "oneOf" || value === undefined) return;
  result.delete(keyword);
  if (!result.has("anyOf")) result.set("anyOf", value);
}

/** OpenAI's API rejects a schema of lists without `items`: "array schema missing items". */
function withItems(schema: Map<string, JsonValue>): void {
  const types = [schema.get("type")].flat();
  if (types.includes("array") && !schema.has("items")) schema.set("items", {});
}

/**
 * Matches syntax of JavaScript that Python's `re` lacks, because OpenAI's API reads patterns with
 * `re`. Also matches every lookaround, because newer models reject it: even text inside of a class
 * that only looks like a lookaround.
 */
const token = /\\u\{|\\[^]|\(\?<?[=!<]?|\[\^?\]/g;
const unportable = /^(?:\\u\{|\\[pPkc1-9]|\(\?<?[=!]|\(\?<|\[\^?\])/;

function isPortable(pattern: string): boolean {
  return !(pattern.match(token) ?? []).some((each) => unportable.test(each));
}

/** Moves patterns that APIs can't read into the description. Returns true if there were any. */
function withPortablePatterns(schema: Map<string, JsonValue>): boolean {
  const pattern = schema.get("pattern");
  const named = schema.get("patternProperties");
  const isKept = typeof pattern !== "string" || isPortable(pattern);
  if (!isKept) {
    schema.delete("pattern");
    const note = `Must match the regular expression ${pattern}`;
    const { description = "" } = described(Object.fromEntries(schema), note);
    schema.set("description", description);
  }
  if (!isJsonMap(named) || Object.keys(named).every(isPortable)) return !isKept;
  const kept = Object.entries(named).filter(([each]) => isPortable(each));
  schema.set("patternProperties", Object.fromEntries(kept));
  schema.delete("additionalProperties");
  schema.delete("unevaluatedProperties");
  return true;
}

/** Adds a note to a schema's description. */
function described(schema: JsonMap, note: string): JsonMap {
  const { description } = schema;
  const said = typeof description === "string" && description !== "" ? `${description}\n` : "";
  return { ...schema, description: `${said}${note}` };
}
