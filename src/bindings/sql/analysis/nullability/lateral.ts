import { allOf } from "./facts.js";
import type { Rows, Scope } from "./model.js";

/** Where something stands that sees rows of its own query: those of the queries around it come after. */
export function lateralScope(around: Scope, { items, facts }: Rows): Scope {
  return {
    ...around,
    items,
    facts: allOf([around.facts, facts]),
    outer: around,
    grouped: false,
  };
}
