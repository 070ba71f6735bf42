import type { Node } from "@pgsql/types";
import { walk } from "../../statement/tree.js";
import { type Fields, fieldsOf } from "../node.js";
import type { Scope } from "./model.js";
import { columnNamed } from "./names.js";

/**
 * Whether an aggregate belongs to the query it stands in. One whose arguments are all columns of a query further out belongs to that one: then it says
 * nothing about the rows here.
 */
export function belongsHere(call: Fields<"FuncCall">, scope: Scope): boolean {
  const parts = [
    ...(call.args ?? []),
    ...(call.agg_order ?? []),
    ...(call.agg_filter === undefined ? [] : [call.agg_filter]),
  ];
  const references = parts.flatMap((each) => referencesIn(each));
  if (references.includes("unclear")) return false;
  const own = { ...scope, outer: undefined };
  return (
    references.length === 0 ||
    references.some((each) => each !== "unclear" && columnNamed(each.fields, own) !== undefined)
  );
}

/** Columns in an expression; `"unclear"` stands for a subquery, whose names are its own. */
function referencesIn(node: Node): readonly (Fields<"ColumnRef"> | "unclear")[] {
  const found: (Fields<"ColumnRef"> | "unclear")[] = [];
  walk(node, (each) => {
    const reference = fieldsOf(each, "ColumnRef");
    if (reference !== undefined) found.push(reference);
    if (fieldsOf(each, "SubLink") !== undefined) found.push("unclear");
  });
  return found;
}
