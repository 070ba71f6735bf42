/** Compares a value with the place that takes it: a parameter of a step's tool, or `returns`. */
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { isAssignable, type ShapeIn } from "../../../schema/assignable.js";
import { placeSchema, type SchemaPlace } from "../../../schema/certain-mismatches.js";
import { compare } from "../../../schema/compare/compare.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import { shapeAt } from "../../../schema/look-up.js";
import { shapesOf } from "../../../schema/shape-of-schema.js";
import { only } from "../../../schema/shape.js";
import { mismatchCodes } from "../../../kit/mismatch-codes.js";
import type { LiteralValue, PathValue } from "./model.js";
import { textOf } from "./source-facts.js";

/** The place that takes a value. */
export interface Target {
  readonly wanted: SchemaPlace;
  /** Name of the place in messages. */
  readonly name: string;
  /** Set for `returns` of the plan. */
  readonly isReturns?: boolean;
}

/**
 * Reports a value that may not fit. It is an error if it never fits, or if TypeScript would reject
 * it; else a warning, because the tool's own validator decides when the plan runs.
 */
export function checkFit(
  source: PathValue,
  places: readonly SchemaPlace[],
  target: Target,
  report: Report,
): void {
  for (const place of places) {
    const [first] = found(place, target, source.fallback !== undefined);
    if (first === undefined) continue;
    const codes = mismatchCodes.plan[target.isReturns ? "returns" : "value"];
    const isWrong = first.fits === "no" || !typesFit(place, target);
    return report.add({
      code: isWrong ? codes.no : codes.some,
      span: source.span,
      message: words(first, quote(source.path.text), target.name),
      help: first.help ?? "name another value, or make the two schemas agree",
      related: [{ span: target.wanted.model.span, message: "the schema that takes it" }],
    });
  }
}

/** A fallback replaces null too. */
function found(place: SchemaPlace, { wanted }: Target, hasFallback: boolean): readonly Mismatch[] {
  const all = compare(
    { schema: placeSchema(place), root: place.model.schema },
    { schema: placeSchema(wanted), root: wanted.model.schema },
  );
  return hasFallback ? all.filter(({ ofNull, path }) => !ofNull || path.length > 0) : all;
}

function words({ given, kind, path, wanted }: Mismatch, value: string, target: string): string {
  const below = path.map((step) => textOf(step)).join("");
  const place = below === "" ? value : `${quote(below.replace(/^\./, ""))} of ${value}`;
  if (kind === "missing" || kind === "absent")
    return `${place} may be missing, but ${target} requires it`;
  if (kind === "unknown") return `${target} does not allow ${place}`;
  return `${place} ${given}, but ${target} ${wanted}`;
}

function typesFit(place: SchemaPlace, { wanted, isReturns }: Target): boolean {
  return isAssignable(shapeIn(place, "stated"), shapeIn(wanted, isReturns ? "stated" : "input"));
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
  { span, value }: LiteralValue,
  { name, wanted }: Target,
  report: Report,
): void {
  const constant = { const: value };
  const [first] = compare(
    { schema: constant, root: constant },
    { schema: placeSchema(wanted), root: wanted.model.schema },
  );
  if (first === undefined) return;
  report.add({
    code: "plan/literal-mismatch",
    span,
    message: words(first, "this value", name),
    help: first.help ?? "write another value",
  });
}
