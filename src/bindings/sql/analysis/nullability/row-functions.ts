import type { ColumnDef, Node } from "@pgsql/types";
import type { PgFunction } from "../../database/snapshot.js";
import { ROWS_OF_VALUES } from "../catalog/never-null-functions.js";
import { resultType } from "../catalog/result-type.js";
import { OID, valueTypeOf, type ValueType } from "../catalog/value-type.js";
import { columnNameOf } from "../../statement/output-name.js";
import { type Fields, fieldsOf, itemsOf, namesIn } from "../node.js";
import { candidatesOf } from "./call.js";
import { NO_FACTS } from "./facts.js";
import { makeItem } from "./item.js";
import type { Analysis, Rows, Scope, ScopeColumn } from "./model.js";
import { typeOfName } from "./type-name.js";

type Columns = readonly ScopeColumn[] | undefined;

/** Functions in FROM: their columns, as far as their result types tell. `scope` sees the items to the left. */
export function functionRows(range: Fields<"RangeFunction">, scope: Scope, a: Analysis): Rows {
  const { functions = [], coldeflist, alias, ordinality } = range;
  const calls = functions.flatMap((each) => separateCalls(each));
  const single = calls.length === 1 && range.is_rowsfrom !== true ? alias?.aliasname : undefined;
  const lists = calls.map(({ call, defined }) =>
    columnsOfCall(call, defined ?? coldeflist, single, scope, a),
  );
  const all = lists.flatMap((each) => each ?? []);
  // Of functions side by side, the shorter are filled up with NULL.
  const columns = lists.length > 1 ? all.map((each) => ({ ...each, notNull: false })) : all;
  const count = { name: "ordinality", type: OID.int8, notNull: true, groups: [] };
  const known = ordinality === true ? [...columns, count] : columns;
  const name = columnNameOf(calls[0]?.call);
  return {
    items: [makeItem(alias, lists.includes(undefined) ? undefined : known, { name })],
    facts: NO_FACTS,
  };
}

interface RowCall {
  readonly call: Node | undefined;
  readonly defined: readonly Node[] | undefined;
}

/** `unnest(a, b)` in FROM is `ROWS FROM (unnest(a), unnest(b))`. */
function separateCalls(node: Node): readonly RowCall[] {
  const [call, definitions] = itemsOf(node);
  const defined = definitions === undefined ? undefined : fieldsOf(definitions, "List")?.items;
  const fields = fieldsOf(call, "FuncCall");
  const { args = [], funcname } = fields ?? {};
  if (fields === undefined || args.length < 2 || namesIn(funcname).at(-1) !== "unnest")
    return [{ call, defined }];
  return args.map((each) => ({ call: { FuncCall: { ...fields, args: [each] } }, defined }));
}

function columnsOfCall(
  node: Node | undefined,
  defined: readonly Node[] | undefined,
  alias: string | undefined,
  scope: Scope,
  a: Analysis,
): Columns {
  const value = a.infer(node, scope);
  if (defined !== undefined && defined.length > 0) return definedColumns(defined, a);
  const name = alias ?? columnNameOf(node);
  const call = fieldsOf(node, "FuncCall");
  // `CURRENT_DATE` and casts may stand here too.
  if (call === undefined)
    return node === undefined ? undefined : [plainColumn(name, value.type, false)];
  const given = (call.args ?? []).map((each) => a.infer(each, scope).type);
  const shapes = candidatesOf(call, given, a).map((each) => shapeOf(each, given, name, a));
  const [first, ...others] = shapes;
  const alike = others.every(
    (each) => first !== undefined && each !== undefined && sameShape(first, each),
  );
  return alike ? first : undefined;
}

function sameShape(one: readonly ScopeColumn[], other: readonly ScopeColumn[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ name, type, notNull }, place) => {
      const twin = other[place];
      return (
        twin !== undefined && name === twin.name && type === twin.type && notNull === twin.notNull
      );
    })
  );
}

/** The columns of a function's rows; undefined when its type does not tell. */
function shapeOf(
  each: PgFunction,
  given: readonly ValueType[],
  name: string,
  a: Analysis,
): Columns {
  const { catalog } = a;
  const values = each.schema === "pg_catalog" && ROWS_OF_VALUES.has(each.name);
  const { outputs = [] } = each;
  const [only, ...others] = outputs;
  // A single named output names the column, whatever the alias.
  if (only !== undefined && others.length === 0 && only.name !== "")
    return scalarOrFields(only.name, valueTypeOf(catalog, only.type), values, a);
  if (outputs.length > 1)
    return outputs.map((each) => plainColumn(each.name, valueTypeOf(catalog, each.type), values));
  const type = resultType(catalog, [each], given);
  return scalarOrFields(name, type, values, a);
}

function scalarOrFields(
  name: string,
  type: ValueType,
  values: boolean,
  { catalog }: Analysis,
): Columns {
  const known = typeof type === "number" ? catalog.typeOf(type) : undefined;
  if (known === undefined) return undefined;
  if (known.kind !== "composite") return [plainColumn(name, type, values)];
  return known.fields?.map((each) =>
    plainColumn(each.name, valueTypeOf(catalog, each.type), false),
  );
}

function plainColumn(name: string, type: ValueType, notNull: boolean): ScopeColumn {
  return { name, type, notNull, groups: [] };
}

/** `AS t (a int, b text)`. */
function definedColumns(nodes: readonly Node[], { catalog }: Analysis): readonly ScopeColumn[] {
  return nodes.map((each) => {
    const { colname = "", typeName }: ColumnDef = fieldsOf(each, "ColumnDef") ?? {};
    const oid = typeOfName(catalog, typeName);
    return plainColumn(colname, oid === undefined ? undefined : valueTypeOf(catalog, oid), false);
  });
}
