import type { Operator, PgFunction } from "../../database/snapshot.js";
import type { Catalog } from "../../database/catalog.js";
import { mayCoerce } from "./coercion.js";
import { OID, type ValueType } from "./value-type.js";

export interface Call {
  readonly path: readonly string[];
  readonly arguments: readonly ValueType[];
  /** `f(VARIADIC array)`. */
  readonly variadic: boolean;
  /** `f(name => value)`: places say nothing then. */
  readonly named: boolean;
}

/** The functions that PostgreSQL may choose for a call; one, where the types leave no other. */
export function functionCandidates(catalog: Catalog, call: Call): readonly PgFunction[] {
  const fitting = catalog
    .functions(call.path)
    .filter((each) => takes(each, call) && (call.named || fits(catalog, each, call)));
  if (call.named || call.variadic) return fitting;
  const exact = (types: readonly ValueType[]) =>
    fitting.find((each) => each.arguments.length === types.length && same(each.arguments, types));
  // A literal is taken for a text when one of the candidates wants a text there and the rest is exact.
  const one = exact(call.arguments) ?? exact(call.arguments.map(textForLiteral));
  return one === undefined ? fitting : [one];
}

function takes(each: PgFunction, { arguments: given, variadic }: Call): boolean {
  const most = each.arguments.length;
  if (each.variadic && !variadic) return given.length >= most - 1 - each.defaults;
  return given.length <= most && given.length >= most - each.defaults;
}

function fits(catalog: Catalog, each: PgFunction, { arguments: given, variadic }: Call): boolean {
  return given.every((type, place) => {
    const declared = declaredAt(catalog, each, place, variadic);
    return declared === undefined || mayCoerce(catalog, type, declared);
  });
}

/** The declared type of an argument; undefined when it takes any. */
function declaredAt(
  catalog: Catalog,
  each: PgFunction,
  place: number,
  variadic: boolean,
): number | undefined {
  const last = each.arguments.length - 1;
  if (!each.variadic || variadic || place < last) return each.arguments[place];
  return catalog.typeOf(each.arguments[last] ?? 0)?.element;
}

/** The operators that PostgreSQL may choose; `left` is `"none"` for a prefix operator. */
export function operatorCandidates(
  catalog: Catalog,
  path: readonly string[],
  left: ValueType | "none",
  right: ValueType,
): readonly Operator[] {
  const fitting = catalog
    .operators(path)
    .filter(
      (each) =>
        (left === "none"
          ? each.left === 0
          : each.left !== 0 && mayCoerce(catalog, left, each.left)) &&
        mayCoerce(catalog, right, each.right),
    );
  const exact = (left: ValueType | "none", right: ValueType) =>
    fitting.find((each) => (left === "none" || each.left === left) && each.right === right);
  // PostgreSQL first takes a literal for the type of the other side, then for a text.
  const one =
    left === "none"
      ? exact(left, right)
      : (exact(left === "literal" ? right : left, right === "literal" ? left : right) ??
        exact(textForLiteral(left), textForLiteral(right)));
  return one === undefined ? fitting : [one];
}

function textForLiteral(type: ValueType): ValueType {
  return type === "literal" ? OID.text : type;
}

function same(declared: readonly number[], given: readonly ValueType[]): boolean {
  return declared.every((type, place) => type === given[place]);
}
