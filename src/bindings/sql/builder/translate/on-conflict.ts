import type { IndexElem, InferClause, Node, OnConflictClause } from "@pgsql/types";
import { call, type Chain, lambda, list, literal, name } from "../chain.js";
import { NoWords } from "../nodes.js";
import type { Place } from "../place.js";
import { extend, isPlain, type Source } from "../scope.js";
import { joinWords, template, type Words, words } from "../words.js";
import { readAssignments, recordOf } from "./assignments.js";
import { conditionCalls } from "./condition.js";

/** ON CONFLICT. */
export function conflictCalls(
  on: Chain,
  clause: OnConflictClause | undefined,
  place: Place,
): Chain {
  if (clause === undefined) return on;
  const target = inferCalls(name("oc"), clause.infer, place);
  const action =
    clause.action === "ONCONFLICT_NOTHING"
      ? call(target, "doNothing")
      : update(target, clause, place);
  return call(on, "onConflict", lambda("oc", action));
}

function inferCalls(on: Chain, infer: InferClause | undefined, place: Place): Chain {
  if (infer === undefined) return on;
  if (infer.conname !== undefined) return call(on, "constraint", literal(infer.conname));
  const elements = (infer.indexElems ?? []).map(indexElement);
  const columns = elements.map(plainColumn);
  const known = place.frame.sources[0]?.columns;
  const worded = columns.every((each) => each !== undefined && known?.has(each) !== false);
  const named = worded
    ? columnCalls(
        on,
        columns.map((each) => literal(each ?? "", 1)),
      )
    : call(on, "expression", expression(elements, place));
  return conditionCalls(named, "where", infer.whereClause, place);
}

function columnCalls(on: Chain, columns: readonly Chain[]): Chain {
  const [only, ...others] = columns;
  return only !== undefined && others.length === 0
    ? call(on, "column", only)
    : call(on, "columns", list(columns));
}

function indexElement(node: Node): IndexElem {
  if (!("IndexElem" in node)) throw new NoWords("a conflict target");
  return node.IndexElem;
}

function plainColumn({ name, collation, opclass }: IndexElem): string | undefined {
  const bare = collation === undefined && opclass === undefined;
  return name !== undefined && bare && isPlain(name) ? name : undefined;
}

/** Kysely takes no function of the builder here: names inside are not checked. */
function expression(elements: readonly IndexElem[], place: Place): Chain {
  const sources = place.frame.sources.map((source) => ({ ...source, types: "hidden" as const }));
  const unchecked = { ...place, frame: { ...place.frame, sources } };
  const said: readonly Words[] = elements.map(({ name, expr, collation, opclass }) => {
    if (collation !== undefined || opclass !== undefined) throw new NoWords("an operator class");
    const node = expr ?? { ColumnRef: { fields: [{ String: { sval: name ?? "" } }] } };
    return expr === undefined
      ? unchecked.say.words(node, unchecked)
      : words`(${unchecked.say.words(node, unchecked)})`;
  });
  return template(joinWords(said, ", "));
}

function update(on: Chain, clause: OnConflictClause, place: Place): Chain {
  const [target] = place.frame.sources;
  if (target === undefined) throw new NoWords("ON CONFLICT without a table");
  const excluded: Source = { ...target, alias: "excluded", key: "excluded", unqualified: false };
  // A column without its table is the table's own: Kysely's types don't mind.
  const both = { ...place, frame: extend(place.frame, [{ ...excluded, qualifiedOnly: true }]) };
  const record = recordOf(readAssignments(clause.targetList ?? [], target, both), both);
  if (record === undefined) throw new NoWords("ON CONFLICT that sets a part of a column");
  const updated = call(on, "doUpdateSet", record);
  return conditionCalls(updated, "where", clause.whereClause, both);
}
