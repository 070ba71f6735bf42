import type { Node } from "@pgsql/types";
import { fieldsOf, namesIn } from "../node.js";
import type { Item, Scope, ScopeColumn } from "./model.js";

/**
 * The column that a name means, found as PostgreSQL finds it: the innermost query that knows the name decides. Undefined when none does, when two do,
 * or when one of the items there has columns that are not known.
 */
export function columnNamed(
  fields: readonly Node[] | undefined,
  scope: Scope,
): ScopeColumn | undefined {
  if (fields === undefined || fields.some((each) => fieldsOf(each, "String") === undefined))
    return undefined;
  const path = namesIn(fields);
  const name = path.at(-1);
  if (name === undefined) return undefined;
  if (path.length === 1) {
    const found = bareColumn(name, scope);
    return found === "unclear" ? undefined : (found ?? itemNamed(path, scope)?.row);
  }
  const item = itemNamed(path.slice(0, -1), scope);
  return item === undefined ? undefined : only(columnsOf(item, name));
}

/** The FROM item behind `name` or `schema.name`. */
export function itemNamed(path: readonly string[], scope: Scope | undefined): Item | undefined {
  const [name, schema] = [path.at(-1), path.at(-2)];
  for (let at = scope; at !== undefined; at = at.outer) {
    const found = at.items.filter(
      (each) =>
        each.byName && each.name === name && (schema === undefined || each.schema === schema),
    );
    if (found.length > 0) return only(found);
  }
  return undefined;
}

/** A bare name may still be that of a whole row when no query has such a column, and none might have. */
function bareColumn(name: string, scope: Scope): ScopeColumn | "unclear" | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const bare = at.items.filter((each) => each.bare);
    const found = bare.flatMap((each) => columnsOf(each, name));
    if (found.length > 0) return only(found) ?? "unclear";
    if (bare.some((each) => each.columns === undefined)) return "unclear";
  }
  return undefined;
}

function columnsOf(item: Item, name: string): readonly ScopeColumn[] {
  const found = item.columns?.filter((each) => each.name === name) ?? [];
  return found.length > 0 ? found : item.hidden.filter((each) => each.name === name);
}

function only<Each>(found: readonly Each[]): Each | undefined {
  return found.length === 1 ? found[0] : undefined;
}

/** The columns that a `*` stands for, in order; undefined when that is not known. */
export function starColumns(
  fields: readonly Node[],
  scope: Scope,
): readonly ScopeColumn[] | undefined {
  const path = namesIn(fields);
  if (path.length > 0) return itemNamed(path, scope)?.columns;
  const lists = scope.items.filter(({ bare }) => bare).map(({ columns }) => columns);
  const all = lists.flatMap((each) => each ?? []);
  return lists.includes(undefined) ? undefined : all;
}
