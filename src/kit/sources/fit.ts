/** Compares a value with the place that takes it: a parameter of another tool, or `returns`. */
import type { JsonSchema } from "../../core/json.js";
import type { DiagnosticCode } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import type { LiteralValue } from "../../core/value-path.js";
import { isAssignable, type ShapeIn } from "../../schema/assignable.js";
import { placeSchema, type SchemaPlace } from "../../schema/certain-mismatches.js";
import { compare } from "../../schema/compare/compare.js";
import type { Mismatch } from "../../schema/compare/mismatch.js";
import { shapeAt } from "../../schema/look-up.js";
import { shapesOf } from "../../schema/shape-of-schema.js";
import { only } from "../../schema/shape.js";
import { type PathFacts, textOf } from "./follow-path.js";

/** The place that takes a value. */
export interface Target {
  readonly wanted: SchemaPlace;
  /** Name of the place in messages. */
  readonly name: string;
  /** Form of the schema: `input` for parameters, `stated` for `returns`. */
  readonly form: "stated" | "input";
  readonly codes: FitCodes;
}

/** Codes of values that do not fit. */
interface FitCodes {
  /** A value that never fits. */
  readonly no: DiagnosticCode;
  /** A value that may not fit. */
  readonly some: DiagnosticCode;
  /** A literal that does not fit. */
  readonly literal: DiagnosticCode;
}

/** A value that is read from a path. */
export interface ReadSource {
  /** Text of the path, for messages. */
  readonly text: string;
  readonly span: Span;
  /** Replaces an absent value, and null. */
  readonly fallback?: LiteralValue | undefined;
  /** True if null never reaches the place, although nothing replaces it. */
  readonly dropsNull?: boolean;
}

/**
 * Reports a value that may not fit. It is an error if it never fits, or if TypeScript would reject
 * it; else a warning, because the tool's own validator decides when the plan runs.
 */
export function checkFit(
  source: ReadSource,
  { facts, places }: { readonly places: readonly SchemaPlace[]; readonly facts?: PathFacts },
  target: Target,
  report: Report,
): void {
  if (facts?.holdsNull) checkNullItems(source, target, report);
  const hasNoNull = source.fallback !== undefined || source.dropsNull === true;
  for (const place of places) {
    const [first] = found(place, target, hasNoNull);
    if (first === undefined) continue;
    const isWrong = first.fits === "no" || !typesFit(place, target);
    return report.add({
      code: isWrong ? target.codes.no : target.codes.some,
      span: source.span,
      message: words(first, quote(source.text), target.name),
      help: first.help ?? "name another value, or make the two schemas agree",
      related: [{ span: target.wanted.model.span, message: "the schema that takes it" }],
    });
  }
}

/** Reports a list in which a loop may leave null, if the place takes no null in it. */
function checkNullItems(
  { span, text }: ReadSource,
  { codes, name, wanted }: Target,
  report: Report,
): void {
  const items = { ...wanted, at: [...wanted.at, 0] };
  if (literalFits({ kind: "literal", value: null, span }, items)) return;
  report.add({
    code: codes.no,
    span,
    message: `items of ${quote(text)} may be null, because the loop continues after a failure, but ${name} takes no null there`,
    help: "write `skip` in place of `continue`: the loop then leaves the item out",
  });
}

/** @param hasNoNull true if null is replaced or left out */
function found(place: SchemaPlace, { wanted }: Target, hasNoNull: boolean): readonly Mismatch[] {
  const all = compare(
    { schema: placeSchema(place), root: place.model.schema },
    { schema: placeSchema(wanted), root: wanted.model.schema },
  );
  return hasNoNull ? all.filter(({ ofNull, path }) => !ofNull || path.length > 0) : all;
}

/**
 * Reports a list or an object whose form does not fit: a property is missing or not allowed, or
 * there are too many items.
 *
 * @param form schema of the value; its references lead into the document that takes the value
 * @returns whether the form may fit
 */
export function checkForm(
  form: JsonSchema,
  span: Span,
  { codes, name, wanted }: Target,
  report: Report,
): boolean {
  const root = wanted.model.schema;
  const [first] = compare({ schema: form, root }, { schema: placeSchema(wanted), root });
  if (first === undefined) return true;
  const isWrong = first.fits === "no";
  report.add({
    code: isWrong ? codes.no : codes.some,
    span,
    message: words(first, "this value", name),
    help: first.help ?? "write another value",
    related: [{ span: wanted.model.span, message: "the schema that takes it" }],
  });
  return !isWrong;
}

function words({ given, kind, path, wanted }: Mismatch, value: string, target: string): string {
  const below = path.map((step) => textOf(step)).join("");
  const place = below === "" ? value : `${quote(below.replace(/^\./, ""))} of ${value}`;
  if (kind === "missing" || kind === "absent")
    return `${place} may be missing, but ${target} requires it`;
  if (kind === "unknown") return `${target} does not allow ${place}`;
  return `${place} ${given}, but ${target} ${wanted}`;
}

function typesFit(place: SchemaPlace, { form, wanted }: Target): boolean {
  return isAssignable(shapeIn(place, "stated"), shapeIn(wanted, form));
}

function shapeIn({ at, isList, model }: SchemaPlace, form: "stated" | "input"): ShapeIn {
  const { shape } = shapeAt(model, at, form);
  return {
    shape: isList ? only({ kind: "array", items: shape }) : shape,
    shapes: shapesOf(model.schema, form),
  };
}

/** Reports a literal that the place does not take. */
export function checkLiteral(
  literal: LiteralValue,
  { codes, name, wanted }: Target,
  report: Report,
): void {
  const [first] = literalMismatches(literal, wanted);
  if (first === undefined) return;
  report.add({
    code: codes.literal,
    span: literal.span,
    message: words(first, "this value", name),
    help: first.help ?? "write another value",
  });
}

/** Checks if every value of a place fits, also for TypeScript. */
export function fitsAlways(place: SchemaPlace, target: Target): boolean {
  return found(place, target, false).length === 0 && typesFit(place, target);
}

/** Checks if the schema of a place describes a fallback too. */
export function literalFits(fallback: LiteralValue | undefined, wanted: SchemaPlace): boolean {
  return fallback === undefined || literalMismatches(fallback, wanted).length === 0;
}

function literalMismatches({ value }: LiteralValue, wanted: SchemaPlace): readonly Mismatch[] {
  const constant = { const: value };
  return compare(
    { schema: constant, root: constant },
    { schema: placeSchema(wanted), root: wanted.model.schema },
  );
}
