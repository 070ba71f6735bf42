/**
 * Renames properties in values, pointers and messages: from offered names to own names, and back.
 */
import type { SchemaProblem } from "../errors.js";
import type { JsonValue } from "../json/json.js";
import { pointerOf, pointerStep, stepsOf } from "../json/pointer.js";
import { quotedName } from "../validation/problem-message.js";
import { declaredNames, type OfferedNames } from "./offered-names.js";
import { itemPlace, type Place, placeOf, propertyPlace } from "./schema-places.js";
import { type JsonMap } from "./schema-references.js";

/** Thrown if a value has one property under both its names. */
export class NamedTwice extends Error {
  override readonly name = "NamedTwice";
  readonly problem: SchemaProblem;

  constructor(steps: readonly (string | number)[], offered: string, own: string) {
    const pointer = steps.map(pointerStep).join("") + pointerStep(offered);
    const message = `is given twice: also as ${quotedName(own)}`;
    super(`${pointer} ${message}`);
    this.problem = { pointer, keyword: "additionalProperties", message };
  }
}

/**
 * Renames a tool's properties. If a schema of an object declares a renamed property, the offered
 * name means this property. Otherwise the object keeps its names, because it may be a map with any
 * keys.
 */
export class RenamedProperties {
  readonly #root: JsonMap;
  readonly #offered: ReadonlyMap<string, string>;
  readonly #own: ReadonlyMap<string, string>;
  readonly #declared = new WeakMap<JsonMap, ReadonlySet<string>>();

  /** @param root schema of the tool's parameters, with own names and all its definitions */
  constructor(root: JsonMap, names: OfferedNames) {
    const all = Object.entries(names);
    this.#root = root;
    this.#offered = new Map(all);
    this.#own = new Map(all.map(([own, offered]) => [offered, own]));
  }

  /**
   * Returns a value with the own names. A property that the model wrote by its own name keeps it.
   *
   * @throws NamedTwice if an object has a property by both names
   */
  toOwn(value: unknown): unknown {
    return this.#renamed(value, placeOf(this.#root, [this.#root]), this.#own, []);
  }

  /** Returns a value of the schema, such as a default, with the offered names. */
  toOffered(value: JsonValue, schema: JsonMap): JsonValue {
    // Renaming turns JSON into JSON.
    return this.#renamed(value, placeOf(this.#root, [schema]), this.#offered, []) as JsonValue;
  }

  /** Returns the pointer to a place of a value with the offered names. */
  offeredPointer(pointer: string): string {
    let place = placeOf(this.#root, [this.#root]);
    const steps: string[] = [];
    for (const step of stepsOf(pointer)) {
      const offered = this.#declares(place, step) ? this.#offered.get(step) : undefined;
      steps.push(offered ?? step);
      const item = /^\d{1,9}$/.test(step) ? itemPlace(this.#root, place, Number(step)) : [];
      place = new Set([...propertyPlace(this.#root, place, step), ...item]);
    }
    return pointerOf(steps);
  }

  /** Returns a message about a value with the offered names. */
  offeredMessage(message: string): string {
    let changed = message;
    for (const [own, offered] of this.#offered)
      changed = changed.replaceAll(quotedName(own), quotedName(offered));
    return changed;
  }

  #renamed(
    value: unknown,
    place: Place,
    to: ReadonlyMap<string, string>,
    steps: (string | number)[],
  ): unknown {
    if (place.size === 0) return value;
    if (Array.isArray(value)) return this.#renamedItems(value, place, to, steps);
    if (!isPlain(value)) return value;
    const entries: [string, unknown][] = [];
    for (const [name, each] of Object.entries(value)) {
      const other = to.get(name);
      const isOwn = to === this.#own;
      const own = (isOwn ? other : name) ?? name;
      const isRenamed = other !== undefined && this.#declares(place, own);
      if (isRenamed && isOwn && Object.hasOwn(value, other))
        throw new NamedTwice(steps, name, other);
      steps.push(name);
      const inner = propertyPlace(this.#root, place, isRenamed ? own : name);
      entries.push([isRenamed ? other : name, this.#renamed(each, inner, to, steps)]);
      steps.pop();
    }
    return Object.fromEntries(entries);
  }

  #renamedItems(
    list: readonly unknown[],
    place: Place,
    to: ReadonlyMap<string, string>,
    steps: (string | number)[],
  ): unknown {
    // The items after `prefixItems` all have the same schemas.
    const lengths = [...place].map((each) => lengthOf(each["prefixItems"]));
    const most = lengths.reduce((one, other) => Math.max(one, other), 0);
    const rest = itemPlace(this.#root, place, most);
    return list.map((each, index) => {
      steps.push(index);
      const inner = index < most ? itemPlace(this.#root, place, index) : rest;
      const renamed = this.#renamed(each, inner, to, steps);
      steps.pop();
      return renamed;
    });
  }

  #declares(place: Place, own: string): boolean {
    return this.#offered.has(own) && [...place].some((each) => this.#namesOf(each).has(own));
  }

  #namesOf(schema: JsonMap): ReadonlySet<string> {
    const known = this.#declared.get(schema);
    if (known !== undefined) return known;
    const made = new Set(declaredNames(schema));
    this.#declared.set(schema, made);
    return made;
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function lengthOf(value: JsonValue | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}
