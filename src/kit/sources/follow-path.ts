/** Follows a path through the schemas of parameters and answers. */
import { quote, shown } from "../../core/names.js";
import type { LinkedPathStep, PathStep } from "../../core/value-path.js";
import type { SchemaPlace } from "../../schema/certain-mismatches.js";
import type { SchemaForm } from "../../schema/form.js";
import { type JsonType, lookUp, propertyNames, shapeAt, shapeParts } from "../../schema/look-up.js";
import { shapesOf } from "../../schema/shape-of-schema.js";
import { didYouMeanOrListed } from "../../schema/suggestion.js";
import { typeWords } from "../type-words.js";

/** A value from which a path begins. */
export interface PathOrigin {
  /** Places of the value, one for each form that it may have. */
  readonly places: readonly SchemaPlace[];
  readonly form: SchemaForm;
  /** Name of the value in messages: `step_1.output`. */
  readonly name: string;
  /** Set if the value is the list of a loop's outputs, whose items are at the places. */
  readonly isLoop?: true;
  /** Set if items of that list may be null. */
  readonly holdsNull?: boolean;
  readonly mayBeAbsent: boolean;
}

/** The values at a path. */
export interface PathFacts {
  readonly places: readonly SchemaPlace[];
  readonly types: readonly JsonType[];
  /** Set if there may be no value: a property is optional, or a value above may be null. */
  readonly mayBeAbsent: boolean;
  readonly steps: readonly LinkedPathStep[];
  /** Set if items of a list may lack the value. */
  readonly dropsAbsent: boolean;
  /** Set if the value is a list of a loop's outputs, some of which may be null. */
  readonly holdsNull: boolean;
}

export interface PathFault {
  readonly message: string;
  readonly help: string;
}

/**
 * Follows a path of own properties, indices and `[*]`.
 *
 * @returns why there is no such place in all forms of the value, if so
 */
export function followPath(origin: PathOrigin, path: readonly PathStep[]): PathFacts | PathFault {
  const [first, ...others] = path;
  const isList = path.some((step) => typeof step === "object") || loopIsWhole(origin, first);
  const below = origin.isLoop && first !== undefined ? others : path;
  if (origin.isLoop && typeof first === "string") return notAList(origin.name, first);
  const found = origin.places.map((place) => followIn(place, below, origin));
  const fault = found.find((each) => "message" in each);
  if (fault !== undefined) return fault;
  // No fault is among them.
  const facts = found as readonly Followed[];
  const isWhole = origin.isLoop === true && below.length === 0 && typeof first !== "number";
  const holdsNull = origin.holdsNull === true;
  // A loop may have fewer items, and null in place of some.
  const isIndexed = origin.isLoop === true && typeof first === "number";
  const own = below.map((step, index) => ({
    step,
    optional:
      facts.some((each) => each.optional[index]) || (index === 0 && (isIndexed || holdsNull)),
  }));
  const lacksItems = facts.some((each) => each.mayBeAbsent) || holdsNull;
  const opens = origin.isLoop === true && typeof first === "object" && !isWhole;
  return {
    places: facts.map(({ at, place }) => ({ model: place.model, at, ...(isList && { isList }) })),
    types: isList ? ["array"] : [...new Set(facts.flatMap(({ types }) => types))],
    mayBeAbsent:
      origin.mayBeAbsent || isIndexed || (!opens && facts.some((each) => each.mayBeAbsent)),
    dropsAbsent: facts.some((each) => each.dropsAbsent) || (opens && lacksItems),
    holdsNull: holdsNull && isWhole,
    steps: origin.isLoop && first !== undefined ? [{ step: first, optional: false }, ...own] : own,
  };
}

function loopIsWhole({ isLoop }: PathOrigin, first: PathStep | undefined): boolean {
  return isLoop === true && first === undefined;
}

interface Followed {
  readonly place: SchemaPlace;
  readonly at: readonly (string | number)[];
  readonly types: readonly JsonType[];
  readonly mayBeAbsent: boolean;
  readonly dropsAbsent: boolean;
  /** For each step, if the value to its left may be absent or null. */
  readonly optional: readonly boolean[];
}

function followIn(
  place: SchemaPlace,
  path: readonly PathStep[],
  { form, name }: PathOrigin,
): Followed | PathFault {
  const { model } = place;
  const optional: boolean[] = [];
  let at = place.at;
  let written = name;
  // Once `[*]` has opened a list, items without the value are left out.
  let isOpened = false;
  let mayBeAbsent = false;
  let dropsAbsent = false;
  // True if the value so far may be absent from the one that contains it.
  let mayMiss = false;
  for (const step of path) {
    const isNothing = mayMiss || lookUp(model, at, form).types.includes("null");
    optional.push(isNothing);
    const fault = stepFault(place, at, step, { form, written });
    if (fault !== undefined) return fault;
    mayMiss =
      typeof step === "number" || (typeof step === "string" && !isRequired(model, at, step, form));
    // Code for an inner list has an empty one in place of what is absent.
    if (typeof step === "object" && isOpened) dropsAbsent = false;
    else if (isOpened) dropsAbsent ||= isNothing || mayMiss;
    else mayBeAbsent ||= isNothing || mayMiss;
    isOpened ||= typeof step === "object";
    at = [...at, typeof step === "object" ? 0 : step];
    written += textOf(step);
  }
  return { place, at, types: lookUp(model, at, form).types, mayBeAbsent, dropsAbsent, optional };
}

/** Checks that each object that the value may be requires the property. */
function isRequired(
  model: SchemaPlace["model"],
  at: readonly (string | number)[],
  name: string,
  form: SchemaForm,
): boolean {
  return objectsAt(model, at, form).every(({ properties }) =>
    properties.some((each) => each.name === name && each.required),
  );
}

function objectsAt(
  model: SchemaPlace["model"],
  at: readonly (string | number)[],
  form: SchemaForm,
) {
  const parts = shapeParts(shapeAt(model, at, form).shape, shapesOf(model.schema, form));
  return parts.filter((part) => part.kind === "object");
}

function stepFault(
  { model }: SchemaPlace,
  at: readonly (string | number)[],
  step: PathStep,
  { form, written }: { readonly form: SchemaForm; readonly written: string },
): PathFault | undefined {
  const facts = lookUp(model, at, form);
  const types = facts.types.filter((type) => type !== "null");
  const owner = typeof step === "string" ? "object" : "array";
  const others = types.filter((type) => type !== owner);
  if (!facts.known || types.length === 0 || types.length > 5)
    return {
      message: `nothing says what is in ${quote(written)}`,
      help: "declare it: in `returns` of the tool that gives it, or in the parameters",
    };
  if (others.length > 0 && typeof step === "string")
    return {
      message: `${quote(written)} may be ${typeWords(others)}, which has no fields`,
      help: others.includes("array")
        ? `write ${quote(`${written}[*].${step}`)} for every item, or ${quote(`${written}[0].${step}`)} for the first`
        : `write ${quote(written)} for the value itself`,
    };
  if (others.length > 0) return notAList(written, textOf(step));
  if (typeof step !== "string") return undefined;
  const names = propertyNames(model, at, form);
  if (step in Object.prototype || !isInEveryForm(model, at, step, form))
    return {
      message: names.includes(step)
        ? `not every form of ${quote(written)} declares ${quote(step)}`
        : `${quote(written)} declares no field ${quote(step)}`,
      help:
        (names.includes(step) ? undefined : didYouMeanOrListed(step, names, "its fields are")) ??
        "declare it under `properties` of its schema",
    };
  return undefined;
}

/** Checks that each object that the value may be declares the property. */
function isInEveryForm(
  model: SchemaPlace["model"],
  at: readonly (string | number)[],
  name: string,
  form: SchemaForm,
): boolean {
  const objects = objectsAt(model, at, form);
  return (
    objects.length > 0 &&
    objects.every(({ properties }) => properties.some((each) => each.name === name))
  );
}

function notAList(written: string, step: string): PathFault {
  const isName = !step.startsWith("[");
  return {
    message: isName
      ? `${quote(written)} is a list, which has no field ${quote(step)}`
      : `${quote(written)} is not a list`,
    help: isName
      ? `write ${quote(`${written}[*].${step}`)} for every item, or ${quote(`${written}[0].${step}`)} for the first`
      : `leave out ${quote(shown(step))}`,
  };
}

/** A step as authors write it. */
export function textOf(step: PathStep): string {
  if (typeof step === "string") return `.${step}`;
  return typeof step === "number" ? `[${step}]` : "[*]";
}
