import type { Node } from "@pgsql/types";
import { columnNameOf } from "../../statement/output-name.js";
import { OID, valueTypeOf } from "../catalog/value-type.js";
import { type Fields, fieldsOf, locationOf, namesIn } from "../node.js";
import { hasValue } from "./facts.js";
import {
  type Analysis,
  type Columns,
  type OutputColumn,
  type Scope,
  type ScopeColumn,
  UNKNOWN,
} from "./model.js";
import { columnNamed, itemNamed, starColumns } from "./names.js";

/** The columns that a target list or a RETURNING gives, stars expanded in PostgreSQL's order. */
export function outputOf(targets: readonly Node[] | undefined, scope: Scope, a: Analysis): Columns {
  const lists = (targets ?? []).map((each) => {
    const target = fieldsOf(each, "ResTarget");
    return target === undefined ? undefined : columnsOf(target, scope, a);
  });
  const all = lists.flatMap((each) => each ?? []);
  return lists.includes(undefined) ? undefined : all;
}

function columnsOf(target: Fields<"ResTarget">, scope: Scope, a: Analysis): Columns {
  const reference = fieldsOf(target.val, "ColumnRef");
  const fields = reference?.fields ?? [];
  if (isStar(fields.at(-1))) {
    const location = locationOf(target);
    return starColumns(fields, scope)?.map((each) => ({ ...asOutput(each, scope, a), location }));
  }
  const part = fieldsOf(target.val, "A_Indirection");
  if (part !== undefined && isStar(part.indirection?.at(-1))) return fieldsOfValue(part, scope, a);
  const value = a.infer(target.val, scope);
  return [
    {
      name: target.name ?? columnNameOf(target.val),
      // Nothing asks the text for another type here.
      value: value.type === "literal" ? { ...value, type: OID.text } : value,
      origin: reference === undefined ? undefined : columnNamed(fields, scope)?.origin,
      aliased: target.name !== undefined,
      location: locationOf(target),
    },
  ];
}

function isStar(node: Node | undefined): boolean {
  return fieldsOf(node, "A_Star") !== undefined;
}

function asOutput(column: ScopeColumn, scope: Scope, a: Analysis): OutputColumn {
  const { name, type, origin } = column;
  if (origin !== undefined) a.record.column(origin, "read");
  const value = { type, null: hasValue(column, scope.facts) ? "never" : "maybe" } as const;
  return { name, value, origin, aliased: false };
}

/** `(value).*`: the columns of a FROM item, or the fields of a composite value, when its type is known. */
function fieldsOfValue(
  { arg, indirection = [] }: Fields<"A_Indirection">,
  scope: Scope,
  a: Analysis,
): Columns {
  const { type } = a.infer(arg, scope);
  const reference = fieldsOf(arg, "ColumnRef");
  if (indirection.length > 1) return undefined;
  const item = itemNamed(namesIn(reference?.fields), scope);
  if (item !== undefined && columnNamed(reference?.fields, scope) === item.row)
    return item.columns?.map((each) => asOutput(each, scope, a));
  const fields = typeof type === "number" ? a.catalog.typeOf(type)?.fields : undefined;
  return fields?.map((field) => ({
    name: field.name,
    value: { ...UNKNOWN, type: valueTypeOf(a.catalog, field.type) },
    aliased: false,
  }));
}
