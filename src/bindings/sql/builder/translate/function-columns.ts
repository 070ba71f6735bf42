import type { Node, RangeFunction } from "@pgsql/types";
import { type Catalog, catalogOf } from "../../database/catalog.js";
import type { PgFunction } from "../../database/snapshot.js";
import { outputName } from "../../statement/output-name.js";
import { namesOf, NoWords } from "../nodes.js";
import type { Place } from "../place.js";

export interface FunctionColumns {
  readonly names: readonly string[];
  /** There may be others, which only the function's own definition says. */
  readonly partial: boolean;
}

/** The columns of a function in FROM that is called by an alias. */
export function functionColumns(
  range: RangeFunction,
  alias: string,
  place: Place,
): FunctionColumns {
  const last = range.ordinality ? ["ordinality"] : [];
  const defined = definedNames(range);
  if (defined.length > 0) return { names: [...defined, ...last], partial: false };
  const listed = namesOf(range.alias?.colnames);
  const known = knownColumns(range, alias, place);
  if (known === undefined) return { names: listed.length > 0 ? listed : [alias], partial: true };
  const names = [...known, ...last].map((each, index) => listed[index] ?? each);
  return { names, partial: false };
}

/** What every function of that name gives; undefined when it depends on more than the name. */
function knownColumns(
  range: RangeFunction,
  alias: string,
  place: Place,
): readonly string[] | undefined {
  const { snapshot } = place.names.facts;
  if (range.is_rowsfrom) return undefined;
  const call = firstCall(range);
  if (call === undefined || !("FuncCall" in call)) return undefined;
  const path = namesOf(call.FuncCall.funcname);
  if (snapshot === undefined) return ROW_COLUMNS.get(path.at(-1) ?? "");
  const catalog = catalogOf(snapshot);
  const overloads = catalog.functions(path).map((each) => columnsOf(each, alias, catalog));
  const [first] = overloads;
  return overloads.every((each) => each?.join() === first?.join()) ? first : undefined;
}

/** The columns of its OUT arguments, whatever the alias, or of its composite type, or one that is called like the alias. */
function columnsOf(
  { outputs, returns }: PgFunction,
  alias: string,
  catalog: Catalog,
): readonly string[] | undefined {
  if (outputs !== undefined) {
    const names = outputs.map(({ name }) => name);
    return names.includes("") ? undefined : names;
  }
  const type = catalog.typeOf(returns);
  if (type?.fields !== undefined) return type.fields.map(({ name }) => name);
  // What a polymorphic function gives may be a row; so may a domain.
  const single = type !== undefined && !["pseudo", "domain", "composite"].includes(type.kind);
  return single ? [alias] : undefined;
}

/** PostgreSQL's own functions whose rows have columns with names of their own. */
const ROW_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map(
  ["json_each", "json_each_text", "jsonb_each", "jsonb_each_text"].map((each) => [
    each,
    ["key", "value"],
  ]),
);

/** The name that PostgreSQL gives a function in FROM that has none: the function's. */
export function functionAlias(range: RangeFunction): string {
  const call = firstCall(range);
  const named = call === undefined ? undefined : outputName({ val: call });
  if (named === undefined || named === "?column?") throw new NoWords("a function without a name");
  return named;
}

function firstCall({ functions = [] }: RangeFunction): Node | undefined {
  const [first] = functions;
  return first !== undefined && "List" in first ? first.List.items?.[0] : undefined;
}

function definedNames({ coldeflist = [] }: RangeFunction): readonly string[] {
  return coldeflist.map((each) => ("ColumnDef" in each ? (each.ColumnDef.colname ?? "") : ""));
}
