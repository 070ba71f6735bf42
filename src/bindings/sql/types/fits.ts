/**
 * Whether the values of a parameter can be values of a PostgreSQL type: its schema, compared with
 * what the type takes (`taken-schema.ts`), and in words what is found.
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
 * Whether a parameter's values can be values of a PostgreSQL type.
 *
 * - `yes`: whatever the schema accepts, PostgreSQL takes, as far as a schema can say;
 * - `no`: nothing that the schema accepts can be one;
 * - `some`: some of it can, and some can't;
 * - `unsure`: the schema doesn't say enough; a value that is none makes the call fail.
 *
 * `reason` goes on from the parameter's name, `help` proposes a change. Null is left aside: it fits
 * every type.
 */
export type Fit = { readonly fit: "yes" } | Unfit;

export interface Unfit {
  readonly fit: "no" | "some" | "unsure";
  readonly reason: string;
  readonly help?: string;
}

/**
 * Whether every value that a parameter may have can be a value of the type.
 *
 * @param limits of the column that the value goes to
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

/** The gravest first. Null fits every type, and what authors promise is taken at their word. */
function mismatches({ model, path }: GivenValues, taken: JsonSchema): readonly Mismatch[] {
  const root = model.schema;
  const [only = true, ...others] = partSchemas(root, path);
  const schema: JsonSchema = others.length === 0 ? only : { anyOf: [only, ...others] };
  const found = compare({ schema, root }, { schema: taken, root: taken });
  const told = found.filter((each) => !each.ofNull && (!each.promised || isRounded(each)));
  return told.toSorted((a, b) => weight(a) - weight(b));
}

function weight(mismatch: Mismatch): number {
  return ["no", "some", "unsure"].indexOf(verdictOf(mismatch));
}

/** Of a text of which nothing is said nobody knows whether it is one. */
function verdictOf({ fits: found, isUnsaid, known }: Mismatch): Unfit["fit"] {
  return known?.kind === "any-text" || isUnsaid ? "unsure" : found;
}

/**
 * Of all promises the one that isn't taken: that integers without bounds are exact. It is the only
 * one that no keyword keeps.
 */
function isRounded({ promised, state }: Mismatch): boolean {
  return promised === true && state === undefined;
}

function lossOf(type: SqlElement): string | undefined {
  const loss = losses.get(type.name);
  return loss && `${loss.what}, of which \`${type.name}\` drops ${loss.part}`;
}

function elementOf(type: SqlType): SqlElement {
  return type.kind === "array" ? type.of : type;
}

/** Lists in lists each have items. */
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
  // What an author doesn't bound is not asked after.
  if (limits.digits !== undefined && fit === "unsure") return { fit: "yes" };
  if (first.isUnsaid && first.path.length > 0)
    return { fit, reason: "says nothing of its items", help: "describe them under `items`" };
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

/** Of values that differ only in their types all are told: `may be a boolean or a string`. */
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

/** Whether it is about a number, and neither about a text nor about another type. */
function isOfNumbers({ known, state }: Mismatch): boolean {
  return known === undefined && state === undefined;
}

/**
 * An int8 may be further than the integers that a JSON number holds exactly, and is rounded before
 * it is looked at.
 */
function beyondExact(mismatch: Mismatch, fit: Unfit["fit"]): Unfit {
  const most = Number.MAX_SAFE_INTEGER;
  return {
    fit,
    reason: `${itemsOf(mismatch)}${mismatch.given}, and beyond ±${most} none is exact as a JSON number: such a one is refused`,
    help: `take digits, as results give them: \`type: string, pattern: "^-?[0-9]+$"\`; or bound it by \`minimum\` and \`maximum\` within ±${most}`,
  };
}

/** What to write, where the schema says too little. A type that is another's is told elsewhere. */
function helpOf({ known, state = {} }: Mismatch, limits: ColumnLimits): string | undefined {
  if (known?.kind === "type" || limits.digits !== undefined) return undefined;
  const { enum: values, maximum, maxLength, minimum, pattern } = state;
  if (typeof maxLength === "number") return `add \`maxLength: ${maxLength}\``;
  if (minimum !== undefined || maximum !== undefined) return `bound it: \`${keywords(state)}\``;
  if (known?.kind !== "any-text") return undefined;
  if (Array.isArray(values)) return `list the values: \`enum: [${values.join(", ")}]\``;
  if (pattern === digitsAlone) return `say that it is digits: \`pattern: "${digitsAlone}"\``;
  return pattern === undefined
    ? `add \`${keywords(state)}\``
    : "say what it looks like with a `pattern`";
}

function keywords(state: JsonObject): string {
  return Object.entries(state)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(", ");
}
