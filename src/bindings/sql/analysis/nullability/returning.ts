import type { ReturningClause } from "@pgsql/types";
import { fieldsOf } from "../node.js";
import { versionOf } from "./item.js";
import type { Analysis, Item, Output, Scope } from "./model.js";
import { outputOf } from "./targets.js";

/** The columns of a RETURNING, `old` and `new` included; none without one. */
export function returned(
  clause: ReturningClause | undefined,
  scope: Scope,
  { old, new: now }: { readonly old: Item; readonly new: Item },
  a: Analysis,
): Output {
  if (clause === undefined) return { columns: [], oneRow: false };
  const names = { old: "old", new: "new" };
  for (const each of clause.options ?? []) {
    const { option, value = "" } = fieldsOf(each, "ReturningOption") ?? {};
    names[option === "RETURNING_OPTION_OLD" ? "old" : "new"] = value;
  }
  const taken = (name: string) => scope.items.some((each) => each.byName && each.name === name);
  const versions = [versionOf(old, names.old), versionOf(now, names.new)];
  const items = versions.filter(({ name = "" }) => !taken(name));
  return {
    columns: outputOf(clause.exprs, { ...scope, items: [...scope.items, ...items] }, a),
    oneRow: false,
  };
}
