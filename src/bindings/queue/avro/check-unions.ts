import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type AvroType, type Branch, everyType, nameOfType, type UnionType } from "./avro-type.js";
import { kindsOf, objectsOverlap, overlap } from "./overlap.js";
import { textForm } from "./text-form.js";

/** Pairs of branches that are compared over a whole schema. */
const mostPairs = 200_000;

/**
 * Reports unions of which JSON does not tell which branch a value is of. The first branch that a value fits takes it, which is right where the value stays the
 * same: a whole number is as good an `int` as it is a `double`, and a symbol is a text.
 */
export function checkUnions(root: AvroType, report: Report): boolean {
  const unions = everyType(root).filter((type) => type.kind === "union");
  let left = mostPairs;
  let isSound = true;
  for (const union of unions) {
    left -= union.branches.length ** 2;
    if (left < 0) {
      const message = `the unions of the schema have more than ${mostPairs} pairs of branches`;
      report.add({ code: "queue/bad-avro-schema", span: union.span, message });
      return false;
    }
    const pair = ambiguousPair(union);
    if (pair === undefined) continue;
    isSound = false;
    reportPair(pair, report);
  }
  return isSound;
}

type Pair = readonly [first: Branch, second: Branch];

function ambiguousPair({ branches }: UnionType): Pair | undefined {
  const takesNumbersOnly = longsAreNumbers(branches.map((branch) => branch.type));
  return branches
    .flatMap((second, index) => branches.slice(0, index).map((first): Pair => [first, second]))
    .find(([first, second]) => isAmbiguous(first.type, second.type, takesNumbersOnly));
}

/** Beside text a `long` is a number: digits in quotes are that text. */
export function longsAreNumbers(branches: readonly AvroType[]): boolean {
  return branches.some((branch) => textForm(branch) !== undefined);
}

function isAmbiguous(first: AvroType, second: AvroType, longsAreNumeric: boolean): boolean {
  if (isObject(first) && isObject(second)) return objectsOverlap(first, second);
  const [one, other] = [nameOf(first), nameOf(second)];
  if (one === "string" || (first.kind === "enum" && other === "string")) return false;
  if (isNumber(first) && isNumber(second)) return one === "float";
  if (longsAreNumeric && (one === "long" || other === "long")) return false;
  return overlap(first, second);
}

function isObject(type: AvroType): boolean {
  return type.kind === "record" || type.kind === "map";
}

function isNumber(type: AvroType): boolean {
  return kindsOf(type).includes("number");
}

/** Of a type that means no more than its name says. */
function nameOf(type: AvroType): string | undefined {
  return type.kind === "plain" && type.logical === undefined ? type.name : undefined;
}

function reportPair([first, second]: Pair, report: Report): void {
  const [one, other] = [nameOfType(first.type), nameOfType(second.type)].map(quote);
  report.add({
    code: "queue/ambiguous-union",
    span: second.span,
    message:
      nameOf(first.type) === "float"
        ? `a number for this ${other} would be sent as ${one}, and rounded`
        : `a JSON value may be both ${one} and ${other}: nothing tells which is meant`,
    help: helpFor(first.type, second.type),
    related: [{ span: first.span, message: `${one} takes it first` }],
  });
}

function helpFor(first: AvroType, second: AvroType): string {
  if (nameOf(first) === "float") return "put `float` behind the other numbers";
  if (isObject(first)) return "tell them apart by a field that only one has, or by an enum";
  return nameOf(second) === "string" ? "put `string` first, or keep one of them" : "keep one";
}
