/** Compares parameters and results of a tool by the values that their schemas describe. */
import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../core/json.js";
import { compareInFull } from "../../schema/compare/compare.js";
import type { Mismatch } from "../../schema/compare/mismatch.js";
import { isSameSchema } from "../../schema/compare/same-schema.js";
import { below } from "../../schema/pointer.js";
import { asSchema } from "../../schema/schema-tree.js";
import { type FieldDifference, fieldDifference } from "./difference.js";
import { equal } from "@skillc/runtime/internal/equal";
import { type NamedPlace, namedPlaces } from "./schema-places.js";

/** Maximum number of keywords and values to compare for equality of schemas. */
const maxCompared = 1_000_000;

/** Compares the accepted parameters. Accepting less is breaking, accepting more is not. */
export function compareParameters(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly FieldDifference[] {
  const schemas = [schemaOf(old), schemaOf(now)] as const;
  if (areSame(...schemas)) return [];
  const places = namedPlaces(...schemas);
  const named = places.flatMap(parameterAt);
  // An undeclared property of an open object was not a parameter.
  const free = places.filter(({ wasFree }) => wasFree);
  const breaks = named.filter(({ rule }) => rule !== "parameter-added");
  const less = mismatches(...schemas)
    .filter((each) => !isReported(breaks, each) && !isReported(free, each))
    .map(narrowerParameter);
  const wider = mismatches(schemas[1], schemas[0]).filter((each) => !isReported(named, each));
  // If a parameter accepts less, other newly accepted values are not worth a report.
  const more = wider.filter((each) => !isReported(less, each)).map(widerParameter);
  const changed = [...named, ...less, ...more, ...places.flatMap(defaultAt)];
  const texts = places.flatMap((place) => textsAt(place, "parameter-text"));
  return orOtherwise(
    [...changed, ...texts],
    fieldDifference("parameter-text", "changed only in its wording"),
  );
}

/** Compares the possible results. Returning more is breaking, returning less is not. */
export function compareResults(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly FieldDifference[] {
  const isOpen = [isNothing(old), isNothing(now)];
  if (isOpen[0] && isOpen[1]) return [];
  if (isOpen[0])
    return [fieldDifference("result-narrower", "now has a schema, and could be anything before")];
  if (isOpen[1])
    return [fieldDifference("result-wider", "no longer has a schema, and may be anything")];
  const schemas = [schemaOf(old), schemaOf(now)] as const;
  if (areSame(...schemas)) return [];
  const places = namedPlaces(...schemas);
  const wider = mismatches(schemas[1], schemas[0]);
  const isRefused = (at: string) => wider.some((each) => isWithin(at, each));
  const named = places.flatMap((place) => resultAt(place, isRefused(place.at)));
  const more = wider.filter((each) => !isReported(named, each)).map(widerResult);
  const less = mismatches(...schemas)
    .filter((each) => !isReported([...named, ...more], each))
    .map(narrowerResult);
  const texts = places.flatMap((place) => textsAt(place, "result-text"));
  return orOtherwise(
    [...named, ...more, ...less, ...texts],
    fieldDifference("result-text", "changed only in its wording"),
  );
}

/**
 * Returns `otherwise` if the schemas differ but no difference was found. Only words without effect
 * on values then differ.
 */
function orOtherwise(
  all: readonly FieldDifference[],
  otherwise: FieldDifference,
): readonly FieldDifference[] {
  return all.length === 0 ? [otherwise] : all;
}

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

/** The schema without the keywords that identify the document. */
function schemaOf(value: JsonValue | undefined): JsonSchema {
  const schema = asSchema(value);
  if (!isJsonObject(schema)) return schema;
  const { $schema: _, $id: __, ...own } = schema;
  return own satisfies JsonObject;
}

function areSame(old: JsonSchema, now: JsonSchema): boolean {
  const budget = { left: maxCompared };
  return isSameSchema({ schema: old, root: old }, { schema: now, root: now }, budget);
}

function mismatches(given: JsonSchema, wanted: JsonSchema): readonly Mismatch[] {
  return compareInFull({ schema: given, root: given }, { schema: wanted, root: wanted }).mismatches;
}

function pointerOf({ path }: Mismatch): string {
  return below("", ...path);
}

/** Checks if a difference was already reported at the same place or a parent. */
function isReported(told: readonly Pick<FieldDifference, "at">[], mismatch: Mismatch): boolean {
  return told.some(({ at }) => isWithin(at, mismatch));
}

function isWithin(at: string, mismatch: Mismatch): boolean {
  const where = pointerOf(mismatch);
  return where === at || (at !== "" && where.startsWith(`${at}/`));
}

function parameterAt({ at, now, old }: NamedPlace): readonly FieldDifference[] {
  if (old === undefined && now !== undefined)
    return now.isRequired
      ? [fieldDifference("parameter-required", "is new, and required", at)]
      : [fieldDifference("parameter-added", "is new, and optional", at)];
  if (old !== undefined && now === undefined)
    return [fieldDifference("parameter-removed", "is no longer a parameter", at)];
  return [];
}

function resultAt({ at, now, old }: NamedPlace, isRefused: boolean): readonly FieldDifference[] {
  if (old === undefined && now !== undefined)
    return isRefused
      ? [fieldDifference("result-wider", "is new, and the old schema did not allow it", at)]
      : [fieldDifference("result-added", "is new", at)];
  if (old !== undefined && now === undefined)
    return [fieldDifference("result-removed", "is no longer returned", at)];
  return [];
}

function defaultAt({ at, now, old }: NamedPlace): readonly FieldDifference[] {
  if (old === undefined || now === undefined) return [];
  const [before, after] = [old.default, now.default];
  if (equal(before, after)) return [];
  const what =
    before === undefined
      ? `now has the default ${inShort(after)}`
      : after === undefined
        ? `no longer has the default ${inShort(before)}`
        : `now has the default ${inShort(after)}, and had ${inShort(before)} before`;
  return [fieldDifference("parameter-default", what, at)];
}

function textsAt(
  { at, now, old }: NamedPlace,
  rule: "parameter-text" | "result-text",
): readonly FieldDifference[] {
  if (old === undefined || now === undefined) return [];
  const names = [...new Set([...Object.keys(old.texts), ...Object.keys(now.texts)])];
  const other = names.filter((name) => !equal(getOwn(old.texts, name), getOwn(now.texts, name)));
  return other.length === 0
    ? []
    : [fieldDifference(rule, `has a new ${other.map((name) => `\`${name}\``).join(" and ")}`, at)];
}

/** @param mismatch mismatch of an old value that the new schema may reject */
function narrowerParameter(mismatch: Mismatch): FieldDifference {
  const { given, kind, wanted } = mismatch;
  const at = pointerOf(mismatch);
  if (kind === "absent" || kind === "missing")
    return fieldDifference("parameter-required", "was optional, and is now required", at);
  const what =
    kind === "unknown"
      ? "is no longer accepted"
      : kind === "exclusive"
        ? `is no longer accepted together with \`${mismatch.beside ?? ""}\``
        : mismatch.unseen
          ? given
          : `before, it ${given}; now it ${wanted}`;
  return fieldDifference("parameter-narrower", withDoubt(what, mismatch), at);
}

/** @param mismatch mismatch of a new value that the old schema may reject */
function widerParameter(mismatch: Mismatch): FieldDifference {
  const { given, kind, wanted } = mismatch;
  const what =
    kind === "absent" || kind === "missing"
      ? "was required, and is now optional"
      : kind === "unknown"
        ? "is now accepted"
        : kind === "exclusive"
          ? `is now accepted together with \`${mismatch.beside ?? ""}\``
          : mismatch.unseen
            ? given
            : `before, it ${wanted}; now it ${given}`;
  return fieldDifference("parameter-wider", withDoubt(what, mismatch), pointerOf(mismatch));
}

/** @param mismatch mismatch of a new value that old readers may not expect */
function widerResult(mismatch: Mismatch): FieldDifference {
  const { given, kind, wanted } = mismatch;
  const what =
    kind === "absent" || kind === "missing"
      ? "was always present, and may now be absent"
      : kind === "unknown"
        ? "may now be present"
        : kind === "exclusive"
          ? `may now be present together with \`${mismatch.beside ?? ""}\``
          : mismatch.unseen
            ? given
            : `now it ${given}; the old schema ${wanted}`;
  return fieldDifference("result-wider", withDoubt(what, mismatch), pointerOf(mismatch));
}

/** @param mismatch mismatch of an old value that no new result has */
function narrowerResult(mismatch: Mismatch): FieldDifference {
  const { given, kind, wanted } = mismatch;
  const what =
    kind === "absent" || kind === "missing"
      ? "could be absent, and is now always present"
      : kind === "unknown"
        ? "is no longer present"
        : kind === "exclusive"
          ? `is no longer present together with \`${mismatch.beside ?? ""}\``
          : mismatch.unseen
            ? given
            : `before, it ${given}; the new schema ${wanted}`;
  return fieldDifference("result-narrower", withDoubt(what, mismatch), pointerOf(mismatch));
}

function withDoubt(what: string, { fits, unseen }: Mismatch): string {
  return fits === "unsure" && !unseen
    ? `${what} (skillc can't prove a difference: the values may be the same)`
    : what;
}

const longest = 60;

function inShort(value: JsonValue | undefined): string {
  const text = JSON.stringify(value) ?? "";
  return `\`${text.length > longest ? `${text.slice(0, longest - 1)}…` : text}\``;
}
