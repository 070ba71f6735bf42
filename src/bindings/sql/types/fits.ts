/**
 * Decides whether the values of a parameter fit a PostgreSQL type. It compares the parameter's
 * schema with the values that the type accepts (`taken-schema.ts`), and describes the differences.
 */
import type { JsonObject, JsonSchema } from "../../../core/json.js";
import { compare } from "../../../schema/compare/compare.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import { partSchemas } from "../../../schema/compare/normal-form.js";
import {
  type ColumnLimits,
  digitsAlone,
  losses,
  type GivenValues,
  takenSchema,
} from "./taken-schema.js";
import { type SqlElement, type SqlType, writtenType } from "./sql-type.js";

/**
 * Says if a PostgreSQL type accepts the values of a parameter.
 *
 * - `yes`: PostgreSQL accepts all values of the schema, as far as a schema can tell;
 * - `no`: PostgreSQL accepts none of them;
 * - `some`: PostgreSQL accepts some of them and rejects others;
 * - `unsure`: the schema is too vague; a call fails if its value doesn't fit.
 *
 * `reason` continues after the parameter's name, and `help` proposes a change. Null is ignored,
 * because it fits every type.
 */
export type Fit = { readonly fit: "yes" } | Unfit;

export interface Unfit {
  readonly fit: "no" | "some" | "unsure";
  readonly reason: string;
  readonly help?: string;
}

/**
 * Decides whether every value of a parameter fits the type.
 *
 * @param limits limits of the column that stores the value
 */
export function fits(given: GivenValues, type: SqlType, limits: ColumnLimits = {}): Fit {
  const found = mismatches(given, takenSchema(type, given, limits, false));
  const [first] = found;
  if (first === undefined) return { fit: "yes" };
  const lost = lossOf(elementOf(type));
  const isLost =
    lost !== undefined && mismatches(given, takenSchema(type, given, limits, true)).length === 0;
  if (isLost) return { fit: "unsure", reason: `${itemsOf(first)}is ${lost}` };
  return unfit(first, found, type, limits);
}

/**
 * The mismatches, most serious first. Null fits every type, and promises of the author are trusted.
 */
function mismatches({ model, path }: GivenValues, taken: JsonSchema): readonly Mismatch[] {
  const root = model.schema;
  const [only = true, ...others] = partSchemas(root, path);
  const schema: JsonSchema = others.length === 0 ? only : { anyOf: [only, ...others] };
  const found = compare({ schema, root }, { schema: taken, root: taken });
  const relevant = found.filter((each) => !each.ofNull && (!each.promised || isRounded(each)));
  return relevant.toSorted((a, b) => weight(a) - weight(b));
}

function weight(mismatch: Mismatch): number {
  return ["no", "some", "unsure"].indexOf(verdictOf(mismatch));
}

/** It is unknown whether a text without constraints fits. */
function verdictOf({ fits: found, isUnsaid, known }: Mismatch): Unfit["fit"] {
  return known?.kind === "any-text" || isUnsaid ? "unsure" : found;
}

/**
 * True for integers without bounds, whose exactness is the only promise that is not trusted: no
 * keyword ensures it.
 */
function isRounded({ promised, state }: Mismatch): boolean {
  return promised === true && state === undefined;
}

function lossOf(type: SqlElement): string | undefined {
  const loss = losses.get(type.name);
  return loss && `${loss.what}, but \`${type.name}\` drops ${loss.part}`;
}

function elementOf(type: SqlType): SqlElement {
  return type.kind === "array" ? type.of : type;
}

/** Nested lists each have items. */
function itemsOf({ path }: Mismatch): string {
  return path.map(() => "has items of which each ").join("");
}

function unfit(
  first: Mismatch,
  found: readonly Mismatch[],
  type: SqlType,
  limits: ColumnLimits,
): Fit {
  const fit = verdictOf(first);
  // A number without bounds is accepted for a column with limited digits.
  if (limits.digits !== undefined && fit === "unsure") return { fit: "yes" };
  if (first.isUnsaid && first.path.length > 0)
    return { fit, reason: "doesn't describe its items", help: "describe them under `items`" };
  const element = elementOf(type);
  if (element.name === "int8" && isOfNumbers(first)) return beyondExact(first, fit);
  const place = placeOf(first, type, limits);
  const help = fit === "no" ? undefined : helpOf(first, limits);
  return {
    fit,
    reason: `${itemsOf(first)}${givenOf(first, found)}, and ${place}`,
    ...(help !== undefined && { help }),
  };
}

/**
 * Describes the given values. If they differ only in type, all types are listed: `may be a boolean
 * or a string`.
 */
function givenOf(first: Mismatch, found: readonly Mismatch[]): string {
  if (first.known?.kind !== "type") return first.given;
  const words = found.flatMap(({ known, path, wanted }) =>
    known?.kind === "type" && wanted === first.wanted && path.length === first.path.length
      ? [known.words]
      : [],
  );
  return `may be ${words.join(" or ")}`;
}

function placeOf({ path, wanted }: Mismatch, type: SqlType, limits: ColumnLimits): string {
  const { digits, maxLength } = limits;
  const element = elementOf(type).name;
  if (digits !== undefined)
    return `the column is \`numeric(${digits.precision}, ${digits.scale})\``;
  if (maxLength !== undefined) return `the column is \`${element}(${maxLength})\``;
  const isElement = type.kind !== "array" || path.length > 0;
  return `\`${isElement ? element : writtenType(type)}\` ${wanted}`;
}

/** True if a mismatch concerns a number, not a text or another type. */
function isOfNumbers({ known, state }: Mismatch): boolean {
  return known === undefined && state === undefined;
}

/**
 * Describes integers for an int8 that a JSON number can't hold exactly; they are rounded before
 * they can be checked.
 */
function beyondExact(mismatch: Mismatch, fit: Unfit["fit"]): Unfit {
  const most = Number.MAX_SAFE_INTEGER;
  return {
    fit,
    reason: `${itemsOf(mismatch)}${mismatch.given}, but beyond ±${most} a JSON number is not exact, so such a value is rejected`,
    help: `pass it as text, as results do: \`type: string, pattern: "^-?[0-9]+$"\`; or limit it by \`minimum\` and \`maximum\` within ±${most}`,
  };
}

/** Suggests a keyword if the schema is too vague. Another function handles a wrong type. */
function helpOf({ known, state = {} }: Mismatch, limits: ColumnLimits): string | undefined {
  if (known?.kind === "type" || limits.digits !== undefined) return undefined;
  const { enum: values, maximum, maxLength, minimum, pattern } = state;
  if (typeof maxLength === "number") return `add \`maxLength: ${maxLength}\``;
  if (minimum !== undefined || maximum !== undefined) return `limit it: \`${keywords(state)}\``;
  if (known?.kind !== "any-text") return undefined;
  if (Array.isArray(values)) return `list the values: \`enum: [${values.join(", ")}]\``;
  if (pattern === digitsAlone) return `allow digits only: \`pattern: "${digitsAlone}"\``;
  return pattern === undefined
    ? `add \`${keywords(state)}\``
    : "describe its form with a `pattern`";
}

function keywords(state: JsonObject): string {
  return Object.entries(state)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(", ");
}
