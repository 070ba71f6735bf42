import { elementOf } from "../catalog/result-type.js";
import { valueTypeOf } from "../catalog/value-type.js";
import { type Fields, fieldsOf, namesIn } from "../node.js";
import { type Analysis, type Scope, UNKNOWN, type Value } from "./model.js";
import { possible } from "./value.js";

/** An element, a slice or a field: none of them need be there. */
export function inferPart(
  { arg, indirection = [] }: Fields<"A_Indirection">,
  scope: Scope,
  a: Analysis,
): Value {
  const { type } = a.infer(arg, scope);
  for (const each of indirection) {
    const { lidx, uidx } = fieldsOf(each, "A_Indices") ?? {};
    a.infer(lidx, scope);
    a.infer(uidx, scope);
  }
  const [first, ...others] = indirection;
  const subscript = fieldsOf(first, "A_Indices");
  if (first === undefined || others.length > 0) return UNKNOWN;
  if (subscript !== undefined)
    return possible(subscript.is_slice === true ? type : elementOf(a.catalog, type));
  const field = namesIn([first])[0];
  const found =
    typeof type === "number"
      ? a.catalog.typeOf(type)?.fields?.find(({ name }) => name === field)
      : undefined;
  return possible(found === undefined ? undefined : valueTypeOf(a.catalog, found.type));
}
