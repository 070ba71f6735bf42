import type { Report } from "../../../core/report.js";
import { type AvroType, everyType, type UnionType } from "./avro-type.js";
import { kindsOf, type NamedUnions, objectsOverlap, overlap } from "./overlap.js";
import { textForm } from "./text-form.js";

/** Pairs of branches that are compared over a whole schema. */
const mostPairs = 200_000;

/**
 * The unions of which JSON does not tell which branch a value is of: their values name it, as in Avro's own JSON. Of all others the first branch that a value
 * fits takes it, which is right where the value stays the same: a whole number is as good an `int` as it is a `double`, and a symbol is a text.
 *
 * @returns undefined, and reported, when there are too many branches
 */
export function namedUnions(root: AvroType, report: Report): NamedUnions | undefined {
  // What is within others comes behind them, mostly.
  const unions = everyType(root)
    .filter((type) => type.kind === "union")
    .toReversed();
  const named = new Set<AvroType>();
  let left = mostPairs;
  let before: number;
  do {
    before = named.size;
    for (const union of unions) {
      if (named.has(union)) continue;
      left -= union.branches.length ** 2;
      if (left < 0) return refuse(union, report);
      if (isAmbiguous(union, named)) named.add(union);
    }
    // A union that names its branch is an object to those around it.
  } while (named.size > before);
  return named;
}

function refuse({ span }: UnionType, report: Report): undefined {
  const message = `the unions of the schema have more than ${mostPairs} pairs of branches`;
  report.add({ code: "queue/bad-avro-schema", span, message });
}

function isAmbiguous({ branches }: UnionType, named: NamedUnions): boolean {
  const types = branches.map(({ type }) => type);
  const takesNumbersOnly = longsAreNumbers(types);
  return types.some((second, index) =>
    types.slice(0, index).some((first) => areAlike(first, second, takesNumbersOnly, named)),
  );
}

/** Beside text a `long` is a number: digits in quotes are that text. */
export function longsAreNumbers(branches: readonly AvroType[]): boolean {
  return branches.some((branch) => textForm(branch) !== undefined);
}

function areAlike(
  first: AvroType,
  second: AvroType,
  longsAreNumeric: boolean,
  named: NamedUnions,
): boolean {
  if (isObject(first) && isObject(second)) return objectsOverlap(first, second, named);
  const [one, other] = [nameOf(first), nameOf(second)];
  if (one === "string" || (first.kind === "enum" && other === "string")) return false;
  // It would round what comes after it.
  if (isNumber(first) && isNumber(second)) return one === "float";
  if (longsAreNumeric && (one === "long" || other === "long")) return false;
  return overlap(first, second, named);
}

function isObject(type: AvroType): boolean {
  return type.kind === "record" || type.kind === "map";
}

function isNumber(type: AvroType): boolean {
  return type.kind === "plain" && kindsOf(type, new Set()).includes("number");
}

/** Of a type that means no more than its name says. */
function nameOf(type: AvroType): string | undefined {
  return type.kind === "plain" && type.logical === undefined ? type.name : undefined;
}
